import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandLine, sameEntry } from '../../src/setup/entry.ts';
import { directoryOf, type Entry, wantedEntry } from '../../src/setup/index.ts';

const facts = {
  node: '/opt/node/bin/node',
  script: '/opt/wats/bin/wats.js',
  profile: 'ada',
  home: '/home/ada',
  platform: 'linux',
} as const;

describe('the entry that other programs have to have', () => {
  test('is the running Node and script, and says nothing of the data directory that HOME alone leads to', () => {
    expect(wantedEntry({ ...facts, dir: '/home/ada/.local/share/wats' })).toEqual({
      command: '/opt/node/bin/node',
      args: ['/opt/wats/bin/wats.js', 'mcp', '--profile', 'ada'],
      env: {},
    });
  });

  test('names any other data directory, since programs hand their servers no variable that could lead there', () => {
    expect(wantedEntry({ ...facts, dir: '/srv/wats' }).args.slice(-2)).toEqual(['--dir', '/srv/wats']);
  });

  test('names the default directory of another platform', () => {
    const dir = '/home/ada/Library/Application Support/wats';
    expect(wantedEntry({ ...facts, dir, platform: 'darwin' }).args).not.toContain('--dir');
    expect(wantedEntry({ ...facts, dir }).args).toContain(dir);
  });
});

const entry = (...[command = '', ...args]: string[]): Entry => ({ command, args, env: {} });

describe('the data directory that an entry leads to', () => {
  test.each([
    [entry('/n/node', '/w/bin/wats.js', 'mcp', '--profile', 'x'), '/home/ada/.local/share/wats'],
    [entry('wats', 'mcp'), '/home/ada/.local/share/wats'],
    [entry('wats', 'mcp', '--dir', '/srv/w'), '/srv/w'],
    [entry('/usr/bin/wats', 'mcp', '--dir=/srv/w', '--profile', 'x'), '/srv/w'],
    [{ ...entry('wats', 'mcp'), env: { WATS_DIR: '/srv/v' } }, '/srv/v'],
    [{ ...entry('wats', 'mcp', '--dir', '/srv/w'), env: { WATS_DIR: '/srv/v' } }, '/srv/w'],
    [entry('npx', 'other-server'), null],
    [entry('/n/node', '/x/server.js', 'mcp'), null],
    [entry('mcp'), null],
  ] as const)('%j → %s', (found, dir) => {
    expect(directoryOf(found, { home: '/home/ada', platform: 'linux' })).toBe(dir);
  });

  test('is found again in every entry that wats makes', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\/[a-z /'"-]{1,20}$/),
        fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('--dir', 'mcp', '--dir=/x')),
        (dir, profile) => {
          expect(directoryOf(wantedEntry({ ...facts, dir, profile }), facts)).toBe(dir);
        },
      ),
    );
  });
});

describe('the comparison', () => {
  const base = entry('node', 'a', 'b');
  test.each([
    ['the same', base, true],
    ['another program', entry('nodejs', 'a', 'b'), false],
    ['arguments joined', entry('node', 'a b'), false],
    ['another order', entry('node', 'b', 'a'), false],
    ['one more', entry('node', 'a', 'b', ''), false],
    ['a variable', { ...base, env: { WATS_DIR: '/x' } }, false],
  ] as const)('%s', (_name, other, same) => {
    expect(sameEntry(base, other)).toBe(same);
    expect(sameEntry(other, base)).toBe(same);
  });
  test('takes variables in any order', () => {
    expect(sameEntry({ ...base, env: { A: '1', B: '2' } }, { ...base, env: { B: '2', A: '1' } })).toBe(true);
  });
});

test('a command line for a person to copy quotes what a shell would read', () => {
  expect(commandLine(['wats', 'mcp', '--profile', "a b'c", '$HOME', ''])).toBe(
    "wats mcp --profile 'a b'\\''c' '$HOME' ''",
  );
});
