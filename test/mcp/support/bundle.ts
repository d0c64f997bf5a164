import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';

const root = new URL('../../../', import.meta.url).pathname;

export interface BridgeBundle {
  /** Run as `node LAUNCHER mcp …`, like bin/wats.js. */
  readonly launcher: string;
  readonly metafile: Metafile;
  readonly remove: () => void;
}

/**
 * The bridge bundled as scripts/build.mjs does it, with a launcher beside it. What the launcher does for
 * `node --background` is the given program: the whole daemon is not needed to see how many are started.
 */
export async function bundleBridge(backgroundNode = 'process.exit(1)'): Promise<BridgeBundle> {
  const dir = mkdtempSync(join(tmpdir(), 'wats-bridge-'));
  const result = await build({
    absWorkingDir: root,
    entryPoints: { bridge: 'src/mcp/bridge-main.ts' },
    outdir: dir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.22',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    metafile: true,
    logLevel: 'warning',
  });
  const launcher = join(dir, 'launcher.mjs');
  writeFileSync(join(dir, 'node.mjs'), backgroundNode);
  writeFileSync(
    launcher,
    `import { enableCompileCache } from 'node:module';
enableCompileCache(${JSON.stringify(join(dir, 'cache'))});
await (process.argv[2] === 'mcp' ? import('./bridge.mjs') : import('./node.mjs'));
`,
  );
  return { launcher, metafile: result.metafile, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
