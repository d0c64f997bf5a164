import type { Db } from './database.ts';
import type { Charge } from './run-rows.ts';

/** A run of a lost database, as a file beside it still knows it. */
export interface LostRun {
  readonly run: string;
  readonly agent: string;
  readonly runtime: string;
  readonly cause: string;
  readonly outcome: string;
  readonly bookedAt: number;
  readonly endedAt: number;
  readonly turns: number | null;
  readonly costMicroUsd: number | null;
  readonly charge: Charge;
}

/** Puts runs of a lost database back, with what they count for; those that are here already are left alone. */
export function spendRebuilder(db: Db): (runs: readonly LostRun[]) => number {
  const run = db.prepare(
    `INSERT INTO runs (id, n, agent, session, cause, runtime, state, booked_at, ended_at, outcome, message, cost, turns, logged)
     VALUES (?, (SELECT coalesce(max(n), 0) + 1 FROM runs), ?, '', ?, ?, 'ended', ?, ?, ?, '', ?, ?, 1)
     ON CONFLICT DO NOTHING`,
  );
  const booking = db.prepare(
    `INSERT INTO bookings (run, agent, at, micro_usd, runs, unpriced_runs, settled) VALUES (?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT DO NOTHING`,
  );
  return db.transaction((runs: readonly LostRun[]) => {
    let back = 0;
    for (const lost of runs) {
      const { agent, cause, runtime, bookedAt, endedAt, outcome, costMicroUsd, turns, charge } = lost;
      const made = run.run(
        lost.run,
        agent,
        cause,
        runtime,
        bookedAt,
        endedAt,
        outcome,
        costMicroUsd,
        turns,
      ).changes;
      booking.run(lost.run, agent, bookedAt, charge.microUsd, charge.runs, charge.unpricedRuns);
      back += made;
    }
    return back;
  });
}
