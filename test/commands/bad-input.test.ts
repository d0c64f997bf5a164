import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataDirectory, type RunningNode, startNode, WATS, wats, watsJson } from '../support/node.ts';

const place = dataDirectory();
const empty = dataDirectory();
let node: RunningNode;

beforeAll(async () => {
  node = await startNode(place.dir);
});
afterAll(async () => {
  node.kill('SIGTERM');
  await node.ended;
  place.remove();
  empty.remove();
});

/** Two lines at most, no stack, and the exit code that the design gives to this kind of mistake. */
function expectMistake(
  result: { code: number | null; stderr: string; stdout: string },
  code: number,
  ...says: string[]
): void {
  expect(result.stderr).not.toMatch(/\n\s+at /);
  for (const words of says) expect(result.stderr).toContain(words);
  expect(result.code).toBe(code);
  expect(result.stdout).toBe('');
}

describe('without a daemon', () => {
  test.each([
    ['ask', 'hello'],
    ['status'],
    ['search', 'x'],
    ['inbox'],
    ['agent', 'approve', 'd-aaaaaaaa', '--yes'],
    ['peer', 'list'],
  ])('wats %s says so and exits 3', async (...args) => {
    expectMistake(
      await wats(args, { dir: empty.dir }),
      3,
      'no wats daemon is running',
      'start one with "wats"',
    );
  });

  test('config works all the same', async () => {
    const found = await watsJson<{ key: string; value: number }>(['config', 'get', 'agent.max_turns'], {
      dir: empty.dir,
    });
    expect(found).toMatchObject({ key: 'agent.max_turns', value: 10 });
  });
});

describe('words that wats does not know', () => {
  test('an unknown command names the nearest one', async () => {
    expectMistake(
      await wats(['serach', 'x']),
      2,
      'there is no command "wats serach"',
      'did you mean "wats search"?',
    );
  });
  test('an unknown subcommand names the nearest one', async () => {
    expectMistake(await wats(['agent', 'aprove']), 2, 'did you mean "wats agent approve"?');
  });
  test('an unknown option names the nearest one', async () => {
    expectMistake(
      await wats(['search', '--kinds', 'ask'], { dir: place.dir }),
      2,
      'there is no option --kinds',
      'did you mean --kind?',
    );
  });
  test('an unknown kind names the nearest one', async () => {
    expectMistake(
      await wats(['post', '--kind', 'answr', 'x'], { dir: place.dir }),
      2,
      'there is no kind "answr"',
      'did you mean answer?',
    );
  });
  test('an option without its value says what is missing', async () => {
    expectMistake(await wats(['search', '--limit'], { dir: place.dir }), 2, '--limit needs a value');
  });
});

describe('posts that break the rules', () => {
  test('a text of 17 KiB is refused with both sizes, and nothing is posted', async () => {
    const result = await wats(['ask', '-'], { dir: place.dir, input: 'x'.repeat(17 * 1024) });
    expectMistake(result, 1, 'text has 17408 bytes; the limit is 16384');
    expect((await watsJson<{ total: number }>(['search'], { dir: place.dir })).total).toBe(0);
  });
  test('a text of exactly 16 KiB is posted', async () => {
    const other = dataDirectory();
    const own = await startNode(other.dir);
    const result = await wats(['post', '-'], { dir: other.dir, input: 'y'.repeat(16_384) });
    own.kill('SIGTERM');
    await own.ended;
    other.remove();
    expect(result.stdout.trim()).toMatch(/^[0-9a-f]{64}$/);
  });
  test('an escape sequence in a text is refused, and named', async () => {
    expectMistake(
      await wats(['ask', '-'], { dir: place.dir, input: 'a\u001b[31mb' }),
      1,
      'control character U+001B',
    );
  });
  test('text that is not UTF-8 is refused', () => {
    const result = spawnSync(process.execPath, [WATS, 'ask', '-', '--dir', place.dir], {
      input: Buffer.from([0x61, 0xff, 0x62]),
    });
    expect(String(result.stderr)).toContain('not UTF-8');
    expect(result.status).toBe(2);
  });
  test('a reply to nothing says that there is no such post', async () => {
    expectMistake(
      await wats(['reply', 'a'.repeat(64), 'x'], { dir: place.dir }),
      1,
      'no post starts with aaaaaaaaaaaaaaa',
    );
  });
  test('a prefix under 60 bits is never an id', async () => {
    expectMistake(await wats(['read', 'abcdef'], { dir: place.dir }), 2, 'at least its first 15');
  });
});

