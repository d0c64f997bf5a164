import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { WatsError } from '../../src/errors/index.ts';
import type { RunnerPorts } from '../../src/runner/index.ts';
import type { Outcome } from '../../src/runtimes/index.ts';
import {
  author,
  HOUR,
  MINUTE,
  pass,
  SECOND,
  START,
  stopTheClock,
  temporaryStore,
  World,
} from './support/world.ts';

beforeEach(() => stopTheClock());

const DAY = 24 * HOUR;
const BACK: readonly Outcome[] = ['auth', 'rate_limited', 'no_tools', 'config'];
const DONE: readonly Outcome[] = ['ok', 'max_turns', 'refused', 'timeout', 'stopped', 'error', 'stalled'];

/** One thing that happens to a node. */
type Happening =
  | { readonly do: 'post'; readonly by: number }
  | { readonly do: 'pass' | 'jump'; readonly ms: number }
  /** The run in progress ends: how many of its posts it answered, and what it cost, in caps; `null`: no report. */
  | { readonly do: 'end'; readonly outcome: Outcome; readonly answers: number; readonly caps: number | null }
  | {
      readonly do:
        | 'crash'
        | 'pause'
        | 'resume'
        | 'ask_for_run'
        | 'stop'
        | 'fill_disk'
        | 'free_disk'
        | 'stall';
    };

const passing = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(SECOND, 31 * SECOND, 31 * SECOND, 11 * MINUTE, 61 * MINUTE) },
  { weight: 2, arbitrary: fc.constantFrom(13 * HOUR, 13 * HOUR, 3 * DAY, 20 * DAY) },
);
const of = <T extends Happening['do']>(...words: T[]): fc.Arbitrary<Happening> =>
  fc.constantFrom(...words).map((word) => ({ do: word }) as Happening);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 3 }).map((by): Happening => ({ do: 'post', by })) },
  { weight: 10, arbitrary: passing.map((ms): Happening => ({ do: 'pass', ms })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-2 * DAY, -HOUR, HOUR, 9 * DAY).map((ms): Happening => ({ do: 'jump', ms })),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      outcome: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom<Outcome>(...DONE) },
        { weight: 1, arbitrary: fc.constantFrom<Outcome>(...BACK) },
      ),
      answers: fc.integer({ min: 0, max: 3 }),
      caps: fc.constantFrom(null, 0, 0.1, 0.1, 0.4, 1, 4),
    }),
  },
  { weight: 4, arbitrary: of('resume', 'free_disk', 'ask_for_run') },
  { weight: 2, arbitrary: of('crash') },
  { weight: 1, arbitrary: of('pause', 'stop', 'fill_disk', 'stall') },
);

interface Ran {
  readonly run: string;
  readonly at: number;
  readonly cap: number;
  /** What the provider took in truth; a program that does not report keeps to its cap. */
  spent: number;
  counted: boolean;
}

/** A node that outlives its daemons: what is true of it is written down here, apart from the code under test. */
class Node {
  readonly store = temporaryStore();
  readonly posts: string[] = [];
  readonly ran: Ran[] = [];
  /** How often a post stood in a prompt that was read, and whether it was answered. */
  readonly told = new Map<string, number>();
  readonly answered = new Set<string>();
  full = false;
  stall = false;
  world = this.#boot();

