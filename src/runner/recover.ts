import { conclude, concludeInterrupted } from './outcome.ts';
import type { Ending, RunnerPorts } from './ports.ts';

const UNKNOWN: Ending = {
  outcome: 'unknown',
  message: 'The daemon ended while OpenClaw had the run: how it ended is not known. It is not repeated.',
  costMicroUsd: null,
  turns: null,
  resetAt: null,
  exitCode: null,
  signal: null,
};

/** Where a run goes on that was forwarded: it is waited for again, or nobody can say what became of it. */
export type Elsewhere = 'rejoin' | 'unknown';

/**
 * Ends what a dead daemon left of an agent: each run's processes first, then the run, as `interrupted`. Before
 * anything else of the agent starts, also where no agent will: a run must not go on unwatched. Safe to repeat.
 * A run that was forwarded is never tried again: it stays open for the runner, or ends as `unknown`.
 *
 * @throws WatsError `storage` when an ending cannot be recorded
 */
export async function recoverRuns(
  agent: string,
  ports: Pick<RunnerPorts, 'now' | 'tell' | 'onFault' | 'processes'> & {
    readonly store: Pick<RunnerPorts['store'], 'runs'>;
    /** Whether a run left this machine's processes; `null`: it did not. */
    readonly elsewhere?: (run: string) => Elsewhere | null;
  },
): Promise<void> {
  const { now, tell, processes } = ports;
  const { runs } = ports.store;
  for (const run of runs.open(agent)) {
    const elsewhere = ports.elsewhere?.(run.id) ?? null;
    if (elsewhere === 'rejoin') continue;
    try {
      await processes.endLeftovers({ id: run.id, process: run.process });
    } catch (error) {
      // Not even SIGKILL ends it: it hangs in the kernel, and its socket is gone, so that it can do nothing more.
      ports.onFault(error);
    }
    const booking = runs.booking(run.id);
    if (booking === null) throw new Error('an open run was never booked');
    const { outcome, charge, fate } =
      elsewhere === null ? concludeInterrupted(booking.charge) : conclude(UNKNOWN, booking.charge, 0);
    const at = now();
    runs.end({
      id: run.id,
      at,
      outcome,
      message: elsewhere === null ? 'The daemon ended before the run did.' : UNKNOWN.message,
      exitCode: null,
      signal: null,
      costMicroUsd: null,
      turns: null,
      charge,
      fate,
    });
    tell({
      type: 'run_ended',
      run: run.id,
      outcome,
      costMicroUsd: null,
      turns: null,
      durationMs: at - run.bookedAt,
    });
  }
}
