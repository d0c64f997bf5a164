import { beforeEach, describe, expect, test, vi } from 'vitest';
import { NotNow } from '../../src/runner/index.ts';
import {
  AGENT_AUTHOR,
  author,
  ending,
  HOUR,
  MINUTE,
  pass,
  SECOND,
  START,
  stopTheClock,
  World,
} from './support/world.ts';

beforeEach(() => stopTheClock());

const ruleWhenAsked = (world: World): string => {
  try {
    world.runner.runNow();
    return 'started';
  } catch (error) {
    if (error instanceof NotNow) return error.because.rule;
    throw error;
  }
};

describe('from a post to a run', () => {
  test('the debounce starts with the first wake; later ones come along and do not push it away', async () => {
    const world = new World();
    const first = world.post();
    await pass();
    expect(world.runner.verdict()).toMatchObject({ kind: 'wait', until: START + 30 * SECOND });
    await pass(20 * SECOND);
    const second = world.post();
    await pass(10 * SECOND - 1);
    expect(world.played).toHaveLength(0);
    await pass(1);
    expect(world.played).toHaveLength(1);
    expect(world.run.prompt).toContain(first);
    expect(world.run.prompt).toContain(second);
  });

  test('a run is booked at its cap before its program is there, and settled to what it cost', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    let booked: unknown = null;
    world.onOpen = ({ spec }) => {
      booked = { ...world.store.runs.booking(spec.runId), cap: spec.maxMicroUsd };
    };
    const post = world.post();
    await pass();
    expect(booked).toMatchObject({
      charge: { microUsd: 500_000, runs: 1, unpricedRuns: 0 },
      settled: false,
      cap: 500_000,
    });
    world.effect(world.run.spec.runId, post);
    world.run.end('ok', { costMicroUsd: 31_000, turns: 3 });
    await pass();
    expect(world.store.runs.booking(world.run.spec.runId)).toMatchObject({
      charge: { microUsd: 31_000, runs: 1, unpricedRuns: 0 },
      settled: true,
    });
    expect(world.wakeOf(post)).toMatchObject({ state: 'done' });
    expect(world.types()).toEqual(['woken', 'run_booked', 'run_spawned', 'run_ended']);
    expect(world.run.closed).toBe(true);
    expect(world.staged).toMatchObject([{ outcome: 'ok' }]);
  });

  test('a run without an effect is shown as idle, and its wakes are done all the same', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    const post = world.post();
    await pass();
    world.run.end('ok', { costMicroUsd: 1 });
    await pass();
    expect(world.told).toContainEqual(expect.objectContaining({ type: 'run_ended', outcome: 'idle' }));
    expect(world.wakeOf(post)).toMatchObject({ state: 'done', tries: 0 });
    await pass(2 * HOUR);
    expect(world.played).toHaveLength(1);
  });

  test('a run takes the eight oldest wakes, and the rest starts the next one', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    const posts = Array.from({ length: 10 }, () => world.post());
    await pass();
    const [first] = world.played;
    for (const post of posts.slice(0, 8)) expect(first?.prompt).toContain(post);
    for (const post of posts.slice(8)) expect(first?.prompt).not.toContain(post);
    first?.end('ok', { costMicroUsd: 1 });
    await pass();
    expect(world.played).toHaveLength(2);
    for (const post of posts.slice(8)) expect(world.run.prompt).toContain(post);
  });

  test('a post that comes while a run goes on starts the next run, never a second one beside it', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.post();
    await pass();
    const second = world.post();
    await pass(HOUR);
    expect(world.played).toHaveLength(1);
    expect(world.verdictRule()).toBe('running');
    world.run.end('ok', { costMicroUsd: 1 });
    await pass();
    expect(world.played).toHaveLength(2);
    expect(world.run.prompt).toContain(second);
  });

  test('one author may not wake more than the setting allows, not even within one run', async () => {
    const world = new World({ settings: { everyMs: 0, wakesPerAuthorPerHour: 2 } });
    const mine = Array.from({ length: 3 }, () => world.post({ author: author(1) }));
    const other = world.post({ author: author(2) });
    await pass();
    for (const post of [mine[0], mine[1], other]) expect(world.run.prompt).toContain(post);
    expect(world.run.prompt).not.toContain(mine[2]);
    world.run.end('ok', { costMicroUsd: 1 });
    await pass();
    expect(world.runner.verdict()).toMatchObject({
      kind: 'wait',
      until: START + HOUR,
      because: { rule: 'author_cap', saw: 2, limit: 2 },
    });
    await pass(HOUR);
    expect(world.played).toHaveLength(2);
    expect(world.run.prompt).toContain(mine[2]);
  });

  test('a thread that loops is held and logged once; other threads go on; a third author frees it', async () => {
    const world = new World({ settings: { everyMs: 0, loopMaxExchanges: 2 } });
    const root = world.post({ author: author(1) });
    await pass();
    world.run.end('ok', { costMicroUsd: 1 });
    await pass();
    const mine = world.post({ kind: 'answer', author: AGENT_AUTHOR, parent: root });
    const again = world.post({ kind: 'clarify', author: author(1), parent: mine, root });
    await pass();
    expect(world.verdictRule()).toBe('loop');
    await pass(HOUR);
    world.post({ kind: 'offer', author: author(1), parent: mine, root });
    await pass(HOUR);
    expect(world.told.filter(({ type }) => type === 'loop')).toEqual([
      { type: 'loop', thread: root, limit: 2 },
    ]);
    const elsewhere = world.post({ author: author(1) });
    await pass();
    expect(world.run.prompt).toContain(elsewhere);
    expect(world.run.prompt).not.toContain(again);
    world.run.end('ok', { costMicroUsd: 1 });
    world.post({ kind: 'note', author: author(3), parent: root });
    await pass();
    expect(world.run.prompt).toContain(again);
  });
});

