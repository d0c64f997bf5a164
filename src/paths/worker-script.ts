import { existsSync } from 'node:fs';

/**
 * Where the script of a worker thread is. From source it lies beside the module that starts it (Node runs TypeScript
 * as it is). In a bundle that module is `dist/main.js` or a chunk in `dist/chunks/`, and the worker is an entry of its
 * own in `dist/`.
 *
 * @param here `import.meta.url` of the module that starts it
 * @param source its file beside that module, such as `./worker.ts`
 * @param bundled its name in `dist/`, such as `sync-worker.js`
 */
export function workerScript(here: string, source: string, bundled: string): URL {
  if (here.endsWith('.ts')) return new URL(source, here);
  const beside = new URL(`./${bundled}`, here);
  return existsSync(beside) ? beside : new URL(`../${bundled}`, here);
}
