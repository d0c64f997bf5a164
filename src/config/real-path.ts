import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** An absolute path with every symbolic link followed, as far as it exists; what doesn't exist yet stays as it is. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Missing or not readable: its folder may still be a link.
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}
