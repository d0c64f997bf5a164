import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { setInText, unsetInText } from '../../src/config/edit.ts';
import { type Change, saveSettings } from '../../src/config/index.ts';
import { around, folder, refusal } from './support.ts';

/** The text of config.toml after changes to it. */
function edited(text: string | undefined, ...changes: Change[]): string {
  const path = join(folder(), 'config.toml');
  if (text !== undefined) writeFileSync(path, text);
  saveSettings(path, changes, around);
  return readFileSync(path, 'utf8');
}
const set = (key: string, text: string): Change => ({ key, text });
const unset = (key: string): Change => ({ key, text: null });

const COMMENTED = `# my node
profile = "ada" # me

# what it may do
[agent]
# careful
runtime = "claude"   # not codex
max_turns   =   12	# enough
tools = [
  "Read", # files
  "Grep",
]

[ui]
theme = 'dark'
`;

describe('set', () => {
  test('replaces a value and nothing else', () => {
    expect(edited(COMMENTED, set('agent.max_turns', '20'))).toBe(COMMENTED.replace('   12	#', '   20	#'));
    expect(edited(COMMENTED, set('ui.theme', 'light'))).toBe(COMMENTED.replace("'dark'", '"light"'));
  });

  test('replaces a list over several lines', () => {
    expect(edited(COMMENTED, set('agent.tools', 'Read'))).toBe(
      COMMENTED.replace('[\n  "Read", # files\n  "Grep",\n]', '["Read"]'),
    );
  });

  test('adds a key after the last one of its table', () => {
    expect(edited(COMMENTED, set('agent.every', '1m'))).toBe(
      COMMENTED.replace('"Grep",\n]\n', '"Grep",\n]\nevery = "1m"\n'),
    );
  });

  test('adds a root key after the last root key', () => {
    expect(edited(COMMENTED, set('infra', 'none'))).toBe(
      COMMENTED.replace('# me\n', '# me\ninfra = "none"\n'),
    );
  });

  test('adds the first root key above the first table and its comment', () => {
    expect(edited('# file\n\n# about the agent\n[agent]\nmax_turns = 1\n', set('profile', 'x'))).toBe(
      '# file\n\nprofile = "x"\n\n# about the agent\n[agent]\nmax_turns = 1\n',
    );
  });

  test('adds a table at the end when there is none', () => {
    expect(edited(COMMENTED, set('store.max_bytes', '1 GiB'))).toBe(
      `${COMMENTED}\n[store]\nmax_bytes = "1 GiB"\n`,
    );
    expect(edited('profile = "x"', set('log.level', 'debug'))).toBe(
      'profile = "x"\n\n[log]\nlevel = "debug"\n',
    );
  });

  test('makes the file, for its owner alone', () => {
    const path = join(folder(), 'made', 'config.toml');
    saveSettings(path, [set('agent.max_usd_per_day', '$1.50')], around);
    expect(readFileSync(path, 'utf8')).toBe('[agent]\nmax_usd_per_day = 1.5\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['dotted keys', 'agent.max_turns = 3\nprofile = "x"\n', 'agent.max_turns = 9\nprofile = "x"\n'],
    ['quoted keys', '["agent"]\n"max_turns" = 3\n', '["agent"]\n"max_turns" = 9\n'],
    ['spaces in a key', "agent . 'max_turns'=3#x\n", "agent . 'max_turns'=9#x\n"],
    [
      'an inline table',
      'agent = { review = true, max_turns = 3 } # c\n',
      'agent = { review = true, max_turns = 9 } # c\n',
    ],
    ['an inline table without it', 'agent = {review = true}\n', 'agent = {review = true, max_turns = 9}\n'],
    ['an empty inline table', 'agent = {}\n', 'agent = { max_turns = 9 }\n'],
    [
      'dotted neighbours',
      'agent.review = true # c\nprofile = "x"\n',
      'agent.review = true # c\nagent.max_turns = 9\nprofile = "x"\n',
    ],
    ['an empty table', '[agent] # c\n[ui]\n', '[agent] # c\nmax_turns = 9\n[ui]\n'],
    [
      'an indented table',
      '  [agent]\n    review = true\n',
      '  [agent]\n    review = true\n    max_turns = 9\n',
    ],
    ['CR LF', '[agent]\r\nreview = true\r\n', '[agent]\r\nreview = true\r\nmax_turns = 9\r\n'],
    ['no last newline', '[agent]\nreview = true', '[agent]\nreview = true\nmax_turns = 9\n'],
    [
      'a decoy in a long text',
      'agent.about = """\nagent.max_turns = 3\n[agent]\n"""\n',
      'agent.about = """\nagent.max_turns = 3\n[agent]\n"""\nagent.max_turns = 9\n',
    ],
    ['a decoy in a comment', '# agent.max_turns = 3\n', '# agent.max_turns = 3\n\n[agent]\nmax_turns = 9\n'],
    [
      'quotes at the end of a long text',
      "agent.about = '''a'''''\nagent.max_turns = 3\n",
      "agent.about = '''a'''''\nagent.max_turns = 9\n",
    ],
    ['a byte order mark', '\uFEFF[agent]\nmax_turns = 3\n', '\uFEFF[agent]\nmax_turns = 9\n'],
    ['another base', 'agent.max_turns = 0x0f # fifteen\n', 'agent.max_turns = 9 # fifteen\n'],
  ])('finds its place with %s', (_, before, after) => {
    expect(edited(before, set('agent.max_turns', '9'))).toBe(after);
  });

  test('keeps a symbolic link, and replaces what it names', () => {
    const dir = folder();
    writeFileSync(join(dir, 'dotfile'), 'infra = "none"\n');
    symlinkSync('dotfile', join(dir, 'config.toml'));
    saveSettings(join(dir, 'config.toml'), [set('profile', 'x')], around);
    expect(lstatSync(join(dir, 'config.toml')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, 'dotfile'), 'utf8')).toBe('infra = "none"\nprofile = "x"\n');
  });

  test('texts with quotes, newlines and other alphabets come back as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const about = `x ${text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')}\n"'\\`.normalize('NFC');
        const tree = parse(edited(COMMENTED, set('agent.about', about)));
        expect((tree['agent'] as Record<string, unknown>)['about']).toBe(about);
      }),
      { numRuns: 50 },
    );
  });

  test('a relative path is of the working directory', () => {
    expect(edited(undefined, set('agent.workdir', 'project'))).toBe(
      '[agent]\nworkdir = "/home/ada/work/project"\n',
    );
  });

  test('says which safety keys it changed, and nothing for a value that was there', () => {
    const path = join(folder(), 'config.toml');
    writeFileSync(path, COMMENTED);
    const saved = saveSettings(
      path,
      [set('agent.max_turns', '12'), set('agent.review', 'false'), set('profile', 'b')],
      around,
    );
    expect(saved).toEqual({ changed: ['agent.review', 'profile'], flagged: ['agent.review'] });
  });
});

