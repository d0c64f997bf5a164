import { WatsError } from '../errors/index.ts';
import { isAlive, type ProcessIdentity } from './identity.ts';
import { type ProcessRow, readRow, readTable } from './table.ts';
import { waitUntil } from './wait.ts';

/** How long each step of an ending may take, in ms. */
export interface Graces {
  /** Wait this long before SIGTERM, for a program that is ending by itself. Default 0. */
  readonly termAfterMs?: number;
  /** From SIGTERM to SIGKILL. Default 5000. */
  readonly killAfterMs?: number;
  /** From SIGKILL until it is given up: a process stuck in the kernel can't be ended by anybody. Default 10000. */
  readonly giveUpAfterMs?: number;
}

/** Graces of page 3 of the design: SIGTERM, 5 s, SIGKILL. */
export const DEFAULT_GRACES = { termAfterMs: 0, killAfterMs: 5000, giveUpAfterMs: 10_000 } as const;

/**
 * Who is left of a group that `spawnGroup` started: its process group and, where the system tells sessions,
 * everybody of its session, since programs put their helpers into process groups of their own.
 * Zombies are not counted: a container whose first process does not reap keeps them for ever.
 */
export async function groupMembers(leader: ProcessIdentity): Promise<readonly ProcessRow[]> {
  const atLeader = await readRow(leader.pid);
  // The kernel gives no id away that is still a group's or a session's, so a stranger there means: all gone.
  if (atLeader !== null && atLeader.startToken !== leader.startToken) return [];
  const rows = await readTable();
  return rows.filter((row) => !row.zombie && isMember(row, leader.pid));
}

/** A group made by a shell within another session can have our number only by reuse; its session tells. */
function isMember(row: ProcessRow, leaderPid: number): boolean {
  return row.session === 0 ? row.group === leaderPid : row.session === leaderPid;
}

/** Sends a signal to every member of the group. Members that are gone by then are no error. */
export async function signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  for (const row of await groupMembers(leader)) signalProcess(row.pid, signal);
}

/**
 * Ends the group of a leader, which may be dead itself: SIGTERM, then SIGKILL until nobody is left.
 * Does nothing when the group is gone, also when its id belongs to somebody else by now.
 *
 * @throws WatsError `failed` when a process survives SIGKILL (it hangs in the kernel, or is not ours to end)
 */
export async function endGroup(leader: ProcessIdentity, graces: Graces = {}): Promise<void> {
  await endAll(
    {
      members: () => groupMembers(leader),
      // While the leader lives, one small file answers; the whole table is read only after it.
      gone: async () => !(await isAlive(leader)) && (await groupMembers(leader)).length === 0,
    },
    graces,
  );
}

/** Those that an ending is about, looked for anew at each step. */
export interface Doomed {
  members(): Promise<readonly ProcessRow[]>;
  gone(): Promise<boolean>;
}

/** The ladder itself. */
export async function endAll(doomed: Doomed, graces: Graces): Promise<void> {
  const { termAfterMs, killAfterMs, giveUpAfterMs } = { ...DEFAULT_GRACES, ...graces };
  if (await waitUntil(doomed.gone, termAfterMs)) return;
  for (const row of await doomed.members()) signalProcess(row.pid, 'SIGTERM');
  if (await waitUntil(doomed.gone, killAfterMs)) return;
  const killed = async (): Promise<boolean> => {
    // Again at every look: a member may have forked between the look and the signal.
    const left = await doomed.members();
    for (const row of left) signalProcess(row.pid, 'SIGKILL');
    return left.length === 0;
  };
  if (await waitUntil(killed, giveUpAfterMs)) return;
  const pids = (await doomed.members()).map((row) => row.pid).join(',');
  throw new WatsError('failed', `Processes of a run do not end, not even by SIGKILL: ${pids}.`, {
    fix: `Look at them with \`ps -o pid,stat,command -p ${pids}\`.`,
  });
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone since the look, or not ours: the next look counts, not this signal.
  }
}
