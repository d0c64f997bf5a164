import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DecisionFacts, decide, type HeldWake, type Verdict } from '../../src/runner/index.ts';
import { HOUR, MINUTE, SECOND, START } from './support/world.ts';

const LOOP = { rule: 'loop', saw: 31, limit: 30, other: 'c'.repeat(64) } as const;
const CAP = { rule: 'author_cap', saw: 3, limit: 3, until: START + 20 * MINUTE } as const;

let ids = 0;
function wake(over: Partial<HeldWake['wake']> = {}, hold: HeldWake['hold'] = null): HeldWake {
  return {
    wake: {
      id: ++ids,
      cause: 'post',
      author: 'b'.repeat(64),
      thread: 'd'.repeat(64),
      session: `thread:${'d'.repeat(64)}`,
      missed: 0,
      queuedAt: START - HOUR,
      tries: 0,
      loopLogged: false,
      ...over,
    },
    hold,
  };
}

const MONEY = { scope: 'agent', unit: 'micro_usd', window: 'day', limit: 2_000_000, used: 0 } as const;
const RUNS = { scope: 'agent', unit: 'runs', window: 'hour', limit: 6, bookings: [] } as const;
const bookedRuns = (count: number) => ({
  ...RUNS,
  bookings: Array.from({ length: count }, (_, n) => ({
    at: START - (n + 1) * MINUTE,
    charge: { microUsd: 0, runs: 1 as const, unpricedRuns: 0 as const },
  })),
});

function facts(over: Partial<DecisionFacts> = {}): DecisionFacts {
  return {
    running: null,
    halt: null,
    pausedAt: null,
    blocked: null,
    wakes: [wake()],
    everyMs: 30 * SECOND,
    wakesPerRun: 8,
    oneThreadPerRun: false,
    admission: { priced: true, maxMicroUsdPerRun: 500_000, budgets: [RUNS, MONEY] },
    ...over,
  };
}

const BLOCKED = { code: 'auth', text: 'log in', until: START + 10 * MINUTE, count: 1 };
const spent = (used: number) => ({
  admission: { priced: true, maxMicroUsdPerRun: 500_000, budgets: [RUNS, { ...MONEY, used }] },
});
const fresh = () => wake({ queuedAt: START - 10 * SECOND });

