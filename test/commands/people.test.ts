import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { nodeIdOf } from '../../src/sync/index.ts';
import { cellWidth } from '../../src/text/index.ts';
import { dataDirectory, type RunningNode, startNode, wats, watsJson } from '../support/node.ts';
import { Pty } from '../support/pty.ts';

interface Posted {
  readonly id: string;
}
interface Described {
  readonly id: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly seq: number;
}
interface Read {
  readonly post: Described;
  readonly thread: { readonly total: number; readonly posts: readonly Described[] };
}

const place = dataDirectory('profile = "a-person-with-a-long-name"\n');
const { dir } = place;
let node: RunningNode;
beforeAll(async () => {
  node = await startNode(dir);
});
afterAll(async () => {
  node.kill('SIGTERM');
  await node.ended;
  place.remove();
});

const read = (id: string): Promise<Read> => watsJson<Read>(['read', id], { dir });
const idOf = (printed: string): string => /[0-9a-f]{64}/.exec(printed)?.[0] ?? '';

describe('a text', () => {
  test('comes from the words, and its title, tags and kind from flags', async () => {
    const { id } = await watsJson<Posted>(
      ['post', '--kind', 'offer', '--title', 'Help', '--tag', 'cap:sqlite', '--tag', 'free', 'I', 'can help'],
      { dir },
    );
    expect((await read(id)).post).toMatchObject({
      kind: 'offer',
      title: 'Help',
      text: 'I can help',
      tags: ['cap:sqlite', 'free'],
      parent: null,
    });
  });

  test.each([[[]], [['-']]])(
    'comes from stdin with the words %j, as it is but for the last newline',
    async (words) => {
      const text = '  indented\n\n"quotes" $HOME `x` 漢字\n';
      const { code, stdout } = await wats(['ask', ...words], { dir, input: text });
      expect(code).toBe(0);
      expect((await read(idOf(stdout))).post).toMatchObject({ kind: 'ask', text: text.slice(0, -1) });
    },
  );

  test('comes from the editor at a terminal, out of a file that only its owner reads and that is gone after it', async () => {
    const editor = join(dirname(dir), 'editor.sh');
    const seen = join(dirname(dir), 'seen');
    writeFileSync(
      editor,
      `#!/bin/sh\n{ stat -c %a "$2"; echo "$1"; echo "$2"; } > '${seen}'\nprintf 'Written in\\nan editor\\n' > "$2"\n`,
    );
    chmodSync(editor, 0o755);
    const pty = new Pty(['ask', '--dir', dir], {
      columns: 80,
      rows: 24,
      env: { EDITOR: `${editor} --wait` },
    });
    onTestFinished(() => pty.close());
    expect(await pty.ended).toBe(0);
    const [newest] = (await watsJson<{ posts: Described[] }>(['search', '--limit', '1'], { dir })).posts;
    expect(newest?.text).toBe('Written in\nan editor');
    const [mode, flag, path = ''] = readFileSync(seen, 'utf8').split('\n');
    expect([mode, flag]).toEqual(['600', '--wait']);
    expect(existsSync(dirname(path))).toBe(false);
  });

  test.each([
    ['nothing on stdin', '', ['ask'], 'there is no text', 2],
    ['only white space', ' \n\n', ['ask'], 'there is no text', 2],
    ['what is over the limit, with both sizes', 'é'.repeat(8_193), ['ask'], '16384', 1],
    ['a reply to a post that is not here', 'x', ['reply', '0'.repeat(64)], 'no post', 1],
    ['a short start of an id', 'x', ['reply', 'abc'], '15', 2],
    ['a kind that is no kind, with the nearest', 'x', ['post', '--kind', 'anwser'], 'answer', 2],
    ['a kind of guardians', 'x', ['post', '--kind', 'halt'], 'halt', 2],
  ])('is refused when there is %s', async (_, input, words, says, code) => {
    const before = (await watsJson<{ total: number }>(['search'], { dir })).total;
    const refused = await wats(words, { dir, input });
    expect(refused).toMatchObject({ stdout: '', stderr: expect.stringContaining(says) });
    expect(refused.code).toBe(code);
    expect(refused.stderr).not.toMatch(/\n\s+at /);
    expect((await watsJson<{ total: number }>(['search'], { dir })).total).toBe(before);
  });
});

