import { readRow } from './table.ts';

/** A process, told from every later one with the same id by what the kernel says of its start. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; compared for equality. Linux: boot id and start ticks. macOS: start time in UTC. */
  readonly startToken: string;
}

/** A token that no process has: for a program that was gone before it could be looked at. */
const GONE = 'gone';

/**
 * Who runs under this id now. A zombie still has its identity, so a child that ended a moment ago and was not
 * reaped yet is found.
 *
 * @returns an identity that is never alive when no such process exists
 */
export async function identityOf(pid: number): Promise<ProcessIdentity> {
  const row = await readRow(pid);
  return { pid, startToken: row?.startToken ?? GONE };
}

/** Whether this very process still runs. A zombie does not: it holds nothing but its exit code. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const row = await readRow(identity.pid);
  return row !== null && row.startToken === identity.startToken && !row.zombie;
}
