import { WatsError } from '../errors/index.ts';
import type { Db } from './database.ts';
import { isIndexDamage } from './failures.ts';
import { counted, type Found, MOST_COUNTED } from './posts.ts';
import { blob, type PostRowSql, toStored } from './rows.ts';

export interface SearchQuery {
  /** Words, all of which must occur; never a query language. Empty: every post, newest first. */
  readonly text: string;
  readonly kinds: readonly string[];
  readonly author: string | null;
  /** Seconds since the epoch. */
  readonly since: number | null;
  readonly offset: number;
  readonly limit: number;
}

/** Each word quoted, so that nothing a person or a model writes is an operator of FTS5. */
export function matchExpression(text: string): string {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
}

/**
 * Full-text search over title and text. The index is fed behind the posts; {@link searchFeeder} keeps it current.
 * The total is counted a thousand past the page at most.
 */
export function searcher(db: Db) {
  return function search(query: SearchQuery): Found {
    try {
      return look(query);
    } catch (error) {
      if (!isIndexDamage(error)) throw error;
      emptyIndex(db);
      throw new WatsError('storage', 'the search index was damaged and is being made again', {
        fix: 'search again in a few minutes; no post was lost',
        cause: error,
      });
    }
  };

  function look(query: SearchQuery): Found {
    const where: string[] = [];
    const values: (string | number | Buffer)[] = [];
    const match = matchExpression(query.text);
    if (query.text.trim() !== '' && match === '') return { posts: [], total: 0, isMore: false };
    if (match !== '') {
      where.push('posts_fts MATCH ?');
      values.push(match);
    }
    if (query.kinds.length > 0) {
      where.push(`p.kind IN (${query.kinds.map(() => '?').join(', ')})`);
      values.push(...query.kinds);
    }
    if (query.author !== null) {
      where.push('p.author = ?');
      values.push(blob(query.author));
    }
    if (query.since !== null) {
      where.push('p.ts >= ?');
      values.push(query.since);
    }
    const from = match === '' ? 'posts p' : 'posts_fts JOIN posts p ON p.seq = posts_fts.rowid';
    const condition = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
    // Newest first beats relevance for a stream of posts, and lets FTS5 walk rowids backwards without sorting.
    const order = match === '' ? 'p.seq DESC' : 'posts_fts.rowid DESC';
    const rows = db
      .prepare<unknown[], PostRowSql>(
        `SELECT p.* FROM ${from} ${condition} ORDER BY ${order} LIMIT ? OFFSET ?`,
      )
      .all(...values, query.limit, query.offset);
    const most = query.offset + query.limit + MOST_COUNTED;
    const found = db
      .prepare<unknown[], { n: number }>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM ${from} ${condition} LIMIT ?)`,
      )
      .get(...values, most + 1);
    return { posts: rows.map(toStored), ...counted(found?.n, most) };
  }
}

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
    'SELECT seq, title, text FROM posts WHERE seq > ? ORDER BY seq LIMIT ?',
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
function emptyIndex(db: Db): void {
  db.transaction(() => {
    db.exec("INSERT INTO posts_fts (posts_fts) VALUES ('delete-all')");
    db.prepare('DELETE FROM meta WHERE key = ?').run(CURSOR);
  })();
}
