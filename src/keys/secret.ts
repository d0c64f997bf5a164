import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { WatsError } from '../errors/index.ts';

const SECRET_BYTES = 32;

export interface SecretFile {
  readonly path: string;
  /** The file was moved out of the data directory (`WATS_SECRET_FILE`): a loose mode only warns (Compose secrets are 0444). */
  readonly moved: boolean;
}

/**
 * Reads a file of 32 secret bytes, kept as 64 hex digits and a newline; made once when it is not there.
 *
 * @throws WatsError `directory` when others can read it, or when it is not a secret
 */
export function readOrMakeSecret(file: SecretFile, warn: (message: string) => void): Buffer {
  let mode: number;
  try {
    mode = statSync(file.path).mode & 0o777;
  } catch (error) {
    if (isMissing(error) && !file.moved) return makeSecret(file.path);
    throw new WatsError('directory', `cannot read the secret ${file.path}`, {
      fix: file.moved ? 'look at WATS_SECRET_FILE' : 'look at its permissions',
      cause: error,
    });
  }
  if ((mode & 0o077) !== 0) {
    const text = `${file.path} can be read by others (mode ${mode.toString(8).padStart(4, '0')})`;
    if (!file.moved) throw new WatsError('directory', text, { fix: `chmod 600 ${file.path}` });
    warn(text);
  }
  const bytes = Buffer.from(readFileSync(file.path, 'utf8').trim(), 'hex');
  if (bytes.length !== SECRET_BYTES) {
    throw new WatsError('directory', `${file.path} is not a wats secret (64 hex digits)`, {
      fix: 'restore it from a backup: every author key of this node comes from it',
    });
  }
  return bytes;
}

function makeSecret(path: string): Buffer {
  const bytes = randomBytes(SECRET_BYTES);
  const temporary = `${path}.${process.pid}.tmp`;
  const fd = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(fd, `${bytes.toString('hex')}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
  return bytes;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
