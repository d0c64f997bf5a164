import type { Db } from './database.ts';
import { isIndexDamage } from './failures.ts';
import { partsReader } from './search-parts.ts';

const CURSOR = 'fts_cursor';

/**
 * By itself FTS5 merges the parts of its index inside whatever commit comes next: up to 100 ms of work at a million
 * posts. `automerge` 0 turns that off; {@link searchFeeder} merges a few pages in every step instead.
 * `usermerge`: so many parts of about one size make one of the next. `crisismerge`: at so many, FTS5 merges them at
 * once all the same; the feeder lets it never come to that.
 */
const OWN_MERGES = { automerge: 0, usermerge: 8, crisismerge: 1_000 } as const;

/**
 * Parts of so many pages together (some 100,000 posts) are not merged any more, however many they are. FTS5 stops only
 * between two words, and a word that is in every post takes 11 ms to merge out of so many pages, 19 ms out of twice as
 * many. A search looks into each part, so it is slower for it: a million posts come to ten to eighty, by how they grew.
 */
const LARGEST = 16_000;

/**
 * Pages to merge in a step of so many posts. A post of 1 KB is 0.15 pages of the index, and is merged four or five
 * times on its way into a large part. What a step of one post leaves is a part of one page.
 */
const pagesFor = (posts: number): number => 10 + Math.ceil(posts * 0.8);

/**
 * Feeds the search index behind the posts, a bounded step at a time. Answers whether more is waiting. An index that
 * is damaged is emptied and fed again from the first post.
 */
export function searchFeeder(db: Db): (limit: number) => boolean {
  const cursor = db.prepare<[], { value: string }>(`SELECT value FROM meta WHERE key = '${CURSOR}'`);
  const setCursor = db.prepare(
    `INSERT INTO meta (key, value) VALUES ('${CURSOR}', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  const rows = db.prepare<[number, number], { seq: number; title: string; text: string }>(
    'SELECT seq, title, text FROM posts WHERE seq > ? ORDER BY seq LIMIT +?',
  );
  const insert = db.prepare('INSERT INTO posts_fts (rowid, title, text) VALUES (?, ?, ?)');
  const merge = db.prepare("INSERT INTO posts_fts (posts_fts, rank) VALUES ('merge', ?)");
  const nextParts = partsReader(db, OWN_MERGES.usermerge);
  const setting = db.prepare<[string], { v: number }>('SELECT v FROM posts_fts_config WHERE k = ?');
  // A number of JavaScript is REAL to SQLite, which is no setting.
  const set = db.prepare('INSERT INTO posts_fts (posts_fts, rank) VALUES (?, CAST(? AS INTEGER))');

  /** Kept in the index itself, so it is written once in the life of a database. */
  function takeOverMerges(): void {
    for (const [name, value] of Object.entries(OWN_MERGES))
      if (setting.get(name)?.v !== value) set.run(name, value);
  }

  function mergeSome(pages: number): void {
    const parts = nextParts();
    const size = parts.reduce((sum, each) => sum + each, 0);
    // No more than there is: FTS5 would go on with another size, and begin to merge what is large.
    if (parts.length > 0 && size < LARGEST) merge.run(Math.min(pages, size));
  }

  return (limit) => {
    const batch = rows.all(Number(cursor.get()?.value ?? 0), limit);
    const last = batch.at(-1);
    if (last === undefined) return false;
    try {
      db.transaction(() => {
        takeOverMerges();
        for (const row of batch) insert.run(row.seq, row.title, row.text);
        setCursor.run(String(last.seq));
        mergeSome(pagesFor(batch.length));
      })();
    } catch (error) {
      if (!isIndexDamage(error)) throw error;
      emptyIndex(db);
      return true;
    }
    return batch.length === limit;
  };
}

/** Empties the index; {@link searchFeeder} then feeds it from the first post on. */
export function emptyIndex(db: Db): void {
  db.transaction(() => {
    db.exec("INSERT INTO posts_fts (posts_fts) VALUES ('delete-all')");
    db.prepare('DELETE FROM meta WHERE key = ?').run(CURSOR);
  })();
}
