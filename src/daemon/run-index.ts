import type { Places } from '../paths/index.ts';
import type { Store } from '../store/index.ts';
import { appendRun, prune } from '../transcripts/index.ts';
import { codeOf } from './fault.ts';
import type { Log } from './log.ts';

/** One line in `runs.jsonl`: spend can be rebuilt from it when the database is lost. Drops transcripts that are due. */
export function indexEnded(
  id: string,
  house: { readonly store: Store; readonly places: Places; readonly log: Log; readonly now: () => number },
): void {
  const { store, places, log, now } = house;
  const run = store.runs.byId(id);
  const booking = store.runs.booking(id);
  if (run === null || booking === null || run.endedAt === null) return;
  try {
    appendRun(places.runIndex, {
      run: id,
      agent: run.agent,
      runtime: run.runtime,
      cause: run.cause,
      outcome: run.outcome ?? 'unknown',
      bookedAt: run.bookedAt,
      endedAt: run.endedAt,
      turns: run.turns,
      costMicroUsd: run.costMicroUsd,
      charge: booking.charge,
    });
    // Killed in between, the next start writes the line again: one too many is read as one.
    store.runs.listed(id);
    prune(places.transcripts, now(), null);
  } catch (error) {
    // The database has the run; the line is for the day that the database is lost.
    log.write('error', 'run_index_failed', { run: id, code: codeOf(error) });
  }
}
