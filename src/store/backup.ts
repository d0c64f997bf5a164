import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { WatsError } from '../errors/index.ts';
import { SCHEMA_VERSION } from './database.ts';
import { createReaderThread } from './reading/thread.ts';

/** A small file of the data directory that belongs to a backup: a key, the settings, the list of runs. */
export interface BackupFile {
  /** Relative to the data directory, with slashes. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const TABLE = 'wats_backup_files';

/**
 * Copies the database of a data directory, also while a daemon writes to it, and puts the small files beside it into
 * a table of the copy: a backup is one SQLite file, mode 0600.
 *
 * @param files what else belongs to it
 * @throws WatsError `failed` when the target is there already, `directory`, `storage`
 */
export async function writeBackup(
  database: string,
  target: string,
  files: readonly BackupFile[],
): Promise<void> {
  try {
    closeSync(openSync(target, 'wx', 0o600));
  } catch (cause) {
    throw new WatsError('failed', `${target} cannot be made`, {
      fix: 'name a file that is not there yet, in a folder of yours',
      cause,
    });
  }
  try {
    await copy(database, target);
    const made = new Database(target);
    try {
      made.pragma('journal_mode = DELETE');
      made.exec(`CREATE TABLE ${TABLE} (name TEXT PRIMARY KEY, bytes BLOB NOT NULL)`);
      const insert = made.prepare(`INSERT INTO ${TABLE} VALUES (?, ?)`);
      made.transaction(() => {
        for (const { name, bytes } of files) insert.run(name, Buffer.from(bytes));
      })();
    } finally {
      made.close();
    }
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
}

/**
 * Reads a backup: its small files; and writes its database to `target`, where the runner of every agent is paused
 * until a person has looked, since nobody knows what was spent after the copy was taken.
 *
 * @param at ms since the epoch
 * @throws WatsError `failed` when the file is no backup, or of a newer wats
 */
export async function readBackup(path: string, target: string, at: number): Promise<readonly BackupFile[]> {
  if (!existsSync(path)) throw new WatsError('not_found', `there is no file ${path}`);
  let files: BackupFile[];
  const backup = open(path);
  try {
    if (Number(backup.pragma('user_version', { simple: true })) > SCHEMA_VERSION) {
      throw new WatsError('failed', `${path} was written by a newer wats`, {
        fix: 'restore it with that one, or a newer one',
      });
    }
    files = backup.prepare<[], BackupFile>(`SELECT name, bytes FROM ${TABLE} ORDER BY name`).all();
    await backup.backup(target);
  } catch (cause) {
    if (cause instanceof WatsError) throw cause;
    throw new WatsError('failed', `${path} is no backup of wats`, {
      fix: 'name a file that "wats backup" wrote',
      cause,
    });
  } finally {
    backup.close();
  }
  const restored = new Database(target);
  try {
    restored.exec(`DROP TABLE ${TABLE}`);
    restored.prepare('UPDATE agents SET paused_at = ?').run(at);
    restored
      .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('standstill', ?)")
      .run(JSON.stringify({ at, why: 'restored' }));
  } finally {
    restored.close();
  }
  return files;
}

async function copy(database: string, target: string): Promise<void> {
  const reader = createReaderThread({ path: database });
  try {
    await reader.copy(target);
  } finally {
    await reader.close();
  }
}

function open(path: string): Database.Database {
  try {
    return new Database(path, { readonly: true, fileMustExist: true });
  } catch (cause) {
    throw new WatsError('failed', `${path} cannot be read`, {
      fix: 'name a file that "wats backup" wrote',
      cause,
    });
  }
}