describe('heartbeats', () => {
  test('the first comes one interval after the start, the next ones at the interval whatever runs take', async () => {
    const world = new World({ settings: { heartbeatMs: HOUR } });
    world.runner.poke();
    await pass();
    expect(world.runner.nextHeartbeatAt()).toBe(START + HOUR);
    await pass(HOUR);
    expect(world.played).toHaveLength(1);
    await pass(20 * MINUTE);
    world.run.end('ok', { costMicroUsd: 1 });
    await pass(40 * MINUTE);
    expect(world.played).toHaveLength(2);
    expect(Date.now()).toBe(START + 2 * HOUR);
  });

  test('those that were missed are one run that says how many', async () => {
    const world = new World({ settings: { heartbeatMs: HOUR } });
    world.runner.poke();
    await pass();
    vi.setSystemTime(START + 5 * HOUR + MINUTE);
    await pass(MINUTE);
    expect(world.played).toHaveLength(1);
    expect(world.run.prompt).toContain('(4 before it were missed)');
    expect(world.store.wakes.queuedCount('main')).toBe(0);
    expect(world.runner.nextHeartbeatAt()).toBe(START + 6 * HOUR);
  });

  test('those that came while the runner was paused are one run that says how many, too', async () => {
    const world = new World({ settings: { heartbeatMs: HOUR } });
    world.runner.poke();
    await pass();
    world.runner.pause();
    await pass(5 * HOUR);
    world.runner.resume();
    await pass();
    expect(world.played).toHaveLength(1);
    expect(world.run.prompt).toContain('(4 before it were missed)');
  });

  test('a restart does not move them', async () => {
    const before = new World({ settings: { heartbeatMs: HOUR } });
    before.runner.poke();
    await pass(40 * MINUTE);
    await before.runner.close('now');
    const after = new World({ settings: { heartbeatMs: HOUR }, store: before.store });
    after.runner.poke();
    await pass(20 * MINUTE);
    expect(after.played).toHaveLength(1);
  });
});