  #boot(): World {
    const world = new World({
      store: this.store,
      settings: {
        everyMs: 30 * SECOND,
        wakesPerRun: 3,
        wakeMaxAgeMs: 400 * DAY,
        // Money is short: one run that is counted too low lets a later one pass the limit.
        maxMicroUsdPerRun: 500_000,
        maxMicroUsdPerDay: 800_000,
        maxMicroUsdPerMonth: 12_000_000,
      },
      ports: (ports) => this.#fallible(ports),
    });
    world.onOpen = ({ spec }) => {
      const cap = spec.maxMicroUsd ?? 0;
      this.#overspent ??= this.#refusal(world, cap);
      this.ran.push({ run: spec.runId, at: Date.now(), cap, spent: cap, counted: true });
    };
    return world;
  }

  #fallible({ store, stage }: RunnerPorts): Partial<RunnerPorts> {
    const refuse = (): void => {
      if (this.full) throw new WatsError('storage', 'the disk is full');
    };
    const { book, end } = store.runs;
    const runs: typeof store.runs = {
      ...store.runs,
      book: (run) => {
        refuse();
        return book(run);
      },
      end: (ended) => {
        refuse();
        return end(ended);
      },
    };
    return {
      store: { ...store, runs },
      stage: async (run) => (this.stall ? new Promise<never>(() => {}) : stage(run)),
    };
  }

  /**
   * Why no run with this cap should have started, by what was spent in truth. `#look` finds it: a throw while a program
   * is opened would only be a program that cannot be started.
   */
  #overspent: string | null = null;
  #refusal({ settings }: World, cap: number): string | null {
    const now = Date.now();
    const date = new Date(now);
    const day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    const since = (at: number): Ran[] => this.ran.filter((run) => run.at >= at);
    const spent = (runs: readonly Ran[]): number => runs.reduce((sum, run) => sum + run.spent, 0);
    if (cap < 20_000) return `a cap of ${cap}`;
    if (spent(since(day)) + cap > settings.maxMicroUsdPerDay) return `${spent(since(day))} + ${cap} a day`;
    if (spent(since(month)) + cap > settings.maxMicroUsdPerMonth)
      return `${spent(since(month))} + ${cap} a month`;
    const runs = since(now - HOUR + 1).filter(({ counted }) => counted).length;
    return runs < settings.maxRunsPerHour ? null : `${runs} runs in an hour`;
  }

  async live(what: Happening): Promise<void> {
    const { world } = this;
    const { runner } = world;
    switch (what.do) {
      case 'post':
        this.posts.push(world.post({ author: author(what.by) }));
        break;
      case 'pass':
        return this.sleep(what.ms);
      case 'jump':
        vi.setSystemTime(Date.now() + what.ms);
        break;
      case 'end':
        this.#end(what);
        break;
      case 'crash':
        return this.#crash();
      case 'pause':
        runner.pause();
        break;
      case 'resume':
        runner.resume();
        break;
      case 'ask_for_run':
      case 'stop':
        try {
          if (what.do === 'stop') runner.stopRun();
          else runner.runNow();
        } catch {
          // A person is told why not; nothing else comes of it.
        }
        break;
      case 'fill_disk':
      case 'free_disk':
        this.full = what.do === 'fill_disk';
        break;
      case 'stall':
        this.stall = true;
    }
    await pass();
    this.#look();
  }

  /** A laptop that sleeps: timers fire late, once. */
  async sleep(ms: number): Promise<void> {
    if (ms > MINUTE) vi.setSystemTime(Date.now() + ms - MINUTE);
    await pass(Math.min(ms, MINUTE));
    this.#look();
  }

  get #open(): World['run'] | undefined {
    const last = this.world.played.at(-1);
    return last?.closed === false ? last : undefined;
  }

  #end({ outcome, answers, caps }: Extract<Happening, { do: 'end' }>): void {
    const run = this.#open;
    if (run === undefined || run.interrupts.length > 0) return;
    const truth = this.ran.find((ran) => ran.run === run.spec.runId);
    if (truth === undefined) throw new Error('a run that nobody saw start');
    for (const post of this.#postsOf(run).slice(0, answers)) {
      // An answer that was given is never asked for again.
      expect(this.answered.has(post)).toBe(false);
      this.answered.add(post);
      this.world.effect(run.spec.runId, post);
    }
    const costMicroUsd = caps === null ? null : Math.round(caps * truth.cap);
    const back = BACK.includes(outcome);
    truth.spent = costMicroUsd ?? (back ? 0 : truth.cap);
    truth.counted = !back;
    run.end(outcome, { costMicroUsd });
  }

  #postsOf(run: World['run']): string[] {
    return this.posts.filter((post) => run.prompt?.includes(post));
  }

  async #crash(): Promise<void> {
    vi.clearAllTimers();
    // What a program overspent is lost with the daemon that could not write its end down (a full disk): the run
    // counts its cap, like any that a crash cut short.
    for (const { id } of this.store.runs.open('main')) {
      const truth = this.ran.find((ran) => ran.run === id);
      if (truth !== undefined) Object.assign(truth, { spent: truth.cap, counted: true });
    }
    this.stall = false;
    this.full = false;
    this.world = this.#boot();
    await this.world.recover();
    this.world.runner.poke();
    await pass();
    this.#look();
  }

  #seen = new Set<World['run']>();
  /** After each step: what must be true at any time. */
  #look(): void {
    expect(this.#overspent).toBeNull();
    for (const run of this.world.played) {
      if (run.prompt === null || this.#seen.has(run)) continue;
      this.#seen.add(run);
      for (const post of this.#postsOf(run)) {
        expect(this.answered.has(post)).toBe(false);
        this.told.set(post, (this.told.get(post) ?? 0) + 1);
      }
    }
    expect(this.world.played.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(1);
    expect(this.store.runs.open('main').length).toBeLessThanOrEqual(1);
  }

  /** Nothing stands in the way any more: whatever waits is done. */
  async comeToRest(): Promise<void> {
    if (this.stall) await this.live({ do: 'crash' });
    await this.live({ do: 'free_disk' });
    await this.live({ do: 'resume' });
    for (
      let n = 0;
      n < 100 && (this.world.runner.going() !== null || this.world.verdictRule() !== 'idle');
      n++
    ) {
      await this.live({ do: 'end', outcome: 'ok', answers: 3, caps: 0.1 });
      await this.sleep(DAY);
    }
  }
}

test('a year of posts, outcomes, crashes, full disks and clocks that jump: nothing lost, nothing twice, nothing overspent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 60, maxLength: 200, size: 'max' }), async (history) => {
      vi.clearAllTimers();
      vi.setSystemTime(START);
      const node = new Node();
      node.world.runner.poke();
      for (const what of history) await node.live(what);
      await node.comeToRest();

      const states = new Set(node.posts.map((post) => node.world.wakeOf(post).state));
      expect([...states]).toEqual(node.posts.length === 0 ? [] : ['done']);
      for (const post of node.posts) expect(node.world.wakeOf(post).tries).toBeLessThanOrEqual(1);
      const unsettled = node.store.runs.bookingsSince('main', 0).filter(({ settled }) => !settled);
      expect(unsettled).toEqual([]);
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 120_000);
