import { WatsError } from '../errors/index.ts';
import type { Db } from './database.ts';
import { blob, type PostRowSql, postColumns, type StoredPost, toStored } from './rows.ts';

/** Ids and keys are shortened to no fewer than 60 bits (design page 2). */
const SHORTEST_PREFIX = 15;

export interface Found {
  readonly posts: readonly StoredPost[];
  /** How many there are in all, or at least. */
  readonly total: number;
  /** There are more than `total`: nobody waits for a million posts to be counted. */
  readonly isMore: boolean;
}

/** Counting ends here; in a thread, which is one index, later. */
export const MOST_COUNTED = 1_000;
const MOST_THREAD = 10_000;

export function counted(found: number | undefined, most: number): Pick<Found, 'total' | 'isMore'> {
  return { total: Math.min(found ?? 0, most), isMore: (found ?? 0) > most };
}

interface InboxQuery {
  readonly author: Buffer;
  readonly after: number;
  readonly limit: number;
}

/** Reads of posts: by id, by thread, what is new for an author. */
export function postReader(db: Db) {
  const byId = db.prepare<[Buffer], PostRowSql>(`SELECT ${postColumns()} FROM posts WHERE id = ?`);
  const bySeq = db.prepare<[number], PostRowSql>(`SELECT ${postColumns()} FROM posts WHERE seq = ?`);
  const byPrefix = db.prepare<[Buffer, Buffer], PostRowSql>(
    `SELECT ${postColumns()} FROM posts WHERE id >= ? AND id <= ? ORDER BY posts.id LIMIT 2`,
  );
  const thread = db.prepare<[Buffer, number, number], PostRowSql>(
    `SELECT ${postColumns()} FROM posts WHERE thread = +? AND chain IN ('root', 'resolved') AND seq > ?
      ORDER BY seq LIMIT +?`,
  );
  const threadSize = db.prepare<[Buffer, number], { n: number }>(
    `SELECT count(*) AS n FROM (
       SELECT 1 FROM posts WHERE thread = +? AND chain IN ('root', 'resolved') LIMIT +?)`,
  );
  const after = db.prepare<[number, number], PostRowSql>(
    `SELECT ${postColumns()} FROM posts WHERE seq > ? ORDER BY seq LIMIT +?`,
  );
  const newest = db.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM posts');
  const newestRows = db.prepare<[number], PostRowSql>(
    `SELECT ${postColumns()} FROM posts ORDER BY seq DESC LIMIT +?`,
  );
  // An ask of others, and a reply of others to this author: each from its index in order, merged. A post can be both.
  const inboxSeqs = `
    SELECT seq FROM (SELECT seq FROM posts INDEXED BY posts_asks WHERE kind = 'ask' AND author <> @author AND seq > @after ORDER BY seq LIMIT +@limit)
    UNION
    SELECT seq FROM (SELECT seq FROM posts WHERE parent_author = +@author AND parent_author <> author AND seq > @after
                      ORDER BY seq LIMIT +@limit)`;
  const inbox = db.prepare<[InboxQuery], PostRowSql>(
    `SELECT ${postColumns('p')} FROM (${inboxSeqs} ORDER BY seq LIMIT +@limit) new JOIN posts p ON p.seq = new.seq ORDER BY new.seq`,
  );
  const inboxSize = db.prepare<[InboxQuery], { n: number }>(`SELECT count(*) AS n FROM (${inboxSeqs})`);
  const bytes = db.prepare<[], { n: number }>(
    'SELECT (SELECT page_count FROM pragma_page_count()) * (SELECT page_size FROM pragma_page_size()) AS n',
  );

  return {
    byId(id: string): StoredPost | null {
      const row = byId.get(blob(id));
      return row ? toStored(row) : null;
    },

    bySeq(seq: number): StoredPost | null {
      const row = bySeq.get(seq);
      return row ? toStored(row) : null;
    },

    /**
     * A post by its full id, or by a prefix of at least 15 hex digits that exactly one post matches.
     * @throws WatsError `usage`, `not_found`, `ambiguous`
     */
    find(idOrPrefix: string): StoredPost {
      const word = idOrPrefix.toLowerCase();
      if (!/^[0-9a-f]+$/.test(word) || word.length > 64 || word.length < SHORTEST_PREFIX) {
        throw new WatsError('usage', 'an id is 64 hex digits, or at least its first 15', {
          fix: 'copy the id as search, read or inbox print it',
        });
      }
      const rows = byPrefix.all(blob(word.padEnd(64, '0')), blob(word.padEnd(64, 'f')));
      const [row] = rows;
      if (row === undefined)
        throw new WatsError(
          'not_found',
          `no post starts with ${word.slice(0, SHORTEST_PREFIX)} on this node`,
        );
      if (rows.length > 1)
        throw new WatsError('ambiguous', `several posts start with ${word}`, { fix: 'give more digits' });
      return toStored(row);
    },

    /** A thread in arrival order, grafts left out, after a seq. */
    thread(root: string, afterSeq: number, limit: number): Found {
      return {
        posts: thread.all(blob(root), afterSeq, limit).map(toStored),
        ...counted(threadSize.get(blob(root), MOST_THREAD + 1)?.n, MOST_THREAD),
      };
    },

    /** Posts after a seq, oldest first: what the waking step and followers read. */
    after(seq: number, limit: number): StoredPost[] {
      return after.all(seq, limit).map(toStored);
    },

    newest(limit: number): StoredPost[] {
      return newestRows.all(limit).map(toStored);
    },

    newestSeq(): number {
      return newest.get()?.seq ?? 0;
    },

    /** Posts are never deleted, so that the newest seq is their number. */
    count(): number {
      return newest.get()?.seq ?? 0;
    },

    /** Asks of others, and replies of others to this author's posts, after a seq, oldest first. */
    inbox(author: string, afterSeq: number, limit: number): Found {
      const query = { author: blob(author), after: afterSeq };
      return {
        posts: inbox.all({ ...query, limit }).map(toStored),
        ...counted(inboxSize.get({ ...query, limit: MOST_COUNTED + 1 })?.n, MOST_COUNTED),
      };
    },

    /** Size of the database in bytes, for `store.max_bytes`. */
    bytes(): number {
      return bytes.get()?.n ?? 0;
    },
  };
}
