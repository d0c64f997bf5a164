import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { suspicion } from './failures.ts';

/** Files of one database, in the order in which they are set aside: the one that makes it a database goes last. */
const PARTS = ['-shm', '-wal', ''];
const ASIDE = '.damaged-';

/**
 * Sets a damaged database aside, never deleting it: `wats.db` becomes `wats.db.damaged-<time>`, with its log beside
 * it, so that `sqlite3 FILE .recover` can still be tried on it.
 * @returns the new name
 */
export function setAside(path: string, now: number): string {
  const time = new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '');
  let aside = `${path}${ASIDE}${time}`;
  for (let again = 2; PARTS.some((part) => existsSync(aside + part)); again++) {
    aside = `${path}${ASIDE}${time}-${again}`;
  }
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  rmSync(suspicion(path), { force: true });
  return aside;
}

/**
 * Looks at the whole database when it was found damaged in use; whether it is. A disk that only failed to read
 * once must not cost a person their posts. Takes seconds a gigabyte, and only after such an event.
 */
export function isFoundDamaged(path: string): boolean {
  if (!isSuspect(path)) return false;
  const sound = isSound(path);
  if (sound) rmSync(suspicion(path), { force: true });
  return !sound;
}

/** Whether the database was found damaged in use, and nobody has looked at the whole of it since. */
export function isSuspect(path: string): boolean {
  return existsSync(path) && existsSync(suspicion(path));
}

/** Whether SQLite finds nothing wrong in the whole file. */
export function isSound(path: string): boolean {
  try {
    const db = new Database(path, { fileMustExist: true, readonly: true });
    try {
      return db.pragma('quick_check(1)', { simple: true }) === 'ok';
    } finally {
      db.close();
    }
  } catch {
    return false; // what cannot even be looked at is damaged
  }
}

/**
 * Settles, before the store is opened, whether a database that was found damaged in use is: a damaged one is set
 * aside, and of a sound one nothing is said any more.
 *
 * @param check looks at the whole database, on another thread
 */
export async function settleSuspicion(
  path: string,
  now: number,
  check: () => Promise<boolean>,
): Promise<void> {
  if (!isSuspect(path)) return;
  if (await check()) rmSync(suspicion(path), { force: true });
  else setAside(path, now);
}

/** Name of the newest database that was set aside beside this one, or `null`. Newer names sort after older ones. */
export function newestAside(path: string): string | null {
  const prefix = basename(path) + ASIDE;
  const names = readdirSync(dirname(path)).filter(
    (name) => name.startsWith(prefix) && !/-(wal|shm)$/.test(name),
  );
  return names.sort().at(-1) ?? null;
}
