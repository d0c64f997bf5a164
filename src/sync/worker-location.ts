import { existsSync } from 'node:fs';

/**
 * Where the worker's script is. From source it lies beside this module (Node runs TypeScript as it is). In a bundle
 * this module is `dist/main.js` or a chunk in `dist/chunks/`, and the worker is `dist/sync-worker.js`.
 *
 * @param here `import.meta.url` of this room
 */
export function workerLocation(here: string): URL {
  if (here.endsWith('.ts')) return new URL('./worker.ts', here);
  const beside = new URL('./sync-worker.js', here);
  return existsSync(beside) ? beside : new URL('../sync-worker.js', here);
}
