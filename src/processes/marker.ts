import { ancestors } from './ancestors.ts';
import { environmentValue, psEnvironments, valueInPs } from './environment.ts';
import { endAll, endGroup, type Graces } from './group.ts';
import type { ProcessIdentity } from './identity.ts';
import { RUN_MARKER } from './run-marker.ts';
import { type ProcessRow, readTable } from './table.ts';

/** Processes of this user that were started with `name=value` in their environment; never this process or one above it. */
export async function findByMarker(name: string, value: string): Promise<readonly ProcessRow[]> {
  const [rows, above] = await Promise.all([readTable(), ancestors(process.pid)]);
  const spared = new Set([process.pid, ...above.map((ancestor) => ancestor.pid)]);
  const candidates = rows.filter((row) => !row.zombie && !spared.has(row.pid));
  const readValue = await valueReader(name);
  const values = await Promise.all(candidates.map((row) => readValue(row.pid)));
  return candidates.filter((_, index) => values[index] === value);
}

async function valueReader(name: string): Promise<(pid: number) => Promise<string | null>> {
  if (process.platform === 'linux') return (pid) => environmentValue(pid, name);
  const lines = await psEnvironments();
  return async (pid) => valueInPs(lines.get(pid) ?? '', name);
}

export interface Leftovers {
  /** The group's leader, when a record of it survived. */
  readonly leader: ProcessIdentity | null;
  /** The directory of the run, the value of `WATS_RUN_DIR`. */
  readonly runDir: string;
}

/**
 * Ends everything of one run: its group, then whatever still carries the run's marker.
 * Resolves when nothing is left. Safe to repeat.
 *
 * @throws WatsError `failed` as `endGroup`
 */
export async function endLeftovers({ leader, runDir }: Leftovers, graces: Graces = {}): Promise<void> {
  if (leader !== null) await endGroup(leader, graces);
  const members = () => findByMarker(RUN_MARKER, runDir);
  await endAll({ members, gone: async () => (await members()).length === 0 }, graces);
}
