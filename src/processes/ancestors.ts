import { environmentValue } from './environment.ts';
import type { ProcessIdentity } from './identity.ts';
import { RUN_MARKER } from './run-marker.ts';
import { type ProcessRow, readRow, readTable } from './table.ts';

/** No tree is this deep; a table read while processes come and go must not send us round in circles. */
const DEEPEST = 128;

/** The parent of a process, its parent, and so on up to the first process of the system, nearest first. */
export async function ancestors(pid: number): Promise<readonly ProcessIdentity[]> {
  const rowOf = await rowReader();
  const found: ProcessIdentity[] = [];
  let parent = (await rowOf(pid))?.parent ?? 0;
  while (parent > 0 && found.length < DEEPEST) {
    const row = await rowOf(parent);
    if (row === null) break;
    found.push({ pid: row.pid, startToken: row.startToken });
    parent = row.parent;
  }
  return found;
}

async function rowReader(): Promise<(pid: number) => Promise<ProcessRow | null>> {
  if (process.platform === 'linux') return readRow;
  // One `ps` for the whole tree instead of one a generation.
  const rows = new Map((await readTable()).map((row) => [row.pid, row]));
  return async (pid) => rows.get(pid) ?? null;
}

/**
 * Whether a process runs inside a run: its own environment carries the run's marker, or that of a process above
 * it does, so that clearing one's own environment does not help.
 *
 * @returns the directory of that run, or `null`
 */
export async function insideRun(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): Promise<string | null> {
  const own = env[RUN_MARKER];
  if (own !== undefined && own !== '') return own;
  for (const ancestor of await ancestors(pid)) {
    const value = await environmentValue(ancestor.pid, RUN_MARKER);
    if (value !== null && value !== '') return value;
  }
  return null;
}
