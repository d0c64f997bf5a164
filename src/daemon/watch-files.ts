import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A file is written in several steps: it is looked at once they are over. */
const SETTLED_MS = 200;

/**
 * Calls back soon after one of some files of one directory has changed, also when it is replaced, appears or goes.
 * Costs nothing while nothing changes. Where the system has no watch left, nobody is called: whoever must know looks
 * once a minute anyway.
 *
 * @returns the end of it
 */
export function watchFiles(paths: readonly [string, ...string[]], changed: () => void): () => void {
  const names = new Set(paths.map((path) => basename(path)));
  let timer: NodeJS.Timeout | undefined;
  const look = (_: string, name: string | null): void => {
    if (name !== null && !names.has(name)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLED_MS).unref();
  };
  try {
    const watcher = watch(dirname(paths[0]), { persistent: false }, look);
    watcher.on('error', () => watcher.close());
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch {
    return () => {};
  }
}
