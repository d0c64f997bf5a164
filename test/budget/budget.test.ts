import { describe, expect, it } from 'vitest';
import {
  type AdmissionFacts,
  admit,
  type Booking,
  type BudgetState,
  type Charge,
  settle,
  usedIn,
  windowEnd,
  windowStart,
} from '../../src/budget/index.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
const MIN = 60_000;
const PRICED: Charge = { microUsd: 500_000, runs: 1, unpricedRuns: 0 };

const day = (used: number, limit = 2_000_000): BudgetState => ({
  scope: 'agent:main',
  unit: 'micro_usd',
  window: 'day',
  limit,
  used,
});
const month = (used: number): BudgetState => ({ ...day(used), window: 'month', limit: 20_000_000, used });
const perDay = (used: number, limit = 48): BudgetState => ({ ...day(used, limit), unit: 'unpriced_runs' });
const perHour = (limit: number, ...minutesAgo: number[]): BudgetState => ({
  scope: 'agent:main',
  unit: 'runs',
  window: 'hour',
  limit,
  bookings: minutesAgo.map((ago) => ({ at: NOON - ago * MIN, charge: PRICED })),
});
const claude = (...budgets: BudgetState[]): AdmissionFacts => ({
  priced: true,
  maxMicroUsdPerRun: 500_000,
  budgets,
});
const codex = (...budgets: BudgetState[]): AdmissionFacts => ({
  priced: false,
  maxMicroUsdPerRun: 500_000,
  budgets,
});

describe('windows', () => {
  it('are UTC days and months, and the hour that ends now', () => {
    const leapDay = Date.UTC(2028, 1, 29, 23, 59, 59, 999);
    expect(windowStart('day', leapDay)).toBe(Date.UTC(2028, 1, 29));
    expect(windowEnd('day', leapDay)).toBe(Date.UTC(2028, 2, 1));
    expect(windowStart('month', leapDay)).toBe(Date.UTC(2028, 1, 1));
    expect(windowEnd('month', leapDay)).toBe(Date.UTC(2028, 2, 1));
    expect(windowEnd('month', Date.UTC(2026, 11, 31, 5))).toBe(Date.UTC(2027, 0, 1));
    expect(windowStart('day', Date.UTC(2026, 5, 1))).toBe(Date.UTC(2026, 5, 1));
    expect(windowStart('hour', NOON)).toBe(NOON - 3_599_999);
  });
});

describe('admit', () => {
  it('books the cap of a run when every window has more left', () => {
    expect(admit(claude(day(1_000_000), month(3_000_000)), NOON)).toEqual({
      kind: 'admit',
      charge: { microUsd: 500_000, runs: 1, unpricedRuns: 0 },
    });
  });

  it('books what is left of the tightest window when that is less', () => {
    expect(admit(claude(day(1_700_000), month(19_880_000)), NOON)).toMatchObject({
      charge: { microUsd: 120_000 },
    });
  });

  it('starts with exactly $0.02 left and waits for the reset below it', () => {
    expect(admit(claude(day(1_980_000)), NOON)).toMatchObject({
      kind: 'admit',
      charge: { microUsd: 20_000 },
    });
    expect(admit(claude(day(1_980_001)), NOON)).toEqual({
      kind: 'wait',
      until: Date.UTC(2026, 11, 1),
      because: {
        rule: 'budget',
        scope: 'agent:main',
        unit: 'micro_usd',
        window: 'day',
        saw: 1_980_001,
        limit: 2_000_000,
      },
    });
  });

  it('waits for the budget that frees last', () => {
    const now = Date.UTC(2026, 10, 12, 12);
    expect(admit(claude(day(9_000_000), month(20_000_000)), now)).toMatchObject({
      until: Date.UTC(2026, 11, 1),
      because: { window: 'month' },
    });
  });

  it('never starts a priced run on 0 dollars, a run or a window', () => {
    expect(admit({ ...claude(day(0)), maxMicroUsdPerRun: 0 }, NOON)).toMatchObject({
      kind: 'never',
      because: { window: 'run', limit: 0 },
    });
    expect(admit(claude(day(0, 0)), NOON)).toMatchObject({
      kind: 'never',
      because: { window: 'day', limit: 0 },
    });
  });

  it('gives no hope of a reset to a limit that is itself too small', () => {
    expect(admit(claude(day(0, 19_999)), NOON).kind).toBe('never');
    expect(admit(codex(perHour(0)), NOON).kind).toBe('never');
  });

  it('counts runs of the last hour and waits until enough of them are an hour old', () => {
    expect(admit(claude(perHour(3, 60, 30, 10)), NOON).kind).toBe('admit');
    expect(admit(claude(perHour(3, 59, 30, 10)), NOON)).toMatchObject({
      kind: 'wait',
      until: NOON + 1 * MIN,
    });
    // A lowered limit: two of the three must leave.
    expect(admit(claude(perHour(2, 59, 30, 10)), NOON)).toMatchObject({ until: NOON + 30 * MIN });
  });

  it('holds runs without a price to runs per day, and to no money', () => {
    expect(admit(codex(day(9_000_000), perDay(47)), NOON)).toEqual({
      kind: 'admit',
      charge: { microUsd: 0, runs: 1, unpricedRuns: 1 },
    });
    expect(admit(codex(perDay(48)), NOON)).toMatchObject({
      kind: 'wait',
      because: { unit: 'unpriced_runs', saw: 48 },
    });
    expect(admit(claude(perDay(48)), NOON).kind).toBe('admit');
  });
});

describe('settle', () => {
  it('takes the reported cost, below and above the cap', () => {
    expect(settle(PRICED, { kind: 'reported', microUsd: 9_001 })).toEqual({ ...PRICED, microUsd: 9_001 });
    expect(settle(PRICED, { kind: 'reported', microUsd: 5_000_000 })).toEqual({
      ...PRICED,
      microUsd: 5_000_000,
    });
    expect(settle(PRICED, { kind: 'reported', microUsd: 0 })).toEqual({ ...PRICED, microUsd: 0 });
  });

  it('counts the cap and an unpriced run when there is no report', () => {
    expect(settle(PRICED, { kind: 'none' })).toEqual({ microUsd: 500_000, runs: 1, unpricedRuns: 1 });
  });

  it.each([Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY])('takes a report of %s for none', (microUsd) => {
    expect(settle(PRICED, { kind: 'reported', microUsd })).toEqual({ ...PRICED, unpricedRuns: 1 });
  });

  it('does not count a run that sent nothing', () => {
    expect(settle(PRICED, { kind: 'nothing_sent' })).toEqual({ microUsd: 0, runs: 0, unpricedRuns: 0 });
  });
});

describe('usedIn', () => {
  const at = (time: number): Booking => ({ at: time, charge: PRICED });
  const midnight = Date.UTC(2026, 10, 30);

  it('counts from the first millisecond of the window on', () => {
    expect(usedIn('day', 'micro_usd', [at(midnight - 1), at(midnight)], NOON)).toBe(500_000);
    expect(usedIn('hour', 'runs', [at(NOON - 60 * MIN), at(NOON - 60 * MIN + 1)], NOON)).toBe(1);
  });

  it('counts bookings of the future, so that a clock set back frees nothing', () => {
    expect(usedIn('day', 'micro_usd', [at(NOON + 90 * 24 * 60 * MIN)], NOON)).toBe(500_000);
  });
});
