import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WatsError } from '../../errors/index.ts';

export interface TokenFiles {
  readonly hooks: string;
  readonly runner: string;
  /** What setup changed in OpenClaw, so that `--remove` takes back that and no more. */
  readonly record: string;
}

export function tokenFiles(dir: string): TokenFiles {
  return {
    hooks: join(dir, 'hooks.token'),
    runner: join(dir, 'runner.token'),
    record: join(dir, 'setup.json'),
  };
}

/** 32 random bytes, hex. */
export function newToken(): string {
  return randomBytes(32).toString('hex');
}

/** The token in a file; `null` when there is none. @throws WatsError `directory` when it can't be read */
export function tokenIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new WatsError('directory', `cannot read ${path}`, { fix: 'look at who owns it', cause });
  }
}

/** Writes a file that only its owner reads, whole or not at all. @returns how to take it back */
export function writePrivate(path: string, text: string): () => void {
  const dir = join(path, '..');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const before = existsSync(path) ? readFileSync(path) : null;
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new WatsError('storage', `${path} can't be written`, { fix: 'look at the free space', cause });
  }
  return () => {
    if (before === null) rmSync(path, { force: true });
    else writeFileSync(path, before, { mode: 0o600 });
  };
}

/** Makes the tokens that are not there yet, for a change that a person makes by hand. */
export function keepTokens(dir: string, hooks: string | null): void {
  const files = tokenFiles(dir);
  if (hooks !== null && tokenIn(files.hooks) !== hooks) writePrivate(files.hooks, `${hooks}\n`);
  if (tokenIn(files.runner) === null) writePrivate(files.runner, `${newToken()}\n`);
}
