import { amountOf, type Booking, type Charge, MIN_LEFT_MICRO_USD, type Unit, usedIn } from './charge.ts';
import { HOUR_MS, windowEnd, windowStart } from './windows.ts';

/** One budget of the list that must admit a run, with what was used of it. `scope` says whose it is. */
export type BudgetState = {
  readonly scope: string;
  readonly unit: Unit;
  /** Micro-dollars or runs; 0 admits nothing. */
  readonly limit: number;
} & (
  | {
      readonly window: 'day' | 'month';
      /** Sum of every booking at or after `windowStart(window, now)`. */
      readonly used: number;
    }
  | {
      readonly window: 'hour';
      /** The bookings of the hour, in any order; older ones may be there. */
      readonly bookings: readonly Booking[];
    }
);

export interface AdmissionFacts {
  /** Whether the runtime reports what a run costs. One that does not is counted in runs alone. */
  readonly priced: boolean;
  /** The setting `agent.max_usd_per_run` in micro-dollars; 0: no priced run. */
  readonly maxMicroUsdPerRun: number;
  readonly budgets: readonly BudgetState[];
}

/** The budget that refuses: what it saw used, and its limit. `window` is `run` for the cap of a single run. */
export interface Refusal {
  readonly rule: 'budget';
  readonly scope: string;
  readonly unit: Unit;
  readonly window: 'run' | 'hour' | 'day' | 'month';
  readonly saw: number;
  readonly limit: number;
}

export type Admission =
  /** Book this charge, then start; `charge.microUsd` of a priced run is the cap that the program is handed. */
  | { readonly kind: 'admit'; readonly charge: Charge }
  /** No room before `until`, ms since the epoch; `because` is the budget that frees last. */
  | { readonly kind: 'wait'; readonly until: number; readonly because: Refusal }
  /** No reset can help: the limit itself has no room for one run. */
  | { readonly kind: 'never'; readonly because: Refusal };

/**
 * Whether a run may be booked now: every budget must admit it (design page 3, "Budgets"). A priced run is booked
 * at the smallest of its own cap and what is left of each window.
 *
 * @param now ms since the epoch
 */
export function admit(facts: AdmissionFacts, now: number): Admission {
  const { priced, maxMicroUsdPerRun } = facts;
  if (priced && maxMicroUsdPerRun <= 0) {
    const because: Refusal = {
      rule: 'budget',
      scope: 'run',
      unit: 'micro_usd',
      window: 'run',
      saw: 0,
      limit: 0,
    };
    return { kind: 'never', because };
  }
  let cap = maxMicroUsdPerRun;
  let wait: Extract<Admission, { kind: 'wait' }> | null = null;
  for (const budget of facts.budgets) {
    const need = needOf(budget.unit, priced);
    if (need === 0) continue;
    const used = usedOf(budget, now);
    const left = budget.limit - used;
    if (left >= need) {
      if (budget.unit === 'micro_usd') cap = Math.min(cap, left);
      continue;
    }
    const { scope, unit, window, limit } = budget;
    const because: Refusal = { rule: 'budget', scope, unit, window, saw: used, limit };
    if (limit < need) return { kind: 'never', because };
    const until = freeAt(budget, need, now);
    if (wait === null || until > wait.until) wait = { kind: 'wait', until, because };
  }
  if (wait !== null) return wait;
  return {
    kind: 'admit',
    charge: priced ? { microUsd: cap, runs: 1, unpricedRuns: 0 } : { microUsd: 0, runs: 1, unpricedRuns: 1 },
  };
}

/** What must be left of a budget for one run; 0 when the budget is not about such runs. */
function needOf(unit: Unit, priced: boolean): number {
  switch (unit) {
    case 'micro_usd':
      return priced ? MIN_LEFT_MICRO_USD : 0;
    case 'unpriced_runs':
      return priced ? 0 : 1;
    case 'runs':
      return 1;
    default:
      return unit satisfies never;
  }
}

function usedOf(budget: BudgetState, now: number): number {
  return budget.window === 'hour' ? usedIn('hour', budget.unit, budget.bookings, now) : budget.used;
}

/** When a budget that refuses now has room for `need`, if nothing else is booked. */
function freeAt(budget: BudgetState, need: number, now: number): number {
  if (budget.window !== 'hour') return windowEnd(budget.window, now);
  const start = windowStart('hour', now);
  const inHour = budget.bookings.filter(({ at }) => at >= start).sort((a, b) => a.at - b.at);
  let used = usedOf(budget, now);
  for (const { at, charge } of inHour) {
    used -= amountOf(charge, budget.unit);
    if (budget.limit - used >= need) return at + HOUR_MS;
  }
  return now + HOUR_MS;
}
