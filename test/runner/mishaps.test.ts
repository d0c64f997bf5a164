import { beforeEach, describe, expect, test } from 'vitest';
import { WatsError } from '../../src/errors/index.ts';
import type { RunnerPorts } from '../../src/runner/index.ts';
import { HOUR, MINUTE, pass, START, stopTheClock, World } from './support/world.ts';

beforeEach(() => stopTheClock());

const FULL = new WatsError('storage', 'the disk is full');

/** A store whose disk is full for some of its calls, while `full` says so. */
function failing(full: { now: boolean }, which: 'book' | 'end' | 'step' | 'spawned') {
  return ({ store }: RunnerPorts): Partial<RunnerPorts> => {
    const guard =
      <A extends unknown[], R>(act: (...args: A) => R) =>
      (...args: A): R => {
        if (full.now) throw FULL;
        return act(...args);
      };
    const runs = { ...store.runs };
    const wakes = { ...store.wakes };
    if (which === 'book') runs.book = guard(runs.book);
    if (which === 'end') runs.end = guard(runs.end);
    if (which === 'spawned') runs.spawned = guard(runs.spawned);
    if (which === 'step') wakes.step = guard(wakes.step);
    return { store: { ...store, runs, wakes } };
  };
}

describe('a full disk', () => {
  test.each(['step', 'book'] as const)(
    'at %s starts nothing and loses nothing; the runner looks again in a minute',
    async (which) => {
      const full = { now: true };
      const world = new World({ settings: { everyMs: 0 }, ports: failing(full, which) });
      const post = world.post();
      await pass();
      expect(world.played).toHaveLength(0);
      expect(world.faults).toEqual([FULL]);
      expect(world.runner.verdict()).toMatchObject({
        kind: 'wait',
        until: START + MINUTE,
        because: { rule: 'fault', saw: 'storage' },
      });
      expect(world.store.runs.bookingsSince('main', 0)).toEqual([]);
      await pass(MINUTE);
      expect(world.faults).toHaveLength(2);
      full.now = false;
      await pass(MINUTE);
      expect(world.run.prompt).toContain(post);
    },
  );

  test('when a run ends: it stays going, with its money and wakes, until its ending is recorded', async () => {
    const full = { now: true };
    const world = new World({ settings: { everyMs: 0 }, ports: failing(full, 'end') });
    const first = world.post();
    await pass();
    const { runId } = world.run.spec;
    await pass(MINUTE);
    world.run.end('ok', { costMicroUsd: 9 });
    const second = world.post();
    await pass(2 * MINUTE);
    expect(world.runner.going()?.id).toBe(runId);
    expect(world.verdictRule()).toBe('fault');
    expect(world.played).toHaveLength(1);
    expect(world.wakeOf(first).state).toBe('taken');
    expect(world.store.runs.booking(runId)).toMatchObject({ charge: { microUsd: 500_000 }, settled: false });
    expect(() => world.runner.stopRun()).toThrow('no run is going');

    full.now = false;
    await pass(MINUTE);
    // It ended when it ended, not when that could be written down.
    expect(world.store.runs.byId(runId)).toMatchObject({ state: 'ended', endedAt: START + MINUTE });
    expect(world.told).toContainEqual(
      expect.objectContaining({ type: 'run_ended', run: runId, durationMs: MINUTE }),
    );
    expect(world.wakeOf(first).state).toBe('done');
    expect(world.run.prompt).toContain(second);
  });

  test('when a run ends and the daemon closes: it does not wait for the disk, and the next start counts it in full', async () => {
    const full = { now: true };
    const world = new World({ settings: { everyMs: 0 }, ports: failing(full, 'end') });
    const post = world.post();
    await pass();
    await world.runner.close('now');
    full.now = false;
    await world.recover();
    expect(world.store.runs.byId(world.run.spec.runId)).toMatchObject({ outcome: 'interrupted' });
    expect(world.store.runs.booking(world.run.spec.runId)?.charge.microUsd).toBe(500_000);
    expect(world.wakeOf(post)).toMatchObject({ state: 'queued', tries: 1 });
  });

  test('that cannot record the program does not keep it from its work', async () => {
    const full = { now: true };
    const world = new World({ settings: { everyMs: 0 }, ports: failing(full, 'spawned') });
    world.post();
    await pass();
    expect(world.faults).toEqual([FULL]);
    world.run.end('ok', { costMicroUsd: 3 });
    await pass();
    expect(world.store.runs.booking(world.run.spec.runId)).toMatchObject({
      charge: { microUsd: 3 },
      settled: true,
    });
  });

  test('that takes no transcript ends the run as an error', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.post();
    await pass();
    world.line = 'failed';
    world.run.spec.onLine('a line');
    await pass();
    expect(world.played[0]?.interrupts).toEqual(['error']);
  });
});

