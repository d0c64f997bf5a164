import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { WatsError } from '../errors/index.ts';

/**
 * Writes a file so that whoever reads it, and whatever is left after a crash, is the old text or the new one,
 * whole. Mode 0600. A symbolic link stays one: the file that it names is replaced. Missing folders are made, 0700.
 *
 * @throws WatsError `storage` when it can't be written; the old text is then still there
 */
export function writeAtomically(path: string, text: string): void {
  const target = followed(path);
  const folder = dirname(target);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = openSync(temporary, 'w', 0o600);
    try {
      // A file that a crash left under this name keeps the mode that it had.
      fchmodSync(file, 0o600);
      writeAll(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
    syncFolder(folder);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new WatsError('storage', `${path} can't be written`, {
      fix: 'Look at the free space and at who owns the folder. Nothing was changed.',
      cause,
    });
  }
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Makes the rename itself last. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing there yet: the path names the file to make.
    return path;
  }
}
