import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
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
    if (hasCode(error, 'ENOENT') && !file.moved) {
      makeSecret(file.path);
      // Read back, also by whoever made it: another process may have been first.
      return readOrMakeSecret(file, warn);
    }
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
  const digits = readText(file.path).trim();
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) {
    throw new WatsError('directory', `${file.path} is not a wats secret (64 hex digits)`, {
      fix: 'restore it from a backup: every author key of this node comes from it',
    });
  }
  return Buffer.from(digits, 'hex');
}

/** Makes the file whole or not at all, and never over one that is there. @throws WatsError `directory` */
function makeSecret(path: string): void {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const fd = openSync(unfinished, 'wx', 0o600);
    try {
      writeSync(fd, `${randomBytes(SECRET_BYTES).toString('hex')}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    nameFirst(unfinished, path);
    const directory = openSync(dirname(path), 'r');
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  } catch (cause) {
    throw new WatsError('directory', `cannot make the secret ${path}`, {
      fix: 'look at the permissions and the free space of its directory',
      cause,
    });
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Gives a finished file its name, unless somebody else was first. */
function nameFirst(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    // A file system without hard links.
    if (!hasCode(error, 'EPERM') && !hasCode(error, 'ENOTSUP') && !hasCode(error, 'ENOSYS')) throw error;
    try {
      copyFileSync(unfinished, path, constants.COPYFILE_EXCL);
    } catch (second) {
      if (!hasCode(second, 'EEXIST')) throw second;
    }
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new WatsError('directory', `cannot read the secret ${path}`, {
      fix: 'look at its permissions',
      cause,
    });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