describe('invites', () => {
  test.each([
    ['nonsense', 'this is not an invite'],
    ['wats9:AAAA', 'this invite has version 9'],
    ['wats1:AAAA', 'cut off'],
  ])('%s is refused with what is wrong', async (invite, says) => {
    expectMistake(await wats(['peer', 'join', invite], { dir: place.dir }), 2, says);
  });
  test('one with a changed letter is refused by its checksum', async () => {
    const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: place.dir });
    const at = invite.length - 12;
    const changed = invite.slice(0, at) + (invite[at] === 'A' ? 'B' : 'A') + invite.slice(at + 1);
    expectMistake(await wats(['peer', 'join', changed], { dir: place.dir }), 2, 'checksum');
    expectMistake(
      await wats(['peer', 'join', invite], { dir: place.dir }),
      2,
      'this invite is from this node itself',
    );
  });
});

describe('settings', () => {
  test('an unknown key in config.toml stops the start with its line and the nearest key', async () => {
    const bad = dataDirectory('profile = "p"\n\n[agent]\nmax_turn = 3\n');
    const result = await wats(['node'], { dir: bad.dir });
    bad.remove();
    expectMistake(result, 2, 'config.toml:4:1', 'agent.max_turns');
  });
  test('a bad value is refused by set, and the file stays byte for byte', async () => {
    const own = dataDirectory('# mine\nprofile = "p" # me\n');
    const result = await wats(['config', 'set', 'agent.timeout', '10'], { dir: own.dir });
    expectMistake(result, 2, 'agent.timeout');
    expect(readFileSync(join(own.dir, 'config.toml'), 'utf8')).toBe('# mine\nprofile = "p" # me\n');
    own.remove();
  });
  test('set keeps comments, and a safety key is said to be flagged', async () => {
    const own = dataDirectory('# mine\nprofile = "p" # me\n');
    const result = await wats(['config', 'set', 'agent.max_usd_per_day', '5'], { dir: own.dir });
    expect(result.code).toBe(0);
    expect(result.stderr).toContain('flagged until "wats config ack"');
    expect(readFileSync(join(own.dir, 'config.toml'), 'utf8')).toContain('# mine\nprofile = "p" # me\n');
    own.remove();
  });
});

describe('the data directory', () => {
  test('a second daemon is refused with exit code 75', async () => {
    expectMistake(
      await wats(['node'], { dir: place.dir }),
      75,
      'another wats daemon runs on this data directory',
      'attach',
    );
  });
  test('one that others can read is refused with the command that mends it', async () => {
    const open = dataDirectory();
    chmodSync(open.dir, 0o755);
    expectMistake(
      await wats(['node'], { dir: open.dir }),
      1,
      'can be read by others (mode 0755)',
      'chmod 700',
    );
    open.remove();
  });
  test('a secret that others can read is refused', async () => {
    const own = dataDirectory();
    writeFileSync(join(own.dir, 'secret'), `${'ab'.repeat(32)}\n`, { mode: 0o644 });
    expectMistake(await wats(['node'], { dir: own.dir }), 1, 'secret can be read by others', 'chmod 600');
    own.remove();
  });
});

test('an old Node prints one line that says what to do', () => {
  const old = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
    if (!existsSync(path)) return false;
    return /^v(1\d|20|21)\./.test(String(spawnSync(path, ['--version']).stdout));
  });
  // Without an older Node on this machine the launcher is fed an older version instead.
  const result =
    old === undefined
      ? spawnSync(process.execPath, [
          '-e',
          `Object.defineProperty(process.versions, 'node', { value: '20.1.0' }); require(${JSON.stringify(WATS)})`,
        ])
      : spawnSync(old, [WATS, '--version']);
  expect(String(result.stderr).trim().split('\n')).toHaveLength(1);
  expect(String(result.stderr)).toContain('needs Node.js 22.22 or newer');
  expect(result.status).toBe(1);
});

test('a reader that goes away is no failure', () => {
  const result = spawnSync('sh', [
    '-c',
    `"${process.execPath}" "${WATS}" config list --dir "${place.dir}" | head -1`,
  ]);
  expect(String(result.stderr)).toBe('');
  expect(String(result.stdout)).toContain('key');
});