describe('before a program is there', () => {
  const looksAgain = async (world: World, post: string): Promise<void> => {
    await pass();
    expect(world.runner.verdict()).toMatchObject({ because: { rule: 'blocked', saw: 'config' } });
    expect(world.wakeOf(post)).toMatchObject({ state: 'queued', tries: 0 });
    const [booking] = world.store.runs.bookingsSince('main', 0);
    expect(booking).toMatchObject({ settled: true, charge: { microUsd: 0, runs: 0, unpricedRuns: 0 } });
  };

  test('a stage that cannot be set up costs nothing, and is looked at again', async () => {
    let broken = true;
    const world = new World({
      settings: { everyMs: 0 },
      ports: ({ stage }) => ({
        stage: async (run) => {
          if (broken) throw FULL;
          return stage(run);
        },
      }),
    });
    const post = world.post();
    await looksAgain(world, post);
    broken = false;
    await pass(10 * MINUTE);
    expect(world.run.prompt).toContain(post);
  });

  test('a template that cannot be used costs nothing, and is looked at again', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.template = 'For {nobody_knows_this}';
    const post = world.post();
    await looksAgain(world, post);
    world.template = 'For {events}';
    await pass(10 * MINUTE);
    expect(world.run.prompt).toContain(post);
  });

  test('a program that cannot be started costs nothing, leaves nothing, and is looked at again', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    world.onOpen = () => {
      throw new WatsError('runtime', 'agent is not installed');
    };
    const post = world.post();
    await looksAgain(world, post);
    expect(world.runner.verdict()).toMatchObject({ because: { text: 'agent is not installed' } });
    expect(world.swept).toHaveLength(1);
    expect(world.staged).toMatchObject([{ outcome: 'config' }]);
  });

  test('feedback that a prompt was to tell is told by the next one when the first was never read', async () => {
    const world = new World({ settings: { everyMs: 0 } });
    const root = world.post();
    await pass();
    world.run.end('ok', { costMicroUsd: 1 });
    await pass();
    const mine = world.post({ kind: 'answer', author: world.settings.author, parent: root });
    const vouch = world.post({ kind: 'vouch', parent: mine, root });
    world.onOpen = () => {
      throw new WatsError('runtime', 'agent is not installed');
    };
    world.post();
    await pass();
    world.onOpen = () => {};
    await pass(10 * MINUTE);
    expect(world.run.prompt).toContain(vouch);
    world.run.end('ok', { costMicroUsd: 1 });
    world.post();
    await pass();
    expect(world.run.prompt).not.toContain(vouch);
  });
});

describe('an interruption', () => {
  test('while the stage is set up: no program starts, and the wakes are done', async () => {
    let set: () => void = () => {};
    const world = new World({
      settings: { everyMs: 0 },
      ports: ({ stage }) => ({
        stage: async (run) => {
          await new Promise<void>((resolve) => {
            set = resolve;
          });
          return stage(run);
        },
      }),
    });
    const post = world.post();
    await pass();
    world.runner.stopRun();
    set();
    await pass();
    expect(world.played).toHaveLength(0);
    expect(world.told).toContainEqual(expect.objectContaining({ type: 'run_ended', outcome: 'stopped' }));
    expect(world.wakeOf(post).state).toBe('done');
    expect(world.store.runs.bookingsSince('main', 0)).toMatchObject([{ charge: { microUsd: 0 } }]);
  });

  test('before the tools are ready: the prompt is never sent', async () => {
    let ready: () => void = () => {};
    const world = new World({
      settings: { everyMs: 0 },
      ports: ({ runtime }) => ({
        runtime: {
          ...runtime,
          open: async (spec, signal) => {
            const session = await runtime.open(spec, signal);
            return {
              ...session,
              ready: async () => {
                await new Promise<void>((resolve) => {
                  ready = resolve;
                });
                return { ok: true };
              },
            };
          },
        },
      }),
    });
    world.post();
    await pass();
    world.runner.stopRun();
    ready();
    await pass();
    expect(world.run.prompt).toBeNull();
    expect(world.run.closed).toBe(true);
    expect(world.told).toContainEqual(expect.objectContaining({ type: 'run_ended', outcome: 'stopped' }));
  });
});

