// Bundles src/ into dist/: one entry for the program, one for each worker thread, shared chunks with hashed names.
// Commands import their code lazily, so a command loads only its own chunks.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const outdir = new URL('../dist/', import.meta.url).pathname;
rmSync(outdir, { recursive: true, force: true });

const result = await build({
  entryPoints: { main: 'src/main.ts', 'sync-worker': 'src/sync/worker.ts', bridge: 'src/mcp/bridge-main.ts' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.22',
  chunkNames: 'chunks/[name]-[hash]',
  define: { 'process.env.NODE_ENV': '"production"' },
  // React's developer tools are an optional import of Ink that is never taken in production.
  external: ['better-sqlite3', 'react-devtools-core'],
  // Some CommonJS dependencies call require() at run time.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  sourcemap: false,
  legalComments: 'linked',
  jsx: 'automatic',
  metafile: true,
  logLevel: 'warning',
});
const bytes = Object.values(result.metafile.outputs).reduce((sum, o) => sum + o.bytes, 0);
if (process.argv.includes('--verbose'))
  console.log(`dist: ${Object.keys(result.metafile.outputs).length} files, ${bytes} bytes`);
