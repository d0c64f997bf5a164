import type { Db } from './database.ts';
import { isIndexDamage } from './failures.ts';

const CURSOR = 'fts_cursor';

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
  return (limit) => {
    const batch = rows.all(Number(cursor.get()?.value ?? 0), limit);
    const last = batch.at(-1);
    if (last === undefined) return false;
    try {
      db.transaction(() => {
        for (const row of batch) insert.run(row.seq, row.title, row.text);
        setCursor.run(String(last.seq));
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
