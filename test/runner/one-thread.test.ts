import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DecisionFacts, decide, type HeldWake, type QueuedWake } from '../../src/runner/index.ts';

const NOW = Date.UTC(2026, 9, 16, 12);

function facts(wakes: readonly QueuedWake[], over: Partial<DecisionFacts> = {}): DecisionFacts {
  return {
    running: null,
    halt: null,
    pausedAt: null,
    blocked: null,
    wakes: wakes.map((wake): HeldWake => ({ wake, hold: null })),
    everyMs: 0,
    wakesPerRun: 8,
    oneThreadPerRun: true,
    admission: { priced: false, maxMicroUsdPerRun: 500_000, budgets: [] },
    ...over,
  };
}

function wake(id: number, cause: QueuedWake['cause'], thread: string | null = null): QueuedWake {
  return {
    id,
    cause,
    author: cause === 'post' ? 'b'.repeat(64) : null,
    thread,
    session: thread === null ? cause : `thread:${thread}`,
    missed: 0,
    queuedAt: NOW - 60_000 + id,
    tries: 0,
    loopLogged: false,
  };
}

function taken(wakes: readonly QueuedWake[], over: Partial<DecisionFacts> = {}): readonly number[] {
  const verdict = decide(facts(wakes, over), NOW);
  return verdict.kind === 'start' ? verdict.wakes.map(({ id }) => id) : [];
}

const MIXED = [
  wake(1, 'post', 'a'),
  wake(2, 'post', 'b'),
  wake(3, 'post', 'a'),
  wake(4, 'heartbeat'),
  wake(5, 'post', 'b'),
];

test('a run takes the posts of the oldest wake’s thread and leaves the others', () => {
  expect(taken(MIXED)).toEqual([1, 3]);
  expect(taken(MIXED, { oneThreadPerRun: false })).toEqual([1, 2, 3, 4, 5]);
});

test('a heartbeat is a conversation of its own', () => {
  expect(taken([wake(1, 'heartbeat'), wake(2, 'post', 'a')])).toEqual([1]);
});

test('a person’s request goes along with the oldest thread, last, and alone where nothing else waits', () => {
  expect(taken([wake(1, 'person'), ...MIXED.map((one) => ({ ...one, id: one.id + 1 }))])).toEqual([2, 4, 1]);
  expect(taken([wake(1, 'post', 'a'), wake(2, 'post', 'a'), wake(3, 'person')], { wakesPerRun: 2 })).toEqual([
    1, 3,
  ]);
  expect(taken([wake(1, 'person')])).toEqual([1]);
});

test('whatever waits, a run holds one conversation, starts with it, and every wake is taken in the end', () => {
  const cause = fc.constantFrom<QueuedWake['cause']>('post', 'post', 'post', 'heartbeat', 'person');
  const one = fc.record({ cause, thread: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(
      fc.array(one, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      (list, wakesPerRun) => {
        let left = list.map(({ cause, thread }, i) => wake(i + 1, cause, cause === 'post' ? thread : null));
        while (left.length > 0) {
          const verdict = decide(facts(left, { wakesPerRun }), NOW);
          if (verdict.kind !== 'start') throw new Error('nothing starts');
          const sessions = new Set(
            verdict.wakes.filter(({ cause }) => cause !== 'person').map(({ session }) => session),
          );
          expect(sessions.size).toBeLessThanOrEqual(1);
          if (sessions.size === 1 && verdict.wakes.length > 1)
            expect(sessions).toContain(verdict.wakes[0]?.session);
          expect(verdict.wakes.length).toBeGreaterThan(0);
          left = left.filter(({ id }) => !verdict.wakes.some((gone) => gone.id === id));
        }
      },
    ),
  );
});
