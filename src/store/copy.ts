import { openReadOnly } from './database.ts';
import { asStorageError, isDamage } from './failures.ts';

/**
 * Writes a whole copy of a database, as it was at one moment, also while a daemon writes to it: SQLite's own online
 * copy begins anew with every post that comes in meanwhile, and would not end on a busy node.
 *
 * @param target an empty file, or none
 * @throws WatsError `directory`, `storage`
 */
export function writeCopy(path: string, target: string): void {
  const source = openReadOnly(path);
  try {
    // The file was opened for reading only all the same; this is about the copy.
    source.pragma('query_only = OFF');
    source.prepare('VACUUM INTO ?').run(target);
  } catch (error) {
    throw asStorageError(error, isDamage(error) ? path : target);
  } finally {
    source.close();
  }
}
