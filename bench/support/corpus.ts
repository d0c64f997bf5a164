import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openStore, type Store } from '../../src/store/index.ts';
import { whole } from './measure.ts';
import { hex, seeded, unsignedPosts } from './posts.ts';
import type { Bench } from './row.ts';

/** Authors of a corpus, whatever its size: a longer history is one of the same people. */
const AUTHORS = 400;
/** Posts of a thread. */
const THREAD = 100;
/** Posts of one transaction, and of one step of the search index. */
const CHUNK = 20_000;
/** Raised when what is in a corpus changes. */
const VERSION = 3;

/**
 * A database of so many posts of 1 KB in threads of 100, filled through the store's own `append` without signatures. It
 * is built once and kept, under a name that changes with the schema.
 */
export async function corpus(bench: Bench, posts: number): Promise<string> {
  const path = join(bench.kept, `posts-${posts}-${schemaOf(bench)}.db`);
  if (existsSync(path)) return path;
  // In the directory of this row until it is whole: an interrupted build leaves nothing.
  const fresh = join(bench.scratch, `posts-${posts}.db`);
  const from = performance.now();
  const store = openStore(fresh);
  await fill(store, posts, (done) => bench.say(`building ${whole(posts)} posts, once: ${whole(done)}`));
  store.close();
  // Those of other schemas: nobody would ask for them again.
  for (const name of readdirSync(bench.kept))
    if (name.startsWith(`posts-${posts}-`)) rmSync(join(bench.kept, name), { force: true });
  renameSync(fresh, path);
  const seconds = (performance.now() - from) / 1_000;
  bench.say(`built in ${seconds.toFixed(0)} s: ${whole(statSync(path).size / 2 ** 20)} MB`);
  return path;
}

async function fill(store: Store, posts: number, told: (done: number) => void): Promise<void> {
  const random = seeded(7);
  const authors = Array.from({ length: AUTHORS }, () => hex(random, 32));
  const to = Math.floor(Date.now() / 1_000);
  const stream = { posts, authors: AUTHORS, thread: THREAD, from: to - 390 * 86_400, to };
  const drawn = unsignedPosts(random, authors, stream);
  for (let done = 0; done < posts; ) {
    store.atomically(() => {
      for (let n = 0; n < CHUNK; n++) {
        const next = drawn.next();
        if (next.done) return;
        store.append(next.value, next.value.ts * 1_000, 'peer');
        done += 1;
      }
    });
    while (store.feedSearch(CHUNK)) {}
    if (done % 100_000 === 0 || done === posts) told(done);
  }
}

/** A short name of today's schema: a database of another one is not today's. */
function schemaOf(bench: Bench): string {
  const path = join(bench.scratch, 'schema.db');
  openStore(path).close();
  const db = new Database(path, { readonly: true });
  const tables = db.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY name').all();
  db.close();
  return createHash('sha256')
    .update(JSON.stringify([VERSION, tables]))
    .digest('hex')
    .slice(0, 8);
}
