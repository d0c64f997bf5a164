import { globSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataDirectory, eventually, type RunningNode, startNode, wats, watsJson } from '../support/node.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The lines of every `sh` block of a page that begin with wats, without their comments. */
function commandsOf(page: string): string[] {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g);
  return [...blocks]
    .flatMap(([, body = '']) => body.split('\n'))
    .map((line) =>
      line
        .replace(/\s+#.*$/, '')
        .replace(/^npm start -- ?/, 'wats ')
        .trim(),
    )
    .filter((line) => /^wats( |$)/.test(line));
}

/** A line of a page as words, quotes taken off. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? '')
    .slice(1);
}

const pages = ['README.md', ...globSync('docs/*.md', { cwd: ROOT })].sort();
const lines = pages.flatMap((page) => commandsOf(page).map((line) => ({ page, line })));

const place = dataDirectory(
  'profile = "me"\n[agent]\nruntime = "command"\ncommand = ["/bin/true"]\nevery = "0s"\n',
);
const other = dataDirectory('profile = "you"\n');
let node: RunningNode;
let otherNode: RunningNode;
/** What stands for a capital word of the pages. */
const stands = new Map<string, string>();

beforeAll(async () => {
  node = await startNode(place.dir);
  otherNode = await startNode(other.dir);
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: place.dir });
  const { id } = await watsJson<{ id: string }>(['ask', 'first'], { dir: place.dir });
  await eventually(
    async () => (await watsJson<{ total: number }>(['search'], { dir: place.dir })).total === 1,
  );
  stands
    .set('ID', id)
    .set('INVITE', invite)
    .set('NEW', join(place.dir, '..', 'new'))
    .set('wats.backup', join(place.dir, '..', 'wats.backup'));
});
afterAll(async () => {
  for (const running of [node, otherNode]) {
    running.kill('SIGTERM');
    await running.ended;
  }
  place.remove();
  other.remove();
  rmSync(join(place.dir, '..', 'new'), { recursive: true, force: true });
});

test('the pages show commands at all', () => {
  expect(lines.length).toBeGreaterThan(8);
});

/** Commands that need what a test here does not have: a terminal, a real program, a draft. Their help must know them. */
const ONLY_HELP = [/--agent (claude|codex)/, /^agent approve/, /^agent attach/, /^setup/, /--dir NEW$/];

test.each(lines)('$page: $line', async ({ line }) => {
  const words = wordsOf(line).map((word) => stands.get(word) ?? word);
  const plain = wordsOf(line).join(' ');
  if (ONLY_HELP.some((pattern) => pattern.test(plain)) && !plain.startsWith('restore')) {
    const { code, stdout } = await wats([
      ...wordsOf(line.replace(' --dir NEW', '')).filter((word) => !/^[A-Z]+$/.test(word)),
      '--help',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: wats');
    return;
  }
  // The other node is the one that joins.
  const dir = plain.startsWith('peer join') ? other.dir : place.dir;
  const { code, stderr } = await wats(words, words.includes('--dir') ? {} : { dir });
  expect(stderr).not.toContain('wats: there is no');
  expect(code, stderr).toBe(0);
});

test('every command of wats --help has a help of its own, with its usage', async () => {
  const { stdout } = await wats(['--help']);
  const names = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names.filter((each) => each !== 'mcp')) {
    const help = await wats([...name.split(' '), '--help']);
    expect(help.code, name).toBe(0);
    expect(help.stdout, name).toMatch(/^Usage: wats /);
    for (const line of help.stdout.split('\n').filter((each) => each.startsWith('Usage:')))
      expect(line.length).toBeLessThan(120);
  }
});

test('what the pages name exists: links and files', () => {
  for (const page of pages) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      const path = join(ROOT, page, '..', link);
      expect(globSync(path.replace(/\/$/, '')).length, `${page} → ${link}`).toBe(1);
    }
  }
});