describe('unset', () => {
  test('takes the line away and nothing else', () => {
    expect(edited(COMMENTED, unset('agent.max_turns'))).toBe(
      COMMENTED.replace('max_turns   =   12	# enough\n', ''),
    );
    expect(edited(COMMENTED, unset('agent.tools'))).toBe(
      COMMENTED.replace('tools = [\n  "Read", # files\n  "Grep",\n]\n', ''),
    );
    expect(edited(COMMENTED, unset('profile'))).toBe(COMMENTED.replace('profile = "ada" # me\n', ''));
  });

  test.each([
    ['first', 'agent = { max_turns = 3, review = true }\n', 'agent = { review = true }\n'],
    ['last', 'agent = { review = true, max_turns = 3 }\n', 'agent = { review = true }\n'],
    ['only', 'agent = { max_turns = 3 }\n', 'agent = {  }\n'],
  ])('takes the %s pair out of an inline table', (_, before, after) => {
    expect(edited(before, unset('agent.max_turns'))).toBe(after);
  });

  test('of a key that is not there changes nothing, and makes no file', () => {
    expect(edited(COMMENTED, unset('agent.every'))).toBe(COMMENTED);
    const path = join(folder(), 'config.toml');
    expect(saveSettings(path, [unset('agent.every')], around)).toEqual({ changed: [], flagged: [] });
    expect(existsSync(path)).toBe(false);
  });

  test('removes a retired key, and one that no wats knows', () => {
    expect(
      edited(
        '[agent]\nthread_backoff = "1m"\nfrob = 1\n',
        unset('agent.thread_backoff'),
        unset('agent.frob'),
      ),
    ).toBe('[agent]\n');
  });
});

