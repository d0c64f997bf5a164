import { statSync } from 'node:fs';
import { readConfigFile } from '../config/index.ts';

/**
 * Whether config.toml says something else than when the daemon started: there is no live reload, so a person is told.
 * Reads the file only when its time or size changed.
 */
export function configChange(path: string): () => boolean {
  const textNow = (): string | undefined => {
    try {
      return readConfigFile(path)?.text;
    } catch {
      return undefined; // unreadable now: that differs from a file that was read
    }
  };
  const atStart = textNow();
  let seen = stamp(path);
  let changed = false;
  return () => {
    const now = stamp(path);
    if (now !== seen) {
      seen = now;
      changed = textNow() !== atStart;
    }
    return changed;
  };
}

/** Changes whenever the file does; empty while there is none. */
export function stamp(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return ''; // there is none
  }
}
