import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { endLeftovers, type SpawnedGroup, spawnGroup } from '../../src/processes/index.ts';

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

/** Waits for a condition of the outside world; the test's own timeout is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Whether a process runs, asked of the kernel and not of the code under test. */
export function runs(pid: number | undefined): boolean {
  if (pid === undefined) throw new Error('no such member of the family');
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  return status !== '' && !/^State:\s*[ZX]/m.test(status);
}