describe('what comes back', () => {
  test.each(['error', 'stalled'] as const)(
    'after %s the wakes come back once, marked as a second try',
    async (outcome) => {
      const world = new World({ settings: { everyMs: 0 } });
      const [answered, open] = [world.post(), world.post()];
      await pass();
      world.effect(world.run.spec.runId, answered);
      world.run.end(outcome);
      await pass();
      expect(world.wakeOf(answered)).toMatchObject({ state: 'done', tries: 0 });
      expect(world.played).toHaveLength(2);
      expect(world.run.prompt).toContain(open);
      expect(world.run.prompt).not.toContain(answered);
      expect(world.run.prompt).toContain('An earlier run for these posts was cut short');
      expect(world.store.runs.byId(world.run.spec.runId)).toMatchObject({ secondTry: true });
      world.run.end(outcome);
      await pass(HOUR);
      expect(world.played).toHaveLength(2);
      expect(world.wakeOf(open)).toMatchObject({ state: 'done', tries: 1 });
    },
  );

  test.each(['auth', 'rate_limited', 'no_tools', 'config', 'deferred'] as const)(
    'after %s the wakes come back uncounted; the runner pauses, and looks again later and later',
    async (outcome) => {
      const world = new World({ settings: { everyMs: 0 } });
      const post = world.post();
      await pass();
      for (const [n, minutes] of [10, 20, 40].entries()) {
        world.run.end(outcome);
        await pass();
        expect(world.runner.verdict()).toMatchObject({
          kind: 'wait',
          until: Date.now() + minutes * MINUTE,
          because: { rule: 'blocked', saw: outcome, text: `it was ${outcome}` },
        });
        await pass(minutes * MINUTE - 1);
        expect(world.played).toHaveLength(n + 1);
        await pass(1);
        expect(world.played).toHaveLength(n + 2);
      }
      // Three looks and one run: only the last one counts.
      world.effect(world.run.spec.runId, post);
      world.run.end('ok', { costMicroUsd: 5 });
      await pass();
      const counted = world.store.runs.bookingsSince('main', 0).map(({ charge }) => charge.runs);
      expect(counted).toEqual([0, 0, 0, 1]);
      expect(world.wakeOf(post)).toMatchObject({ state: 'done', tries: 0 });
      expect(world.store.people.agent('main')?.blocked).toBeNull();
    },
  );

  test('a reset time that the provider named is believed', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.post();
    await pass();
    world.run.end('rate_limited', { resetAt: START + 3 * HOUR });
    await pass(3 * HOUR - 1);
    expect(world.played).toHaveLength(1);
    await pass(1);
    expect(world.played).toHaveLength(2);
  });

  test('a person who resumes is not made to wait for the next look', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.post();
    await pass();
    world.run.end('auth');
    await pass(MINUTE);
    world.runner.resume();
    await pass();
    expect(world.played).toHaveLength(2);
  });

  test('a session that is not ready sends nothing, costs nothing and is closed', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.ready = ending('no_tools');
    const post = world.post();
    await pass();
    expect(world.run.prompt).toBeNull();
    expect(world.run.closed).toBe(true);
    expect(world.store.runs.booking(world.run.spec.runId)?.charge).toEqual({
      microUsd: 0,
      runs: 0,
      unpricedRuns: 0,
    });
    expect(world.wakeOf(post).state).toBe('queued');
  });
});

describe('limits', () => {
  test('six runs an hour: the seventh waits until the first is an hour old', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    for (let n = 0; n < 6; n++) {
      world.post();
      await pass();
      world.run.end('ok', { costMicroUsd: 1 });
      await pass(MINUTE);
    }
    world.post();
    await pass();
    expect(world.runner.verdict()).toMatchObject({
      until: START + HOUR,
      because: { rule: 'runs_per_hour', saw: 6 },
    });
    await pass(54 * MINUTE);
    expect(world.played).toHaveLength(7);
  });

  test('the last run of a day gets what is left; then the runner waits for the day to end', async () => {
    const world = new World({ settings: { everyMs: 0, maxRunsPerHour: 1000 } });
    const caps: (number | null)[] = [];
    for (const cost of [500_000, 500_000, 500_000, 350_000, 140_000]) {
      world.post();
      await pass();
      caps.push(world.run.spec.maxMicroUsd);
      world.run.end('ok', { costMicroUsd: cost });
      await pass();
    }
    expect(caps).toEqual([500_000, 500_000, 500_000, 500_000, 150_000]);
    world.post();
    await pass();
    expect(world.runner.verdict()).toMatchObject({
      until: Date.UTC(2026, 10, 17),
      because: { rule: 'budget', window: 'day', saw: 1_990_000 },
    });
    await pass(12 * HOUR);
    expect(world.run.spec.maxMicroUsd).toBe(500_000);
    expect(world.played).toHaveLength(6);
  });

  test('runs without a price are counted by the day', async () => {
    const world = new World({
      settings: { everyMs: 0, maxRunsPerHour: 1000, maxRunsPerDay: 2 },
      priced: false,
    });
    for (let n = 0; n < 2; n++) {
      world.post();
      await pass();
      expect(world.run.spec).toMatchObject({ maxMicroUsd: null, maxTokens: 200_000 });
      world.run.end('ok');
      await pass();
    }
    world.post();
    await pass();
    expect(world.runner.verdict()).toMatchObject({
      because: { rule: 'budget', unit: 'unpriced_runs', saw: 2 },
    });
  });

  test('a program that spends more than its cap is cut short, and what it spent counts', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    const post = world.post();
    await pass();
    world.run.say({ type: 'usage', costMicroUsd: 500_000 });
    await pass();
    expect(world.run.interrupts).toEqual([]);
    world.run.say({ type: 'usage', costMicroUsd: 510_000, turns: 4 });
    await pass();
    expect(world.run.interrupts).toEqual(['stopped']);
    const id = world.run.spec.runId;
    expect(world.told).toContainEqual(
      expect.objectContaining({ type: 'run_ended', run: id, outcome: 'max_usd' }),
    );
    expect(world.wakeOf(post).state).toBe('done');
  });

  test('spend of a run in progress is told while it goes on', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.post();
    await pass();
    world.run.say({ type: 'usage', costMicroUsd: 4_000, turns: 2 });
    await pass();
    expect(world.runner.going()).toMatchObject({ costMicroUsd: 4_000, turns: 2, spawned: true });
  });
});

