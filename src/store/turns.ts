import type { Db } from './database.ts';
import { blob } from './rows.ts';

/** The condition of the partial index on threads: grafts and unresolved replies stand in no thread. */
const IN_THREAD = "chain IN ('root', 'resolved')";

interface TurnRow {
  seq: number;
  author: Buffer;
  prev_other: number | null;
}

/**
 * Keeps `prev_other` ("the newest earlier post of this thread by another author") for a post that joined its thread.
 * A post that joins late, because its chain completed late, changes the value of posts after it only until the
 * recurrence gives what is stored already.
 */
export function turnKeeper(db: Db): (thread: Buffer, seq: number) => void {
  const at = db.prepare<[number], TurnRow>('SELECT seq, author, prev_other FROM posts WHERE seq = ?');
  const before = db.prepare<[Buffer, number], TurnRow>(
    `SELECT seq, author, prev_other FROM posts WHERE thread = ? AND ${IN_THREAD} AND seq < ? ORDER BY seq DESC LIMIT 1`,
  );
  const after = db.prepare<[Buffer, number], TurnRow>(
    `SELECT seq, author, prev_other FROM posts WHERE thread = ? AND ${IN_THREAD} AND seq > ? ORDER BY seq LIMIT 1`,
  );
  const set = db.prepare('UPDATE posts SET prev_other = ? WHERE seq = ?');

  const previousOther = (row: TurnRow, previous: TurnRow | undefined): number | null => {
    if (previous === undefined) return null;
    return previous.author.equals(row.author) ? previous.prev_other : previous.seq;
  };

  return (thread, seq) => {
    let row = at.get(seq);
    let previous = before.get(thread, seq);
    while (row !== undefined) {
      const value = previousOther(row, previous);
      if (row.seq !== seq && value === row.prev_other) return;
      set.run(value, row.seq);
      previous = { ...row, prev_other: value };
      row = after.get(thread, row.seq);
    }
  };
}

/** Who posted a turn, and where it ends. */
export interface Turn {
  readonly seq: number;
  readonly author: string;
}

/**
 * The newest post of a thread before `seq`, by another author than `notAuthor` when that is given; grafts left out.
 * Two indexed look-ups, however many posts a turn has. This is the loop detector's only question.
 */
export function turnReader(db: Db): (thread: string, seq: number, notAuthor: string | null) => Turn | null {
  const before = db.prepare<[Buffer, number], TurnRow>(
    `SELECT seq, author, prev_other FROM posts WHERE thread = ? AND ${IN_THREAD} AND seq < ? ORDER BY seq DESC LIMIT 1`,
  );
  const at = db.prepare<[number], { seq: number; author: Buffer }>(
    'SELECT seq, author FROM posts WHERE seq = ?',
  );
  return (thread, seq, notAuthor) => {
    const newest = before.get(blob(thread), seq);
    if (newest === undefined) return null;
    const author = newest.author.toString('hex');
    if (author !== notAuthor) return { seq: newest.seq, author };
    const other = newest.prev_other === null ? undefined : at.get(newest.prev_other);
    return other === undefined ? null : { seq: other.seq, author: other.author.toString('hex') };
  };
}
