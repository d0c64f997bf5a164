// Bundles src/ into dist/: one entry for the program, one for each worker thread, shared chunks with hashed names.
// Commands import their code lazily, so a command loads only its own chunks. What did not change is left alone, and
// what did is replaced whole: a build beside a running program breaks nothing that it still has to load.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { licencesOf } from './licences.mjs';

const outdir = new URL('../dist/', import.meta.url).pathname;

const { outputFiles, metafile } = await build({
  entryPoints: {
    main: 'src/main.ts',
    'sync-worker': 'src/sync/worker.ts',
    'store-reader': 'src/store/reading/worker.ts',
    bridge: 'src/mcp/bridge-main.ts',
  },
  outdir,
  write: false,
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
  legalComments: 'none', // every licence stands whole in LICENCES.txt
  metafile: true,
  jsx: 'automatic',
  logLevel: 'warning',
});

const root = new URL('..', import.meta.url).pathname;
outputFiles.push({
  path: join(outdir, 'LICENCES.txt'),
  contents: Buffer.from(licencesOf(Object.keys(metafile.inputs), root)),
});

const wanted = new Set(outputFiles.map(({ path }) => path));
// Chunks before the entries that name them.
for (const { path, contents } of outputFiles.toSorted((a, b) => b.path.length - a.path.length)) {
  if (same(path, contents)) continue;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}
for (const path of files(outdir)) if (!wanted.has(path) && !path.endsWith('.tmp')) rmSync(path);

if (process.argv.includes('--verbose')) {
  const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
  console.log(`dist: ${outputFiles.length} files, ${bytes} bytes`);
}

function same(path, contents) {
  try {
    return readFileSync(path).equals(contents);
  } catch {
    return false; // not there yet
  }
}

function files(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
