import { closeSync, openSync } from 'node:fs';
import { WatsError } from '../errors/index.ts';

/** SQLite errors that mean "the disk said no", not "we asked something wrong". */
const STORAGE = new Set(['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN']);
const DAMAGE = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);
/** A damaged search index, which is made again from the posts; the database itself is sound. */
const INDEX_DAMAGE = 'SQLITE_CORRUPT_VTAB';

/** Turns what SQLite says of the disk or of a damaged file into a sentence for a person; passes on everything else. */
export function asStorageError(error: unknown, path: string): unknown {
  const code = codeOf(error);
  const base = baseOf(code);
  if (isDamage(error)) {
    return new WatsError('directory', `${path} is damaged`, {
      fix: 'start wats: it sets the file aside and builds a new one from peers',
      cause: error,
    });
  }
  if (STORAGE.has(base)) {
    return new WatsError(
      'storage',
      `cannot write ${path}: ${base === 'SQLITE_FULL' ? 'the disk is full' : code}`,
      { fix: 'free some space or look at the permissions; nothing was lost', cause: error },
    );
  }
  return error;
}

/** Whether SQLite found the database itself damaged, in its own error or as the cause of ours. */
export function isDamage(error: unknown): boolean {
  if (error instanceof WatsError) return isDamage(error.cause);
  const code = codeOf(error);
  return code !== INDEX_DAMAGE && DAMAGE.has(baseOf(code));
}

export function isIndexDamage(error: unknown): boolean {
  return codeOf(error) === INDEX_DAMAGE;
}

/** Where it is noted that the database was found damaged while it was in use: the next start looks at it. */
export const suspicion = (path: string): string => `${path}.suspect`;

/**
 * The same functions, but what SQLite throws comes out as a `WatsError`, and damage is noted for the next start.
 * Every door of the store goes through this, so that a full disk is an answer and not a stack trace.
 */
export function guarded<T extends object>(group: T, path: string): T {
  const entries = Object.entries(group).map(([name, member]) => [
    name,
    typeof member === 'function' ? guardedCall(member as (...args: unknown[]) => unknown, path) : member,
  ]);
  return Object.fromEntries(entries) as T;
}

export function guardedCall<A extends unknown[], R>(act: (...args: A) => R, path: string): (...args: A) => R {
  return (...args) => {
    try {
      return act(...args);
    } catch (error) {
      if (isDamage(error)) note(path);
      throw asStorageError(error, path);
    }
  };
}

function note(path: string): void {
  try {
    closeSync(openSync(suspicion(path), 'a', 0o600));
  } catch {
    // On such a disk the damage itself is what the caller has to hear of.
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function baseOf(code: string): string {
  return code.split('_').slice(0, 2).join('_');
}
