import { closeSync, openSync } from 'node:fs';

/**
 * Makes a database file that only its owner can read, before SQLite does: SQLite gives its companions (`-wal`,
 * `-shm`, `-journal`) the mode of the file itself, and the umask is left alone for what runs make in a workspace.
 */
export function makeOwnFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}
