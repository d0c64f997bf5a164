import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import {
  createReaderThread,
  type ReaderThread,
  type SearchQuery,
  settleSuspicion,
} from '../../src/store/index.ts';
import { eventually } from '../support/node.ts';
import { ANN, BOB, NOW, post, put, tempFolder, tempStore } from './support.ts';

const QUERY: SearchQuery = { text: '', kinds: [], author: null, since: null, offset: 0, limit: 10 };

const threads: ReaderThread[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close();
});

function reader(path: string, more: Partial<Parameters<typeof createReaderThread>[0]> = {}): ReaderThread {
  const thread = createReaderThread({ path, ...more });
  threads.push(thread);
  return thread;
}

function filled(count = 12) {
  const path = join(tempFolder(), 'wats.db');
  const store = tempStore(path);
  put(
    store,
    ...Array.from({ length: count }, (_, n) => post({ text: `word ${n}`, author: n % 3 ? ANN : BOB })),
  );
  while (store.feedSearch(5_000));
  return { path, store };
}

test('a search on the thread gives what one on the writer’s own connection gives, also of posts that came in since', async () => {
  const { path, store } = filled();
  const thread = reader(path);
  const queries: Partial<SearchQuery>[] = [
    { text: 'word', limit: 3 },
    { text: 'word 7' },
    { author: BOB },
    { kinds: ['ask'] },
    {},
  ];
  for (const query of queries)
    expect(await thread.search({ ...QUERY, ...query })).toEqual(store.search({ ...QUERY, ...query }));
  const late = post({ text: 'word of later' });
  put(store, late);
  store.feedSearch(10);
  const { posts } = await thread.search({ ...QUERY, text: 'later' });
  expect(posts.map((each) => each.post.id)).toEqual([late.id]);
});

test('the thread is started by the first search, answers several at once, and ends when it has had nothing to do', async () => {
  const { path } = filled();
  const thread = reader(path, { idleMs: 20 });
  expect(thread.isRunning()).toBe(false);
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) => thread.search({ ...QUERY, text: `word ${n % 12}` })),
  );
  expect(all.map(({ total }) => total)).toEqual(Array(20).fill(1));
  await eventually(() => !thread.isRunning());
  expect((await thread.search(QUERY)).total).toBe(12);
});

test('a search of a database that is not there says so, and the thread goes on', async () => {
  const path = join(tempFolder(), 'wats.db');
  const thread = reader(path);
  await expect(thread.search(QUERY)).rejects.toMatchObject({ name: 'WatsError', code: 'directory' });
  const store = tempStore(path);
  put(store, post());
  expect((await thread.search(QUERY)).total).toBe(1);
});

test('a thread that dies fails its searches with what to do, tells of it, and the next search starts another', async () => {
  const { path } = filled();
  const script = join(tempFolder(), 'dying.mjs');
  const there = join(tempFolder(), 'fixed');
  const worker = new URL('../../src/store/reading/worker.ts', import.meta.url);
  writeFileSync(
    script,
    `import { existsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
if (existsSync(${JSON.stringify(there)})) await import(${JSON.stringify(worker.href)});
else parentPort.on('message', () => process.exit(7));`,
  );
  const faults: unknown[] = [];
  const thread = reader(path, { script: pathToFileURL(script), onFault: (error) => faults.push(error) });
  const both = await Promise.allSettled([thread.search(QUERY), thread.search(QUERY)]);
  for (const each of both)
    expect(each).toMatchObject({
      status: 'rejected',
      reason: { name: 'WatsError', code: 'failed', fix: expect.stringContaining('once more') },
    });
  expect(faults).toHaveLength(1);
  writeFileSync(there, '');
  expect((await thread.search(QUERY)).total).toBe(12);
});

test('closing ends what is under way with an error and lets nothing start again', async () => {
  const { path } = filled();
  const thread = reader(path);
  const going = expect(thread.search(QUERY)).rejects.toMatchObject({ code: 'failed' });
  await thread.close();
  await going;
  await expect(thread.search(QUERY)).rejects.toMatchObject({ code: 'failed' });
  expect(thread.isRunning()).toBe(false);
});

test('a damaged search index is found on the thread and made again by the writer', async () => {
  const { path, store } = filled();
  store.close();
  const db = new Database(path);
  db.unsafeMode(true).exec("UPDATE posts_fts_data SET block = x'00112233' WHERE id > 10");
  db.close();
  const again = tempStore(path);
  const thread = reader(path, { onIndexDamage: () => again.emptySearch() });
  await expect(thread.search({ ...QUERY, text: 'word' })).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringContaining('search index'),
  });
  while (again.feedSearch(5_000));
  expect((await thread.search({ ...QUERY, text: 'word' })).total).toBe(12);
});

test('a copy is whole and of one moment, while posts keep coming in', async () => {
  const { path, store } = filled(400);
  const target = join(tempFolder(), 'copy.db');
  const thread = reader(path);
  let isCopied = false;
  const copied = thread.copy(target).finally(() => {
    isCopied = true;
  });
  while (!isCopied) {
    put(store, post({ text: 'more' }), post({ text: 'more' }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await copied;
  const copy = new Database(target, { readonly: true });
  const { n } = copy.prepare<[], { n: number }>('SELECT count(*) AS n FROM posts').get() ?? { n: 0 };
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  copy.close();
  expect(n).toBeGreaterThanOrEqual(400);
  expect(n % 2).toBe(0); // two a transaction: never half of one
});

test('of a database that was found damaged in use, the thread says whether it is: a sound one stays, a damaged one is set aside', async () => {
  const { path, store } = filled(400);
  store.close();
  const thread = reader(path);
  const note = `${path}.suspect`;

  writeFileSync(note, '');
  await settleSuspicion(path, NOW, thread.check);
  expect(existsSync(note)).toBe(false);
  expect(existsSync(path)).toBe(true);

  const size = statSync(path).size;
  const bytes = Buffer.alloc(size - 8_192, 0xa5);
  writeFileSync(path, bytes, { flag: 'r+' });
  writeFileSync(note, '');
  await settleSuspicion(path, NOW, thread.check);
  expect(existsSync(path)).toBe(false);
  expect(existsSync(note)).toBe(false);
  expect(existsSync(`${path}.damaged-2027-01-15T080000Z`)).toBe(true);

  const fresh = tempStore(path);
  expect(fresh.rebuilt).toBe(true);
  fresh.close();
  rmSync(path);
  await settleSuspicion(path, NOW, () => Promise.reject(new Error('nothing is there to look at')));
});

test('the thread moves the log into the database file, and nobody waits for what is still being read', async () => {
  const { path, store } = filled();
  const thread = reader(path);
  const old = new Database(path, { readonly: true });
  old.exec('BEGIN');
  expect(old.prepare('SELECT count(*) FROM posts').pluck().get()).toBe(12);
  put(store, post({ text: 'late' }));
  const before = store.logState();
  expect(before.waiting).toBe(before.pages);
  await thread.checkpoint();
  const { waiting } = store.logState();
  expect(waiting).toBeGreaterThan(0);
  expect(waiting).toBeLessThan(before.waiting);
  old.exec('COMMIT');
  old.close();
  await thread.checkpoint();
  expect(store.logState().waiting).toBe(0);
  // The next write begins the log anew.
  put(store, post());
  expect(store.logState().pages).toBeLessThan(before.pages);
  expect(store.posts.count()).toBe(14);
});

test('a log that cannot be moved is an error with its code', async () => {
  const thread = reader(join(tempFolder(), 'none.db'));
  await expect(thread.checkpoint()).rejects.toMatchObject({ code: 'storage' });
});
