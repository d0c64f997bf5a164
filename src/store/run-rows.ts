import { hexOrNull } from './rows.ts';

export type RunState = 'booked' | 'spawned' | 'ended' | 'uncertain';

export interface RunRecord {
  readonly id: string;
  readonly n: number;
  readonly agent: string;
  readonly session: string;
  readonly cause: string;
  readonly runtime: string;
  readonly state: RunState;
  readonly secondTry: boolean;
  /** The first post it was woken for. */
  readonly about: string | null;
  readonly process: { readonly pid: number; readonly startToken: string } | null;
  readonly bookedAt: number;
  readonly spawnedAt: number | null;
  readonly endedAt: number | null;
  readonly outcome: string | null;
  readonly message: string | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly costMicroUsd: number | null;
  readonly turns: number | null;
}

export interface NewRun {
  readonly id: string;
  readonly agent: string;
  readonly session: string;
  readonly cause: string;
  readonly runtime: string;
  readonly secondTry: boolean;
  readonly about: string | null;
  readonly wakes: readonly number[];
  readonly charge: Charge;
  /** The cap handed to the program, micro-dollars; `null` for a runtime that reports no cost. */
  readonly capMicroUsd: number | null;
  readonly at: number;
}

/** What becomes of the wakes of a run (design page 3, "Runs, and what becomes of their wakes"). */
export type WakeFate = 'done' | 'second_try' | 'back';

export interface RunEnd {
  readonly id: string;
  readonly at: number;
  readonly outcome: string;
  readonly message: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly costMicroUsd: number | null;
  readonly turns: number | null;
  /** What counts from now on. */
  readonly charge: Charge;
  readonly fate: WakeFate;
}

/** What a run counts for in the windows it falls into. */
export interface Charge {
  /** Integer micro-dollars. */
  readonly microUsd: number;
  readonly runs: 0 | 1;
  readonly unpricedRuns: 0 | 1;
}

export interface Booking {
  readonly run: string;
  readonly at: number;
  readonly charge: Charge;
  /** Whether the charge is final; until then it is what was booked. */
  readonly settled: boolean;
}

export interface BookingRowSql {
  run: string;
  at: number;
  micro_usd: number;
  runs: 0 | 1;
  unpriced_runs: 0 | 1;
  settled: number;
}

export const toBooking = (row: BookingRowSql): Booking => ({
  run: row.run,
  at: row.at,
  charge: { microUsd: row.micro_usd, runs: row.runs, unpricedRuns: row.unpriced_runs },
  settled: row.settled === 1,
});

export interface RunRowSql {
  id: string;
  n: number;
  agent: string;
  session: string;
  cause: string;
  runtime: string;
  state: RunState;
  second_try: number;
  about: Buffer | null;
  pid: number | null;
  start_token: string | null;
  booked_at: number;
  spawned_at: number | null;
  ended_at: number | null;
  outcome: string | null;
  message: string | null;
  exit_code: number | null;
  signal: string | null;
  cost: number | null;
  turns: number | null;
}

export const toRun = (row: RunRowSql): RunRecord => ({
  id: row.id,
  n: row.n,
  agent: row.agent,
  session: row.session,
  cause: row.cause,
  runtime: row.runtime,
  state: row.state,
  secondTry: row.second_try === 1,
  about: hexOrNull(row.about),
  process:
    row.pid === null || row.start_token === null ? null : { pid: row.pid, startToken: row.start_token },
  bookedAt: row.booked_at,
  spawnedAt: row.spawned_at,
  endedAt: row.ended_at,
  outcome: row.outcome,
  message: row.message,
  exitCode: row.exit_code,
  signal: row.signal,
  costMicroUsd: row.cost,
  turns: row.turns,
});
