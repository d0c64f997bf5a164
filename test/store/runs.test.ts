import { describe, expect, it } from 'vitest';
import type { NewRun, RunEnd, Store } from '../../src/store/index.ts';
import type { Post } from '../../src/swarm/index.ts';
import { ANN, hex, NOW, post, put, reply, tempStore } from './support.ts';

const AGENT = hex('agent');
const CHARGE = { microUsd: 500_000, runs: 1, unpricedRuns: 0 } as const;

function setUp(count = 2): { store: Store; posts: Post[]; wakes: number[] } {
  const store = tempStore();
  store.people.addAgent('main', AGENT);
  const posts = Array.from({ length: count }, () => post());
  put(store, ...posts);
  store.wakes.step('main', 100, NOW, () => ({ verdict: 'wake', rule: 'ask' }));
  return { store, posts, wakes: store.wakes.queued('main', 100).map(({ id }) => id) };
}

const booking = (id: string, wakes: readonly number[], fields: Partial<NewRun> = {}): NewRun => ({
  id,
  agent: 'main',
  session: 'thread:x',
  cause: 'post',
  runtime: 'claude',
  secondTry: false,
  about: null,
  wakes,
  charge: CHARGE,
  capMicroUsd: 500_000,
  at: NOW,
  ...fields,
});

const ending = (id: string, fate: RunEnd['fate'], fields: Partial<RunEnd> = {}): RunEnd => ({
  id,
  at: NOW + 1_000,
  outcome: 'ok',
  message: '',
  exitCode: 0,
  signal: null,
  costMicroUsd: 120_000,
  turns: 3,
  charge: { ...CHARGE, microUsd: 120_000 },
  fate,
  ...fields,
});

function did(store: Store, run: string, kind: string, parent: string | null): void {
  store.effects.record({
    agent: 'main',
    run,
    author: AGENT,
    tool: 'reply',
    request: null,
    argsHash: hex('args'),
    kind,
    parent,
    result: `"${run} ${kind}"`,
    at: NOW,
  });
}
const states = (store: Store, posts: readonly Post[]) =>
  posts.map((_, n) => {
    const { wake } = store.wakes.history('main', n + 1);
    return wake && [wake.state, wake.tries, wake.run];
  });

describe('a run', () => {
  it('takes its wakes and books its money in one step', () => {
    const { store, posts, wakes } = setUp();
    const run = store.runs.book(booking('r-1', wakes.slice(0, 1), { about: posts[0]!.id }));
    expect(run).toMatchObject({
      id: 'r-1',
      n: 1,
      state: 'booked',
      about: posts[0]!.id,
      bookedAt: NOW,
      process: null,
    });
    expect(states(store, posts)).toEqual([
      ['taken', 0, 'r-1'],
      ['queued', 0, null],
    ]);
    expect(store.runs.booking('r-1')).toEqual({ run: 'r-1', at: NOW, charge: CHARGE, settled: false });
    expect(store.wakes.takenAt('main', ANN, NOW)).toEqual([NOW]);
    expect(store.wakes.takenAt('main', ANN, NOW + 1)).toEqual([]);
  });

  it('is not booked when one of its wakes was taken already, nor is its money', () => {
    const { store, posts, wakes } = setUp();
    store.runs.book(booking('r-1', wakes.slice(1)));
    expect(() => store.runs.book(booking('r-2', wakes))).toThrow(/taken already/);
    expect(store.runs.byId('r-2')).toBeNull();
    expect(store.runs.bookingsSince('main', 0)).toHaveLength(1);
    expect(states(store, posts)[0]).toEqual(['queued', 0, null]);
  });

  it('goes from booked to spawned to ended, and stays ended', () => {
    const { store, wakes } = setUp();
    store.runs.book(booking('r-1', wakes));
    store.runs.spawned('r-1', { pid: 42, startToken: 't' }, NOW + 5);
    expect(store.runs.open('main')).toMatchObject([
      { state: 'spawned', process: { pid: 42, startToken: 't' }, spawnedAt: NOW + 5 },
    ]);
    expect(store.runs.end(ending('r-1', 'done'))).toBe(true);
    expect(store.runs.end(ending('r-1', 'back', { outcome: 'interrupted' }))).toBe(false);
    store.runs.spawned('r-1', { pid: 43, startToken: 'u' }, NOW + 9);
    expect(store.runs.byId('r-1')).toMatchObject({
      state: 'ended',
      outcome: 'ok',
      costMicroUsd: 120_000,
      turns: 3,
      endedAt: NOW + 1_000,
      process: { pid: 42 },
    });
    expect(store.runs.booking('r-1')).toMatchObject({ settled: true, charge: { microUsd: 120_000 } });
    expect(store.runs.open('main')).toEqual([]);
    expect(store.wakes.queuedCount('main')).toBe(0);
  });

  it('numbers runs in the order of booking, whatever the clock does', () => {
    const { store } = setUp(0);
    for (const [n, at] of [NOW, NOW - 60_000, NOW + 5].entries())
      store.runs.book(booking(`r-${n}`, [], { at }));
    expect(store.runs.newest('main', 2).map(({ id, n }) => [id, n])).toEqual([
      ['r-2', 3],
      ['r-1', 2],
    ]);
    expect(store.runs.newest('main', 2, 2).map(({ id }) => id)).toEqual(['r-0']);
    expect(store.runs.count('main')).toBe(3);
  });
});

