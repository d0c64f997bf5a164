import { readdirSync } from 'node:fs';

/** The names in a directory; none when it is not there. */
export function filesOf(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
