import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { endLeftovers, type SpawnedGroup, spawnGroup } from '../../src/processes/index.ts';
import { until } from '../support/look.ts';

const TREE = new URL('./programs/tree.mjs', import.meta.url).pathname;

export interface Family extends SpawnedGroup {
  readonly dir: string;
  readonly pids: Readonly<Record<string, number>>;
}

/** Starts `tree.mjs` with helpers, marked with its own directory; nothing of it survives the test. */
export async function startFamily(...words: readonly string[]): Promise<Family> {
  const dir = mkdtempSync(join(tmpdir(), 'wats-family-'));
  const file = join(dir, 'pids.json');
  const env = { PATH: process.env['PATH'] ?? '', WATS_RUN_DIR: dir };
  const group = await spawnGroup([process.execPath, TREE, file, ...words], { cwd: dir, env });
  onTestFinished(async () => {
    await endLeftovers({ leader: group.identity, runDir: dir }, { killAfterMs: 0 });
    rmSync(dir, { recursive: true, force: true });
  });
  await until(() => existsSync(file));
  return { ...group, dir, pids: JSON.parse(readFileSync(file, 'utf8')) as Record<string, number> };
}
