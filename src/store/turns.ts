import type { Db } from './database.ts';
import { blob } from './rows.ts';

/** The condition of the partial index on threads: grafts and unresolved replies stand in no thread. */
export const IN_THREAD = "chain IN ('root', 'resolved')";

interface TurnRow {
  seq: number;
  author: Buffer;
}

/** Whether a post by this author that joins a thread at its end begins a turn. */
export function joiningTurn(db: Db): (thread: Buffer, author: Buffer) => boolean {
  const isAnothers = db
    .prepare<[Buffer, Buffer], number>(
      `SELECT author <> ? FROM posts WHERE thread = +? AND ${IN_THREAD} ORDER BY seq DESC LIMIT 1`,
    )
    .pluck();
  return (thread, author) => isAnothers.get(author, thread) !== 0;
}

/**
 * Keeps `begins_turn` ("the post before this one in its thread is by another author, or there is none") for a post
 * that joined its thread late, because its chain completed late: its own mark, and that of the next post, and of no
 * other. The cost does not depend on how long the turns are.
 */
export function turnKeeper(db: Db): (thread: Buffer, seq: number) => void {
  const at = db.prepare<[number], TurnRow>('SELECT seq, author FROM posts WHERE seq = ?');
  const before = db.prepare<[Buffer, number], TurnRow>(
    `SELECT seq, author FROM posts WHERE thread = +? AND ${IN_THREAD} AND seq < ? ORDER BY seq DESC LIMIT 1`,
  );
  const after = db.prepare<[Buffer, number], TurnRow>(
    `SELECT seq, author FROM posts WHERE thread = +? AND ${IN_THREAD} AND seq > ? ORDER BY seq LIMIT 1`,
  );
  const mark = db.prepare('UPDATE posts SET begins_turn = ? WHERE seq = ?');

  return (thread, seq) => {
    const row = at.get(seq);
    if (row === undefined) return;
    const previous = before.get(thread, seq);
    if (!previous?.author.equals(row.author)) mark.run(1, seq);
    const next = after.get(thread, seq);
    if (next !== undefined) mark.run(next.author.equals(row.author) ? 0 : 1, next.seq);
  };
}

/** Who posted a turn, and where it ends. */
export interface Turn {
  readonly seq: number;
  readonly author: string;
}

/**
 * The newest post of a thread before `seq`, by another author than `notAuthor` when that is given; grafts left out.
 * Three indexed look-ups at most, however many posts a turn has. This is the loop detector's only question.
 */
export function turnReader(db: Db): (thread: string, seq: number, notAuthor: string | null) => Turn | null {
  const before = db.prepare<[Buffer, number], TurnRow>(
    `SELECT seq, author FROM posts WHERE thread = +? AND ${IN_THREAD} AND seq < ? ORDER BY seq DESC LIMIT 1`,
  );
  const start = db.prepare<[Buffer, number], { seq: number }>(
    'SELECT seq FROM posts WHERE thread = +? AND begins_turn = 1 AND seq <= ? ORDER BY seq DESC LIMIT 1',
  );
  const toTurn = (row: TurnRow | undefined): Turn | null =>
    row === undefined ? null : { seq: row.seq, author: row.author.toString('hex') };

  return (thread, seq, notAuthor) => {
    const root = blob(thread);
    const newest = toTurn(before.get(root, seq));
    if (newest === null || newest.author !== notAuthor) return newest;
    const begin = start.get(root, newest.seq);
    // Before the first post of a turn stands the last one of the turn before it, which is another author's.
    return begin === undefined ? null : toTurn(before.get(root, begin.seq));
  };
}