describe('what becomes of the wakes of a run', () => {
  it('done: all of them are', () => {
    const { store, posts, wakes } = setUp();
    store.runs.book(booking('r-1', wakes));
    store.runs.end(ending('r-1', 'done'));
    expect(states(store, posts)).toEqual(posts.map(() => ['done', 0, 'r-1']));
  });

  it('second_try: back once, but for those that were answered or drafted for; then done', () => {
    const { store, posts, wakes } = setUp(3);
    store.runs.book(booking('r-1', wakes));
    did(store, 'r-1', 'answer', posts[1]!.id);
    store.runs.end(ending('r-1', 'second_try', { outcome: 'error' }));
    expect(states(store, posts)).toEqual([
      ['queued', 1, null],
      ['done', 0, 'r-1'],
      ['queued', 1, null],
    ]);
    // Not counted while it is queued: it is when it is taken again.
    expect(store.wakes.takenAt('main', ANN, 0)).toEqual([NOW]);
    store.runs.book(booking('r-2', [wakes[0]!], { secondTry: true }));
    store.runs.end(ending('r-2', 'second_try', { outcome: 'stalled' }));
    expect(states(store, posts)[0]).toEqual(['done', 1, 'r-2']);
    expect(states(store, posts)[2]).toEqual(['queued', 1, null]);
  });

  it('back: uncounted, however often, but for those that were answered', () => {
    const { store, posts, wakes } = setUp();
    for (const id of ['r-1', 'r-2', 'r-3']) {
      store.runs.book(booking(id, wakes));
      store.runs.end(ending(id, 'back', { outcome: 'rate_limited' }));
    }
    expect(states(store, posts)).toEqual(posts.map(() => ['queued', 0, null]));
    store.runs.book(booking('r-4', wakes));
    did(store, 'r-4', 'clarify', posts[0]!.id);
    store.runs.end(ending('r-4', 'back', { outcome: 'rate_limited' }));
    expect(states(store, posts)).toEqual([
      ['done', 0, 'r-4'],
      ['queued', 0, null],
    ]);
  });

  it('a word about the work is no answer', () => {
    const { store, posts, wakes } = setUp(3);
    store.runs.book(booking('r-1', wakes));
    did(store, 'r-1', 'progress', posts[0]!.id);
    did(store, 'r-1', 'claim', posts[1]!.id);
    did(store, 'r-1', 'answer', reply(posts[2]!).id);
    store.runs.end(ending('r-1', 'second_try', { outcome: 'interrupted' }));
    expect(states(store, posts).map((state) => state?.[0])).toEqual(['queued', 'queued', 'queued']);
  });

  it('an effect of another run answers nothing', () => {
    const { store, posts, wakes } = setUp();
    store.runs.book(booking('r-1', wakes));
    did(store, 'r-0', 'answer', posts[0]!.id);
    store.runs.end(ending('r-1', 'second_try', { outcome: 'error' }));
    expect(states(store, posts)[0]?.[0]).toBe('queued');
  });
});

describe('bookings', () => {
  it('are those at or after a time, also of a clock that ran ahead', () => {
    const { store } = setUp(0);
    for (const at of [NOW - 1, NOW, NOW + 9e9]) store.runs.book(booking(`r-${at}`, [], { at }));
    expect(store.runs.bookingsSince('main', NOW).map(({ at }) => at)).toEqual([NOW, NOW + 9e9]);
    expect(store.runs.bookingsSince('other', 0)).toEqual([]);
  });
});
