import { lookAgain } from '../schedule/index.ts';
import { conclude } from './outcome.ts';
import type { Ending, RunnerPorts } from './ports.ts';
import type { Going } from './run.ts';

/** A run of which nothing is left but its record. */
export interface Over {
  readonly run: Going;
  readonly ending: Ending;
  /** When it ended, ms since the epoch. */
  readonly at: number;
}

/**
 * Records an ended run: its outcome, what it counts for and what becomes of its wakes, in one transaction.
 *
 * @throws WatsError `storage`; then nothing was recorded, and it may be tried again
 */
export function recordEnd(agent: string, over: Over, ports: Pick<RunnerPorts, 'store' | 'tell'>): void {
  const { store, tell } = ports;
  const { run, ending, at } = over;
  const booking = store.runs.booking(run.id);
  if (booking === null) throw new Error('a run ended that was never booked');
  const { outcome, charge, fate, blocks } = conclude(
    ending,
    booking.charge,
    store.effects.countOfRun(run.id),
  );
  const { message, exitCode, signal, costMicroUsd, turns } = ending;
  const blockedUntil = store.atomically(() => {
    store.runs.end({ id: run.id, at, outcome, message, exitCode, signal, costMicroUsd, turns, charge, fate });
    return block(agent, blocks ? outcome : null, over, store.people);
  });
  tell({ type: 'run_ended', run: run.id, outcome, costMicroUsd, turns, durationMs: at - run.startedAt });
  if (blockedUntil !== null) tell({ type: 'blocked', code: outcome, until: blockedUntil });
}

/** Remembers what makes the next run pointless; forgets it after a run that went well. @returns when to look again */
function block(
  agent: string,
  code: string | null,
  { ending, at }: Over,
  people: RunnerPorts['store']['people'],
): number | null {
  const before = people.agent(agent)?.blocked ?? null;
  if (code === null) {
    if (before !== null) people.setBlocked(agent, null);
    return null;
  }
  const count = (before?.count ?? 0) + 1;
  const until = lookAgain({ failedAt: at, failures: count, resetAt: ending.resetAt }, at).at;
  people.setBlocked(agent, { code, text: ending.message, until, count });
  return until;
}
