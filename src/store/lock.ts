import Database from 'better-sqlite3';
import { WatsError } from '../errors/index.ts';
import { asStorageError } from './failures.ts';
import { makeOwnFile } from './own-file.ts';

/**
 * How long a start waits for the lock. Of several that start at the same moment each may be in the way of the
 * others for an instant; without waiting, all of them could be refused.
 */
const WAIT_MS = 300;

/**
 * Holds a data directory for one daemon: an exclusive SQLite transaction in `lock.db`, freed by the kernel when the
 * process ends, however it ends.
 *
 * @throws WatsError `already_running` when another daemon holds it
 */
export function acquireLock(path: string): { release: () => void } {
  let db: Database.Database | undefined;
  try {
    makeOwnFile(path);
    db = new Database(path, { timeout: WAIT_MS });
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
      throw new WatsError('already_running', 'another wats daemon runs on this data directory', {
        fix: 'use it with "wats agent attach", stop it, or give this one another directory with --dir',
        cause: error,
      });
    }
    throw asStorageError(error, path);
  }
  const held = db;
  return {
    release: () => {
      held.close();
    },
  };
}
