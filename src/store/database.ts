import { existsSync, renameSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { WatsError } from '../errors/index.ts';
import { asStorageError } from './failures.ts';
import { migrations } from './migrations/index.ts';
import { makeOwnFile } from './own-file.ts';

export type Db = Database.Database;

/**
 * Pages of the write-ahead log (64 MB) at which the writer itself moves them into the file, in the middle of a commit.
 * A daemon has done so long before, on another thread (see checkpoint.ts).
 */
const LONGEST_LOG = 16_000;

/**
 * Opens `wats.db` as its one writer: WAL, `synchronous=FULL` (what was acknowledged survives a power cut), migrated
 * to today's schema after a copy was taken. A database of a newer wats is refused untouched.
 *
 * @throws WatsError `directory` for a newer or damaged database, `storage` when the disk refuses
 */
export function openDatabase(path: string): Db {
  const existed = existsSync(path);
  if (existed) refuseNewer(path);
  const db = guard(path, () => {
    makeOwnFile(path);
    return new Database(path);
  });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('busy_timeout = 5000');
    db.pragma('cache_size = -16000');
    db.pragma(`wal_autocheckpoint = ${LONGEST_LOG}`);
    migrate(db, path);
    return db;
  } catch (error) {
    db.close();
    throw asStorageError(error, path);
  }
}

/** Opens the database for reading only: `wats agent runs` without a daemon, the sync worker, the reader worker. */
export function openReadOnly(path: string): Db {
  if (!existsSync(path))
    throw new WatsError('directory', `there is no database at ${path} yet`, { fix: 'start wats once' });
  refuseNewer(path);
  return guard(path, () => {
    const db = new Database(path, { readonly: true });
    db.pragma('busy_timeout = 5000');
    db.pragma('query_only = ON');
    return db;
  });
}

/** The schema this build writes. */
export const SCHEMA_VERSION = migrations.length;

function refuseNewer(path: string): void {
  const version = guard(path, () => {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return Number(db.pragma('user_version', { simple: true }));
    } finally {
      db.close();
    }
  });
  if (version > SCHEMA_VERSION) {
    throw new WatsError(
      'directory',
      `${path} was written by a newer wats (schema ${version}, this one knows ${SCHEMA_VERSION})`,
      { fix: 'install the newer wats again; nothing was changed' },
    );
  }
}

/**
 * Brings a database to the last of `steps`, each in a transaction of its own, after a copy of it was made at
 * `<path>.schema-<version>`.
 */
export function migrate(db: Db, path: string, steps: readonly string[] = migrations): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version === steps.length) return;
  if (version > 0) copyTo(db, `${path}.schema-${version}`);
  for (const [at, sql] of steps.entries()) {
    if (at < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${at + 1}`);
    })();
  }
}

/** A whole copy, also while others read, or none: it gets its name when it is complete. */
function copyTo(db: Db, path: string): void {
  const unfinished = `${path}.tmp`;
  rmSync(unfinished, { force: true });
  makeOwnFile(unfinished);
  db.prepare('VACUUM INTO ?').run(unfinished);
  renameSync(unfinished, path);
}

function guard<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asStorageError(error, path);
  }
}