describe('what the runner decides', () => {
  const rows: [string, DecisionFacts, Partial<Verdict> | { because: unknown }][] = [
    ['nothing waits', facts({ wakes: [] }), { kind: 'idle' }],
    [
      'a wake that waited long enough starts a run at the cap of one',
      facts(),
      { kind: 'start', charge: { microUsd: 500_000, runs: 1, unpricedRuns: 0 } },
    ],
    [
      'what is left of the day is the cap when it is less',
      facts(spent(1_700_000)),
      { kind: 'start', charge: { microUsd: 300_000, runs: 1, unpricedRuns: 0 } },
    ],
    ['two cents are enough', facts(spent(1_980_000)), { kind: 'start' }],
    [
      'less than two cents wait for the day to end',
      facts(spent(1_980_001)),
      {
        kind: 'wait',
        until: Date.UTC(2026, 10, 17),
        because: expect.objectContaining({ rule: 'budget', window: 'day' }),
      },
    ],
    ['a halt', facts({ halt: 'h1' }), { kind: 'wait', until: null, because: { rule: 'halted', saw: 'h1' } }],
    [
      'a pause by a person',
      facts({ pausedAt: START - 5 }),
      { kind: 'wait', until: null, because: { rule: 'paused', saw: START - 5 } },
    ],
    [
      'what an earlier run met',
      facts({ blocked: BLOCKED }),
      {
        kind: 'wait',
        until: BLOCKED.until,
        because: { rule: 'blocked', saw: 'auth', text: 'log in', until: BLOCKED.until },
      },
    ],
    ['… until it is time to look again', facts({ blocked: { ...BLOCKED, until: START } }), { kind: 'start' }],
    [
      'the debounce counts from the first wake, not from the last',
      facts({ wakes: [wake({ queuedAt: START - 20 * SECOND }), wake({ queuedAt: START - SECOND })] }),
      {
        kind: 'wait',
        until: START + 10 * SECOND,
        because: { rule: 'debounce', saw: 20 * SECOND, limit: 30 * SECOND, until: START + 10 * SECOND },
      },
    ],
    [
      'a heartbeat that is due waits for nothing',
      facts({ wakes: [fresh(), wake({ cause: 'heartbeat', author: null })] }),
      { kind: 'start' },
    ],
    [
      'nor does a person',
      facts({ wakes: [fresh(), wake({ cause: 'person', author: null })] }),
      { kind: 'start' },
    ],
    [
      'six runs in the last hour: the seventh waits until the first of them is an hour old',
      facts({ admission: { priced: true, maxMicroUsdPerRun: 500_000, budgets: [bookedRuns(6), MONEY] } }),
      {
        kind: 'wait',
        until: START + 54 * MINUTE,
        because: { rule: 'runs_per_hour', saw: 6, limit: 6, until: START + 54 * MINUTE },
      },
    ],
    [
      'another run',
      facts({ running: 'r-1' }),
      { kind: 'wait', until: null, because: { rule: 'running', saw: 'r-1' } },
    ],
    [
      'zero dollars a run never start a priced one',
      facts({ admission: { priced: true, maxMicroUsdPerRun: 0, budgets: [RUNS, MONEY] } }),
      {
        kind: 'wait',
        until: null,
        because: expect.objectContaining({ rule: 'budget', window: 'run', limit: 0 }),
      },
    ],
    [
      'every wake is held: the oldest hold is the reason, the first that ends by itself the time',
      facts({ wakes: [wake({}, LOOP), wake({}, CAP)] }),
      { kind: 'wait', until: CAP.until, because: LOOP },
    ],
    [
      'held by a loop alone: only somebody else can change that',
      facts({ wakes: [wake({}, LOOP)] }),
      { kind: 'wait', until: null, because: LOOP },
    ],
  ];
  test.each(rows)('%s', (_name, given, expected) => {
    expect(decide(given, START)).toMatchObject(expected);
  });

  test('a person is in the run that they asked for, however many wakes are older', () => {
    const posts = Array.from({ length: 12 }, () => wake());
    const person = wake({ cause: 'person', author: null });
    const verdict = decide(facts({ wakes: [...posts, person], wakesPerRun: 3 }), START);
    expect(verdict).toMatchObject({ kind: 'start', wakes: [posts[0]?.wake, posts[1]?.wake, person.wake] });
  });
});

/** Which of the things that hold everything are true, in the order of the design. */
const ALL_HOLDS = ['halted', 'paused', 'blocked', 'debounce', 'budget', 'running'] as const;

function ruleOf(verdict: Verdict): string {
  if (verdict.kind !== 'wait') return verdict.kind;
  const { rule } = verdict.because;
  return rule === 'runs_per_hour' ? 'budget' : rule;
}