describe('what is refused leaves the file as it was', () => {
  function refused(text: string, ...changes: Change[]) {
    const dir = folder();
    const path = join(dir, 'config.toml');
    writeFileSync(path, text);
    const why = refusal(() => saveSettings(path, changes, around));
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(dir)).toEqual(['config.toml']);
    return why;
  }

  test('a bad value', () => {
    expect(refused(COMMENTED, set('agent.every', '30'))).toEqual({
      code: 'setting',
      message: 'agent.every = "30": a bare number is no duration',
      fix: 'Write "30s", "30m" or "30h".',
    });
  });

  test('one bad value among good ones', () => {
    expect(refused(COMMENTED, set('profile', 'x'), set('agent.review', 'perhaps')).code).toBe('setting');
  });

  test('an unknown key', () => {
    expect(refused(COMMENTED, set('agent.max_turn', '3')).fix).toBe('Did you mean agent.max_turns?');
    expect(refused(COMMENTED, unset('agent.max_turn')).fix).toBe('Did you mean agent.max_turns?');
    expect(refused(COMMENTED, set('agent', '3')).message).toContain('group');
    expect(refused(COMMENTED, set('__proto__', '3')).code).toBe('setting');
  });

  test('a retired key', () => {
    const why = refused(COMMENTED, set('agent.thread_backoff', '1m'));
    expect(why.message).toContain('no longer used');
    expect(why.fix).toBe('wats config unset agent.thread_backoff');
  });

  test('a rule that the file would break', () => {
    expect(refused(COMMENTED, set('agent.access', 'workspace')).message).toContain('agent.workdir');
    expect(refused(COMMENTED, set('agent.workdir', '/home/ada')).message).toContain('data directory');
    expect(
      refused('agent.runtime = "command"\nagent.command = ["x"]\n', unset('agent.command')).message,
    ).toContain('agent.command');
    expect(edited('', set('agent.access', 'workspace'), set('agent.workdir', '/srv/w'))).toContain(
      'workspace',
    );
  });

  test('another value of the file that is bad', () => {
    expect(refused('[agent]\nmax_turns = 0\n', set('profile', 'x')).message).toContain('agent.max_turns = 0');
  });

  test('a file that is no TOML', () => {
    expect(refused('[agent\n', set('profile', 'x')).message).toMatch(/config\.toml:1:\d+: it is no TOML/);
  });

  test('a table of its own, with what to do by hand', () => {
    expect(refused('[ui.keys]\nquit = "Q"\n', set('ui.keys', '{ quit = "x" }')).fix).toContain(
      'ui.keys = { quit = "x" }',
    );
    expect(refused('[ui.keys]\nquit = "Q"\n', unset('ui.keys')).fix).toContain('by hand');
    expect(
      refused('agent = { # c\n max_turns = 3, # d\n review = true }\n', unset('agent.max_turns')).fix,
    ).toContain('by hand');
  });

  test('an edit that would change more than its key', () => {
    expect(refusal(() => setInText('[[agent]]\nmax_turns = 3\n', 'agent.max_turns', 4)).fix).toContain(
      'by hand',
    );
    expect(refusal(() => unsetInText('[[agent]]\nmax_turns = 3\n', 'agent.max_turns')).fix).toContain(
      'by hand',
    );
    expect(refusal(() => setInText('agent = 3\n', 'agent.max_turns', 4)).fix).toContain('by hand');
  });

  test('a file that can not be written', () => {
    const dir = folder();
    writeFileSync(join(dir, 'file'), '');
    expect(
      refusal(() => saveSettings(join(dir, 'file', 'config.toml'), [set('profile', 'x')], around)).code,
    ).toMatch(/directory|storage/);
    mkdirSync(join(dir, 'config.toml'));
    expect(refusal(() => saveSettings(join(dir, 'config.toml'), [set('profile', 'x')], around)).code).toBe(
      'directory',
    );
  });

  test('a file that is not UTF-8', () => {
    const path = join(folder(), 'config.toml');
    writeFileSync(path, Buffer.from([0x23, 0xff, 0x0a]));
    expect(refusal(() => saveSettings(path, [set('profile', 'x')], around)).message).toContain('UTF-8');
  });
});

