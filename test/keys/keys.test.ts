import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKeys } from '../../src/keys/index.ts';
import { isAuthentic, type PostBody } from '../../src/swarm/index.ts';

let folder = '';
let warnings: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wats-keys-'));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);
const open = (moved = false) =>
  openKeys(
    { secret: { path: path('secret'), moved }, nodeKey: { path: path('node_key'), moved: false } },
    (message) => warnings.push(message),
  );
const refused = (message: string, fix: string) =>
  expect.objectContaining({
    code: 'directory',
    message: expect.stringContaining(message),
    fix: expect.stringContaining(fix),
  });

describe('the secret', () => {
  it('is made once, for its owner alone, and gives the same authors ever after', () => {
    const first = open();
    expect(readFileSync(path('secret'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(path('secret')).mode & 0o777).toBe(0o600);
    expect(statSync(path('node_key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['node_key', 'secret']);
    const again = open();
    expect(again.authorOf('ann')).toBe(first.authorOf('ann'));
    expect(again.nodeSeed).toEqual(first.nodeSeed);
    expect(Buffer.from(first.nodeSeed).toString('hex')).not.toBe(readFileSync(path('secret'), 'utf8').trim());
  });

  it('is one for all that start at the same moment', async () => {
    const children = Array.from({ length: 5 }, () =>
      spawn(process.execPath, [join(import.meta.dirname, 'programs', 'opener.ts'), folder], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
    const outputs = children.map((child) => createInterface({ input: child.stdout })[Symbol.asyncIterator]());
    for (const output of outputs) expect((await output.next()).value).toBe('ready');
    for (const child of children) child.stdin.write('go\n');
    const lines = await Promise.all(outputs.map(async (output) => String((await output.next()).value)));
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
    expect(new Set(lines).size).toBe(1);
    expect(lines[0]).toBe(`${Buffer.from(open().nodeSeed).toString('hex')} ${open().authorOf('ann')}`);
    expect(readdirSync(folder).toSorted()).toEqual(['node_key', 'secret']);
  });

  it('that others can read is refused with the command that mends it', () => {
    open();
    for (const mode of [0o644, 0o640, 0o604, 0o660]) {
      chmodSync(path('secret'), mode);
      expect(open).toThrow(refused(`mode 0${mode.toString(8)}`, `chmod 600 ${path('secret')}`));
    }
    chmodSync(path('secret'), 0o400);
    expect(open().authorOf('ann')).toMatch(/^[0-9a-f]{64}$/);
    chmodSync(path('node_key'), 0o644);
    expect(open).toThrow(refused('node_key', 'chmod 600'));
  });

  it('that was moved out of the directory only warns, and is never made', () => {
    const { authorOf } = open();
    chmodSync(path('secret'), 0o444);
    expect(open(true).authorOf('ann')).toBe(authorOf('ann'));
    expect(warnings).toEqual([`${path('secret')} can be read by others (mode 0444)`]);
    rmSync(path('secret'));
    expect(() => open(true)).toThrow(refused('cannot read the secret', 'WATS_SECRET_FILE'));
    expect(existsSync(path('secret'))).toBe(false);
  });

  it('that is damaged is refused, and left as it is', () => {
    const good = 'ab'.repeat(32);
    for (const text of [
      '',
      '\n',
      'ab'.repeat(31),
      `${good}ab`,
      `${good}zz`,
      `${good} x`,
      good.replace('a', 'g'),
      `0x${good.slice(2)}`,
    ]) {
      writeFileSync(path('secret'), text, { mode: 0o600 });
      expect(open, text).toThrow(refused('is not a wats secret', 'restore it from a backup'));
      expect(readFileSync(path('secret'), 'utf8')).toBe(text);
    }
  });

  it('is read with or without its newline', () => {
    writeFileSync(path('secret'), 'AB'.repeat(32), { mode: 0o600 });
    const { authorOf } = open();
    writeFileSync(path('secret'), `${'ab'.repeat(32)}\r\n`, { mode: 0o600 });
    expect(open().authorOf('ann')).toBe(authorOf('ann'));
  });

  it('that cannot be made or read is an error for people', () => {
    mkdirSync(path('secret'), { mode: 0o700 });
    expect(open).toThrow(refused('cannot read the secret', 'permissions'));
    rmSync(path('secret'), { recursive: true });
    const nowhere = { path: join(folder, 'no', 'secret'), moved: false };
    expect(() => openKeys({ secret: nowhere, nodeKey: nowhere }, () => {})).toThrow(
      refused('cannot make the secret', 'permissions'),
    );
  });
});

describe('signing', () => {
  const body = (author: string): PostBody => ({
    v: 1,
    space: 'open',
    author,
    ts: 5,
    kind: 'ask',
    root: null,
    parent: null,
    title: '',
    text: 'hello',
    tags: [],
  });

  it('gives posts that verify, for both forms of a name', () => {
    const keys = open();
    const author = keys.authorOf('Zoë');
    expect(keys.authorOf('Zoe\u0308')).toBe(author);
    expect(isAuthentic(keys.sign('Zoe\u0308', body(author)))).toBe(true);
    expect(keys.authorOf('zoë')).not.toBe(author);
    expect(keys.authorOf('Zoë ')).not.toBe(author);
  });

  it('signs for its own author only', () => {
    const keys = open();
    expect(() => keys.sign('bob', body(keys.authorOf('ann')))).toThrow('its own author');
  });

  it('refuses a name that is none', () => {
    for (const name of ['', '\ud83e'])
      expect(() => open().authorOf(name)).toThrow(expect.objectContaining({ code: 'setting' }));
  });
});
