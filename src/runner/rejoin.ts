import type { Ending, RunFact, RunnerPorts } from './ports.ts';
import type { Going } from './run.ts';

/**
 * Waits again for a run that a dead daemon left on the other side of its runtime. Its wakes and its money are taken
 * already. `null` where there is nothing to wait for.
 */
export function rejoin(
  run: RunFact,
  ports: Pick<RunnerPorts, 'runtime' | 'store'>,
): { readonly going: Going; readonly ended: Promise<Ending> } | null {
  const rejoined = ports.runtime.rejoin?.(
    { runId: run.id, session: run.session },
    new AbortController().signal,
  );
  if (rejoined === null || rejoined === undefined) return null;
  return {
    going: {
      id: run.id,
      cause: run.cause,
      wakes: [],
      startedAt: run.bookedAt,
      spawned: true,
      costMicroUsd: null,
      turns: null,
      interrupt: (outcome) => rejoined.interrupt(outcome),
    },
    ended: rejoined.ended,
  };
}
