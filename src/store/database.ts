import { copyFileSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { WatsError } from '../errors/index.ts';
import { migrations } from './migrations/index.ts';
import { makeOwnFile } from './own-file.ts';

export type Db = Database.Database;

/** SQLite errors that mean "the disk said no", not "we asked something wrong". */
const STORAGE = new Set(['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']);

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
    migrate(db, path, existed);
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
      {
        fix: 'install the newer wats again; nothing was changed',
      },
    );
  }
}

function migrate(db: Db, path: string, existed: boolean): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version === SCHEMA_VERSION) return;
  if (existed && version > 0) {
    db.pragma('wal_checkpoint(TRUNCATE)');
    copyFileSync(path, `${path}.schema-${version}`);
  }
  for (let next = version; next < SCHEMA_VERSION; next++) {
    const sql = migrations[next];
    if (sql === undefined) throw new Error(`migration ${next + 1} is missing`);
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${next + 1}`);
    })();
  }
}

function guard<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw asStorageError(error, path);
  }
}

/** Turns what SQLite says of the disk or of a damaged file into a sentence for a person; passes on everything else. */
export function asStorageError(error: unknown, path: string): unknown {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const base = code.split('_').slice(0, 2).join('_');
  if (base === 'SQLITE_CORRUPT' || base === 'SQLITE_NOTADB') {
    return new WatsError('directory', `${path} is damaged`, {
      fix: 'start wats: it sets the file aside and builds a new one from peers',
      cause: error,
    });
  }
  if (STORAGE.has(base)) {
    return new WatsError(
      'storage',
      `cannot write ${path}: ${base === 'SQLITE_FULL' ? 'the disk is full' : code}`,
      {
        fix: 'free some space or look at the permissions; nothing was lost',
        cause: error,
      },
    );
  }
  return error;
}