describe('properties of the decision', () => {
  const arbWake = fc
    .record({
      cause: fc.constantFrom('post' as const, 'post' as const, 'heartbeat' as const, 'person' as const),
      ago: fc.integer({ min: -MINUTE, max: 2 * MINUTE }),
      hold: fc.constantFrom(null, null, LOOP, CAP),
    })
    .map(({ cause, ago, hold }) => wake({ cause, queuedAt: START - ago }, hold));
  const arbFacts = fc
    .record({
      running: fc.constantFrom(null, null, 'r-1'),
      halt: fc.constantFrom(null, null, null, 'h1'),
      pausedAt: fc.constantFrom(null, null, null, START - 1),
      blocked: fc.constantFrom(null, null, BLOCKED, { ...BLOCKED, until: START - 1 }),
      wakes: fc.array(arbWake, { maxLength: 12 }),
      everyMs: fc.constantFrom(0, 30 * SECOND),
      wakesPerRun: fc.integer({ min: 1, max: 4 }),
      used: fc.constantFrom(0, 1_900_000, 1_990_000, 5_000_000),
      hour: fc.integer({ min: 0, max: 7 }),
    })
    .map(({ used, hour, ...rest }) =>
      facts({
        ...rest,
        admission: {
          priced: true,
          maxMicroUsdPerRun: 500_000,
          budgets: [bookedRuns(hour), { ...MONEY, used }],
        },
      }),
    );
  const overBudget = (given: DecisionFacts): boolean => {
    const [hour, day] = given.admission.budgets;
    return (
      (hour !== undefined && 'bookings' in hour && hour.bookings.length >= 6) ||
      (day !== undefined && 'used' in day && day.used > 1_980_000)
    );
  };

  test('nothing starts while something forbids it, and what is named is the first that does', () => {
    fc.assert(
      fc.property(arbFacts, (given) => {
        const free = given.wakes.filter(({ hold }) => hold === null).map((held) => held.wake);
        // A first wake dated in the future was queued before the clock was set back: it has waited long enough.
        const first = Math.min(...free.map(({ queuedAt }) => queuedAt));
        const young =
          free.every(({ cause }) => cause === 'post') && first <= START && first + given.everyMs > START;
        const truths: Record<(typeof ALL_HOLDS)[number], boolean> = {
          halted: given.halt !== null,
          paused: given.pausedAt !== null,
          blocked: given.blocked !== null && given.blocked.until > START,
          debounce: young,
          budget: overBudget(given),
          running: given.running !== null,
        };
        const forbids = ALL_HOLDS.find((hold) => truths[hold]);
        const everything = forbids === 'halted' || forbids === 'paused' || forbids === 'blocked';
        const held = free.length === 0 && !everything ? given.wakes[0]?.hold?.rule : undefined;
        const expected = given.wakes.length === 0 ? 'idle' : (held ?? forbids ?? 'start');
        expect(ruleOf(decide(given, START))).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a run takes free wakes only, the oldest, at most as many as one run may; a person takes the last place', () => {
    fc.assert(
      fc.property(arbFacts, (given) => {
        const verdict = decide(given, START);
        if (verdict.kind !== 'start') return;
        const free = given.wakes.filter(({ hold }) => hold === null).map((held) => held.wake);
        const taken = verdict.wakes;
        expect(taken.length).toBe(Math.min(free.length, given.wakesPerRun));
        const positions = taken.map((one) => free.indexOf(one));
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
        const last = taken.at(-1);
        const others = last?.cause === 'person' ? positions.slice(0, -1) : positions;
        expect(others).toEqual(others.map((_, n) => n));
        if (free.some(({ cause }) => cause === 'person'))
          expect(taken.some(({ cause }) => cause === 'person')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('held wakes change nothing for free ones', () => {
    fc.assert(
      fc.property(arbFacts, (given) => {
        const free = given.wakes.filter(({ hold }) => hold === null);
        fc.pre(free.length > 0);
        expect(decide(given, START)).toEqual(decide({ ...given, wakes: free }, START));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a person skips the debounce and nothing else', () => {
    fc.assert(
      fc.property(arbFacts, (given) => {
        const wakes = [...given.wakes, wake({ cause: 'person', author: null })];
        const asked = decide({ ...given, wakes }, START);
        expect(asked).toEqual(decide({ ...given, wakes, everyMs: 0 }, START));
        const posts = given.wakes.filter((held) => held.wake.cause === 'post' && held.hold === null);
        fc.pre(posts.length > 0);
        const alone = decide({ ...given, wakes: posts, everyMs: 0 }, START);
        expect(asked.kind).toBe(alone.kind);
        if (asked.kind === 'wait' && alone.kind === 'wait') expect(asked.because).toEqual(alone.because);
      }),
      { numRuns: 1_000 },
    );
  });
});
