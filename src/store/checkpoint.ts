import Database from 'better-sqlite3';
import type { Db } from './database.ts';
import { asStorageError } from './failures.ts';

/** What is in the write-ahead log, in pages of 4 KiB. */
export interface LogState {
  readonly pages: number;
  /** Of those, what is not in the database file yet. With none, the next write begins the log anew. */
  readonly waiting: number;
}

interface PragmaRow {
  readonly log: number;
  readonly checkpointed: number;
}

/** How long the log is, without doing anything about it. */
export function logState(db: Db): LogState {
  return stateOf(db, 'NOOP');
}

/**
 * Moves the log into the database file as far as it can without waiting for anybody. It is made for another thread
 * than the writer's: at a million posts, some 250 posts are 1,000 pages all over the file, which take 30 ms to move.
 * The writer goes on meanwhile.
 *
 * @throws WatsError `storage`, `directory`
 */
export function checkpoint(path: string): LogState {
  try {
    const db = new Database(path, { fileMustExist: true });
    try {
      // As the writer has it: the log is on the disk before the file is written to, the file before the log is reused.
      db.pragma('synchronous = FULL');
      return stateOf(db, 'PASSIVE');
    } finally {
      db.close();
    }
  } catch (error) {
    throw asStorageError(error, path);
  }
}

function stateOf(db: Db, mode: 'NOOP' | 'PASSIVE'): LogState {
  const [row] = db.pragma(`wal_checkpoint(${mode})`) as [PragmaRow];
  // -1 where there is no log.
  const pages = Math.max(0, row.log);
  return { pages, waiting: pages - Math.max(0, row.checkpointed) };
}
