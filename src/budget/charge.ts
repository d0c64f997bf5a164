import { type Window, windowStart } from './windows.ts';

/** What a run counts for. A priced run is booked at its cap before its process starts, and settled after. */
export interface Charge {
  /** Integer micro-dollars. When booked: the cap that the program is handed. */
  readonly microUsd: number;
  /** Counts in `agent.max_runs_per_hour`. */
  readonly runs: 0 | 1;
  /** Counts in `agent.max_runs_per_day`, which is for runs that report no cost. */
  readonly unpricedRuns: 0 | 1;
}

/** A charge in the books, at the time it was booked, which settling does not move. ms since the epoch. */
export interface Booking {
  readonly at: number;
  readonly charge: Charge;
}

/** What a budget counts. */
export type Unit = 'micro_usd' | 'runs' | 'unpriced_runs';

/** Less than this left in a window starts no priced run: $0.02. */
export const MIN_LEFT_MICRO_USD = 20_000;

export type Report =
  /** The program said what it cost. */
  | { readonly kind: 'reported'; readonly microUsd: number }
  /** Nothing reached the provider (no process, no tools, not logged in): the run does not count. */
  | { readonly kind: 'nothing_sent' }
  /** It ended, or the daemon died, without a report. */
  | { readonly kind: 'none' };

/**
 * What a run counts for once it ended. The reported cost stands, also above the cap. Without a report a priced
 * run counts its cap and one unpriced run, so that a crash is never free; a report that is no whole number of
 * micro-dollars is none.
 */
export function settle(booked: Charge, report: Report): Charge {
  switch (report.kind) {
    case 'nothing_sent':
      return { microUsd: 0, runs: 0, unpricedRuns: 0 };
    case 'reported':
      if (Number.isSafeInteger(report.microUsd) && report.microUsd >= 0)
        return { ...booked, microUsd: report.microUsd };
      return settle(booked, { kind: 'none' });
    case 'none':
      return { microUsd: booked.microUsd, runs: 1, unpricedRuns: 1 };
    default:
      return report satisfies never;
  }
}

/**
 * What a window holds: every booking at or after its start. Those dated in the future count too, so that a
 * clock set back frees no money.
 *
 * @param now ms since the epoch
 */
export function usedIn(window: Window, unit: Unit, bookings: readonly Booking[], now: number): number {
  const start = windowStart(window, now);
  let used = 0;
  for (const { at, charge } of bookings) if (at >= start) used += amountOf(charge, unit);
  return used;
}

export function amountOf(charge: Charge, unit: Unit): number {
  if (unit === 'micro_usd') return charge.microUsd;
  return unit === 'runs' ? charge.runs : charge.unpricedRuns;
}