/** Documents with comments and every way to write a key, made of lines that may be set, replaced or removed. */
const comment = fc.constantFrom('', ' # why', '\t# [agent] max_turns = 1', "  # it's");
const line = (text: string) => comment.map((end) => `${text}${end}`);
const rootLines = fc.subarray([
  ['profile = "ada"', "profile = '''\nada'''", '"profile" = "a#b"'],
  ['infra = "none"'],
  ['seeds = [ # list\n  "/a", "/b]", # ]\n]', 'seeds = []'],
  ['log.level = "debug"', 'log = { level = "warn" }'],
  ['mcp . decide = true'],
]);
const agentLines = fc.subarray([
  ['max_turns = 3', "'max_turns' = 0b11"],
  ['every = "1m"'],
  ['about = """\n[agent]\nevery = 5 \\"""\n"""', "about = '''\"\n[ui]'''"],
  ['tools = ["a", """b"""\n , \'c\' # d\n]'],
  ['max_usd_per_day = 1_0.5'],
]);
const noise = fc.array(fc.constantFrom('', '# note', '  ', '#'), { maxLength: 2 });
const block = (lines: fc.Arbitrary<string[][]>) =>
  lines
    .chain((found) => fc.tuple(...found.map((forms) => fc.constantFrom(...forms).chain(line))))
    .chain((written) =>
      fc.tuple(...written.map((text) => noise.map((extra) => [...extra, text].join('\n')))),
    );
const header = fc.constantFrom('[agent]', '[ agent ] # runs', '["agent"]');
const documentText = fc
  .tuple(
    block(rootLines),
    fc.option(fc.tuple(header, block(agentLines))),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([root, agent, eol, end]) => {
    const rows = [
      ...root,
      ...(agent === null ? [] : [agent[0], ...agent[1]]),
      '[ui] # last',
      'mouse = false',
    ];
    return rows.join('\n').replaceAll('\n', eol) + (end ? eol : '');
  });
const change = fc.constantFrom<Change>(
  set('profile', 'bob'),
  set('agent.max_turns', '7'),
  set('agent.about', 'two\nlines'),
  set('agent.tools', 'Read'),
  set('log.level', 'error'),
  set('store.max_bytes', '1 GiB'),
  set('mcp.decide', 'false'),
  set('seeds', '/x,/y'),
  set('agent.max_usd_per_day', '0.1'),
  set('ui.theme', 'none'),
  unset('profile'),
  unset('agent.max_turns'),
  unset('agent.about'),
  unset('agent.tools'),
  unset('seeds'),
  unset('log.level'),
  unset('mcp.decide'),
);

type Tree = Record<string, unknown>;
function at(tree: Tree, key: string): unknown {
  return key.split('.').reduce<unknown>((node, part) => (node as Tree | undefined)?.[part], tree);
}

test('whatever the document: exactly that key changes, no comment and no other line is lost', () => {
  const path = join(folder(), 'config.toml');
  fc.assert(
    fc.property(documentText, change, (text, { key, text: typed }) => {
      writeFileSync(path, text);
      saveSettings(path, [{ key, text: typed }], around);
      const after = readFileSync(path, 'utf8');
      const [was, is] = [parse(text) as Tree, parse(after) as Tree];
      for (const other of [
        'profile',
        'infra',
        'seeds',
        'log.level',
        'mcp.decide',
        'agent.max_turns',
        'agent.every',
        'agent.about',
        'agent.tools',
        'agent.max_usd_per_day',
        'ui.mouse',
        'ui.theme',
        'store.max_bytes',
      ]) {
        if (other !== key) expect(at(is, other)).toEqual(at(was, other));
      }
      expect(at(is, key) === undefined).toBe(typed === null);
      // What is gone is one stretch of the text, and it holds the old value only; the rest is there, in order.
      let head = 0;
      while (head < text.length && text[head] === after[head]) head += 1;
      let tail = 0;
      while (tail < Math.min(text.length, after.length) - head && text.at(-1 - tail) === after.at(-1 - tail))
        tail += 1;
      const gone = text.slice(head, text.length - tail);
      if (typed !== null && at(was, key) === undefined) expect(gone).toBe('');
      const notes = (doc: string) => doc.match(/# note/g)?.length ?? 0;
      const whys = (doc: string) => doc.match(/# why|# it's|# \[agent\]/g)?.length ?? 0;
      expect(notes(after)).toBe(notes(text));
      if (typed !== null) expect(whys(after)).toBe(whys(text));
    }),
    { numRuns: 1000 },
  );
});