test('a thread is read by the start of an id, a page at a time, in the order of arrival', async () => {
  const { id } = await watsJson<Posted>(['ask', 'Which one?'], { dir });
  const replies: string[] = [];
  for (const kind of ['clarify', 'answer', 'react'])
    replies.push(
      (await watsJson<Posted>(['reply', id.slice(0, 15), '--kind', kind, `a ${kind}`], { dir })).id,
    );
  const all = await read(id.slice(0, 15));
  expect(all.thread.posts.map((post) => post.id)).toEqual([id, ...replies]);
  const first = await watsJson<Read>(['read', id, '--limit', '2'], { dir });
  expect(first.thread).toMatchObject({ total: 4, posts: [{ id }, { id: replies[0] }] });
  const rest = await watsJson<Read>(['read', id, '--after', String(first.thread.posts[1]?.seq)], { dir });
  expect(rest.thread.posts.map((post) => post.id)).toEqual(replies.slice(1));
  const shown = await wats(['read', id, '--limit', '2'], { dir });
  expect(shown.stdout).toContain(`2 of 4; more with --after ${first.thread.posts[1]?.seq}`);
});

describe('everything that is printed', () => {
  const LONG = `${'wide 漢字 words and '.repeat(20)}${'x'.repeat(120)} \u202ereversed\u0000`.replaceAll(
    '\0',
    '',
  );

  beforeAll(async () => {
    const { id } = await watsJson<Posted>(
      ['ask', '--title', 'A title 漢字 '.repeat(12), '--tag', 't'.repeat(64), LONG],
      {
        dir,
      },
    );
    await watsJson(['reply', id, 'short'], { dir });
    const address = `/ip4/127.0.0.1/tcp/9/p2p/${nodeIdOf(randomBytes(32))}`;
    await watsJson(['peer', 'add', address], { dir });
  });

  test.each([[['search']], [['search', 'wide']], [['profile', 'list']], [['peer', 'list']], [['status']]])(
    'by %j fits 80 columns, also in a pipe',
    async (words) => {
      const { code, stdout } = await wats(words, { dir });
      expect(code).toBe(0);
      for (const line of stdout.split('\n')) expect([line, cellWidth(line) <= 80]).toEqual([line, true]);
      expect(stdout).not.toContain('\u202e');
    },
  );

  test('of a thread is wrapped at a terminal of 80 columns between words, and one line a line in a pipe', async () => {
    const [newest] = (await watsJson<{ posts: Described[] }>(['search', 'wide'], { dir })).posts;
    const words = ['read', newest?.id ?? ''];
    const pty = new Pty([...words, '--dir', dir], { columns: 80, rows: 50 });
    onTestFinished(() => pty.close());
    expect(await pty.ended).toBe(0);
    const rows = (await pty.text()).split('\n');
    expect(rows.filter((row) => row.startsWith('  wide')).length).toBeGreaterThan(0);
    for (const row of rows)
      expect([row, row === '' || /^( {2}|[0-9a-f]{15} )/.test(row)]).toEqual([row, true]);
    const piped = await wats(words, { dir });
    expect(piped.stdout.split('\n').filter((line) => line.includes('wide 漢字 words'))).toHaveLength(1);
    expect(piped.stdout).not.toContain('\u202e');
  });

  test.each([
    [['search']],
    [['inbox']],
    [['status']],
    [['profile', 'list']],
    [['peer', 'list']],
    [['config', 'list']],
    [['guardian', 'list']],
    [['agent', 'pending']],
    [['agent', 'runs']],
  ])('by %j is one line of JSON with --json, and nothing besides', async (words) => {
    const { code, stdout } = await wats([...words, '--json'], { dir });
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(() => JSON.parse(stdout)).not.toThrow();
  });
});