describe('a person', () => {
  test('starts a run at once, without a post, and does not move the heartbeat', async () => {
    const world = new World({ settings: { heartbeatMs: HOUR } });
    world.runner.poke();
    await pass();
    world.runner.runNow();
    await pass();
    expect(world.played).toHaveLength(1);
    expect(world.runner.nextHeartbeatAt()).toBe(START + HOUR);
  });

  test('is told why when a run would not start, and then nothing is queued', async () => {
    const world = new World({ settings: { everyMs: 0, maxRunsPerHour: 1 } });
    world.halt = 'h1';
    expect(ruleWhenAsked(world)).toBe('halted');
    world.halt = null;
    world.runner.pause();
    expect(ruleWhenAsked(world)).toBe('paused');
    world.runner.resume();
    world.post();
    await pass();
    expect(ruleWhenAsked(world)).toBe('runs_per_hour');
    world.run.end('ok', { costMicroUsd: 1 });
    await pass();
    expect(world.store.wakes.queuedCount('main')).toBe(0);
    const broke = new World({ settings: { maxMicroUsdPerDay: 0 } });
    expect(ruleWhenAsked(broke)).toBe('budget');
  });

  test('cannot start a second run beside one', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.post();
    await pass();
    expect(ruleWhenAsked(world)).toBe('running');
  });

  test('gets the look that a blocked runner would take later, once, and not a run after another', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.post();
    await pass();
    world.run.end('auth');
    await pass(MINUTE);
    world.runner.runNow();
    await pass();
    expect(world.played).toHaveLength(2);
    world.run.end('auth');
    await pass(19 * MINUTE);
    expect(world.played).toHaveLength(2);
    expect(world.verdictRule()).toBe('blocked');
    await pass(MINUTE);
    expect(world.played).toHaveLength(3);
  });

  test('pauses: wakes wait, the run in progress goes on; resumes: they start', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.post();
    await pass();
    world.runner.pause();
    const second = world.post();
    await pass(MINUTE);
    world.run.end('ok', { costMicroUsd: 1 });
    await pass(HOUR);
    expect(world.played).toHaveLength(1);
    expect(world.verdictRule()).toBe('paused');
    world.runner.resume();
    await pass();
    expect(world.run.prompt).toContain(second);
  });

  test('stops the run in progress; without one that is said', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    expect(() => world.runner.stopRun()).toThrow('no run is going');
    const post = world.post();
    await pass();
    world.runner.stopRun();
    await pass();
    expect(world.run.interrupts).toEqual(['stopped']);
    expect(world.wakeOf(post)).toMatchObject({ state: 'done', tries: 0 });
    expect(() => world.runner.stopRun()).toThrow('no run is going');
  });
});

describe('closing', () => {
  test('a drain starts nothing more and waits for the run in progress', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    const first = world.post();
    await pass();
    let closed = false;
    void world.runner.close('drain').then(() => {
      closed = true;
    });
    const second = world.post();
    await pass(HOUR);
    expect(closed).toBe(false);
    expect(world.run.interrupts).toEqual([]);
    world.run.end('ok', { costMicroUsd: 7 });
    await pass();
    expect(closed).toBe(true);
    expect(world.played).toHaveLength(1);
    expect(world.wakeOf(first).state).toBe('done');
    // The second post is not even judged yet: its turn comes with the next start.
    expect(world.store.wakes.history('main', world.store.posts.byId(second)?.seq ?? 0).wake).toBeNull();
  });

  test('now interrupts it, also after a drain began', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.post();
    await pass();
    const drained = world.runner.close('drain');
    await pass(MINUTE);
    await Promise.all([world.runner.close('now'), drained]);
    expect(world.run.interrupts).toEqual(['stopped']);
    expect(world.store.runs.byId(world.run.spec.runId)).toMatchObject({ state: 'ended', outcome: 'stopped' });
  });
});
