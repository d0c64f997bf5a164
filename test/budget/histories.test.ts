import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admit, type Booking, settle, usedIn, windowStart } from '../../src/budget/index.ts';

const START = Date.UTC(2026, 10, 30, 20);
const MIN = 60_000;
const DAY = 24 * 60 * MIN;

/** One thing that happens to a node. A crash is at the worst place: what it did not commit is lost. */
type Happening =
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'jump'; readonly ms: number }
  | {
      readonly do: 'post'; // wakes the agent: a run, if the budget admits one
      readonly costs: number; // of the cap: 0 … 10
      readonly ends: 'reported' | 'silent' | 'nothing_sent' | CrashPoint;
    };
type CrashPoint = 'crash_before_booking' | 'crash_before_spawn' | 'crash_running' | 'crash_before_settling';

interface Limits {
  readonly run: number;
  readonly day: number;
  readonly month: number;
  readonly perHour: number;
}

interface Ran {
  readonly at: number;
  readonly booked: number;
  /** What the provider took in truth. */
  readonly spent: number;
  readonly crashed: boolean;
}

/** A node in thirty lines: the books survive a crash, nothing else does. */
function live(happenings: readonly Happening[], limits: Limits): { books: Booking[]; ran: Ran[] } {
  const books: Booking[] = [];
  const ran: Ran[] = [];
  let now = START;
  for (const happening of happenings) {
    if (happening.do !== 'post') {
      now += happening.ms;
      continue;
    }
    const { ends, costs } = happening;
    const scope = 'agent:main';
    const admission = admit(
      {
        priced: true,
        maxMicroUsdPerRun: limits.run,
        budgets: [
          { scope, unit: 'runs', window: 'hour', limit: limits.perHour, bookings: books },
          ...(['day', 'month'] as const).map((window) => ({
            scope,
            window,
            unit: 'micro_usd' as const,
            limit: limits[window],
            used: usedIn(window, 'micro_usd', books, now),
          })),
        ],
      },
      now,
    );
    if (admission.kind !== 'admit' || ends === 'crash_before_booking') continue;
    const { charge } = admission;
    const at = now;
    const booking = books.push({ at, charge }) - 1;
    const spent =
      ends === 'nothing_sent' || ends === 'crash_before_spawn' ? 0 : Math.ceil(charge.microUsd * costs);
    now += 2 * MIN;
    ran.push({ at, booked: charge.microUsd, spent, crashed: ends.startsWith('crash') });
    const report =
      ends === 'reported'
        ? ({ kind: 'reported', microUsd: spent } as const)
        : ends === 'nothing_sent'
          ? ({ kind: 'nothing_sent' } as const)
          : ({ kind: 'none' } as const);
    books[booking] = { at, charge: settle(charge, report) };
  }
  return { books, ran };
}

const history = (dearest: number): fc.Arbitrary<Happening[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('pass' as const),
          ms: fc.integer({ min: 0, max: 9 * 60 * MIN }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('jump' as const),
          ms: fc.integer({ min: -40 * DAY, max: 40 * DAY }),
        }),
      },
      {
        weight: 8,
        arbitrary: fc.record({
          do: fc.constant('post' as const),
          costs: fc.oneof(
            fc.double({ min: 0, max: 1, noNaN: true }),
            fc.double({ min: 0, max: dearest, noNaN: true }),
          ),
          ends: fc.constantFrom(
            ...(['reported', 'reported', 'reported', 'silent', 'nothing_sent'] as const),
            ...([
              'crash_before_booking',
              'crash_before_spawn',
              'crash_running',
              'crash_before_settling',
            ] as const),
          ),
        }),
      },
    ),
    { maxLength: 40, size: 'max' },
  );

const limits = fc.record({
  run: fc.integer({ min: 1, max: 1_000_000 }),
  day: fc.integer({ min: 0, max: 3_000_000 }),
  month: fc.integer({ min: 0, max: 10_000_000 }),
  perHour: fc.integer({ min: 1, max: 30 }),
});

/** Groups by the calendar window that a time lies in, and sums. */
function perWindow<T extends { at: number }>(
  window: 'day' | 'month',
  items: readonly T[],
  amount: (item: T) => number,
): Map<number, number> {
  const sums = new Map<number, number>();
  for (const item of items) {
    const key = windowStart(window, item.at);
    sums.set(key, (sums.get(key) ?? 0) + amount(item));
  }
  return sums;
}

describe('budgets, over arbitrary histories of posts, crashes, clock jumps and costs', () => {
  it("spend passes a window's limit by no more than one program's overshoot, which may be tenfold", () => {
    let overshot = 0;
    fc.assert(
      fc.property(history(10), limits, (happenings, limit) => {
        const { books, ran } = live(happenings, limit);
        for (const window of ['day', 'month'] as const) {
          for (const [start, sum] of perWindow(window, books, (b) => b.charge.microUsd)) {
            const inWindow = books
              .map((b, n) => ({ over: b.charge.microUsd - (ran[n]?.booked ?? 0), at: b.at }))
              .filter(({ at }) => windowStart(window, at) === start);
            const worst = Math.max(0, ...inWindow.map(({ over }) => over));
            if (sum > limit[window]) overshot += 1;
            expect(sum).toBeLessThanOrEqual(limit[window] + worst);
          }
        }
      }),
      { numRuns: 10_000 },
    );
    expect(overshot).toBeGreaterThan(100);
  });

  it('programs that keep to their cap never pass a limit, whatever crashes: not even by what crashed runs took unseen', () => {
    let crashes = 0;
    fc.assert(
      fc.property(history(1), limits, (happenings, limit) => {
        const { ran } = live(happenings, limit);
        crashes += ran.filter(({ crashed }) => crashed).length;
        for (const window of ['day', 'month'] as const) {
          for (const sum of perWindow(window, ran, ({ spent }) => spent).values())
            expect(sum).toBeLessThanOrEqual(limit[window]);
        }
      }),
      { numRuns: 10_000 },
    );
    expect(crashes).toBeGreaterThan(1000);
  });

  it('no hour holds more runs than its limit, however the clock jumps', () => {
    fc.assert(
      fc.property(history(2), limits, (happenings, limit) => {
        const { books } = live(happenings, { ...limit, day: 1e12, month: 1e12 });
        const counted = books.filter(({ charge }) => charge.runs === 1);
        for (const { at } of counted) {
          const hour = counted.filter((other) => other.at >= at && other.at < at + 60 * MIN);
          expect(hour.length).toBeLessThanOrEqual(limit.perHour);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('what waits is admitted at the time that was named, and not a millisecond before', () => {
    const bookings = fc.array(
      fc.record({
        at: fc.integer({ min: START - 2 * 60 * MIN, max: START + 30 * MIN }),
        charge: fc.constant({ microUsd: 1, runs: 1 as const, unpricedRuns: 0 as const }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(bookings, fc.integer({ min: 1, max: 4 }), (books, limit) => {
        const at = (now: number) =>
          admit(
            {
              priced: true,
              maxMicroUsdPerRun: 1,
              budgets: [{ scope: 'a', unit: 'runs', window: 'hour', limit, bookings: books }],
            },
            now,
          );
        const verdict = at(START);
        if (verdict.kind !== 'wait') return;
        expect(at(verdict.until).kind).toBe('admit');
        expect(at(verdict.until - 1).kind).toBe('wait');
      }),
    );
  });
});