describe('a run that does not end cleanly', () => {
  test('is ended and recorded all the same, and the fault is told', async () => {
    const stuck = new WatsError('failed', 'processes do not end');
    const world = new World({
      settings: { everyMs: 0 },
      ports: ({ stage, runtime }) => ({
        stage: async (run) => ({
          ...(await stage(run)),
          close: async () => {
            throw new Error('busy');
          },
        }),
        runtime: {
          ...runtime,
          open: async (spec, signal) => ({
            ...(await runtime.open(spec, signal)),
            close: async () => {
              throw stuck;
            },
          }),
        },
      }),
    });
    const post = world.post();
    await pass();
    world.run.end('ok', { costMicroUsd: 2 });
    await pass();
    expect(world.faults).toEqual([stuck, new Error('busy')]);
    expect(world.wakeOf(post).state).toBe('done');
    expect(world.runner.going()).toBeNull();
  });

  test('an event stream that breaks is an error that counts in full', async () => {
    const world = new World({
      settings: { everyMs: 0 },
      ports: ({ runtime }) => ({
        runtime: {
          ...runtime,
          open: async (spec, signal) => ({
            ...(await runtime.open(spec, signal)),
            async *turn() {
              yield { type: 'text', text: 'well' } as const;
              throw new Error('broken pipe');
            },
          }),
        },
      }),
    });
    const post = world.post();
    await pass();
    expect(world.store.runs.bookingsSince('main', 0)[0]).toMatchObject({ charge: { microUsd: 500_000 } });
    // The second try breaks too, and there is no third.
    expect(world.wakeOf(post)).toMatchObject({ state: 'done', tries: 1 });
    expect(world.played.every(({ closed }) => closed)).toBe(true);
  });
});

describe('after a dead daemon', () => {
  test('its run is interrupted once its processes are gone; repeated, that changes nothing', async () => {
    const dead = new World({ settings: { everyMs: 0 } });
    const [answered, open] = [dead.post(), dead.post()];
    await pass();
    const { runId } = dead.run.spec;
    dead.effect(runId, answered);
    const world = new World({ settings: { everyMs: 0 }, store: dead.store });
    await pass(HOUR);
    await world.recover();
    expect(world.swept).toEqual([runId]);
    expect(world.told).toEqual([
      {
        type: 'run_ended',
        run: runId,
        outcome: 'interrupted',
        costMicroUsd: null,
        turns: null,
        durationMs: HOUR,
      },
    ]);
    expect(world.store.runs.booking(runId)).toMatchObject({
      charge: { microUsd: 500_000, runs: 1, unpricedRuns: 1 },
      settled: true,
    });
    expect(world.wakeOf(answered)).toMatchObject({ state: 'done' });
    expect(world.wakeOf(open)).toMatchObject({ state: 'queued', tries: 1 });
    await world.recover();
    expect(world.swept).toEqual([runId]);
  });

  test('processes that do not end do not keep its run from ending', async () => {
    const dead = new World({ settings: { everyMs: 0 } });
    const post = dead.post();
    await pass();
    const stuck = new WatsError('failed', 'processes do not end');
    const world = new World({
      store: dead.store,
      ports: () => ({
        processes: {
          endLeftovers: async () => {
            throw stuck;
          },
        },
      }),
    });
    await world.recover();
    expect(world.faults).toEqual([stuck]);
    expect(world.wakeOf(post)).toMatchObject({ state: 'queued', tries: 1 });
  });
});
