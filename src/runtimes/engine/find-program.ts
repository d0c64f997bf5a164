import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Finds a program as the system would start it: an absolute path as it is, a bare name in each absolute directory
 * of `path` in order.
 *
 * @param path the value of PATH; relative entries are left out, since what they hold depends on where a run works
 * @returns its absolute path, or `null`; a relative path with a slash is never found, for the same reason
 */
export async function findProgram(name: string, path: string): Promise<string | null> {
  if (isAbsolute(name)) return (await isExecutable(name)) ? name : null;
  if (name === '' || name.includes('/')) return null;
  for (const directory of path.split(delimiter)) {
    const candidate = join(directory, name);
    if (isAbsolute(directory) && (await isExecutable(candidate))) return candidate;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there, or not ours to run: not found, either way.
    return false;
  }
}
