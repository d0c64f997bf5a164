import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import {
  createRunner,
  type Occurrence,
  type Runner,
  type RunnerPorts,
  type RunnerSettings,
  recoverRuns,
} from '../../../src/runner/index.ts';
import type { Ending, Outcome, Probe, RunEvent, RunSpec } from '../../../src/runtimes/index.ts';
import { openStore, type Store } from '../../../src/store/index.ts';

/** Where files live in memory, when the system has such a place: thousands of commits wait for no disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A store of the test's own; gone after the test. */
export function temporaryStore(): Store {
  const dir = mkdtempSync(join(MEMORY, 'wats-runner-'));
  const store = openStore(join(dir, 'wats.db'));
  onTestFinished(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return store;
}

/** A Monday, noon UTC, in the middle of a month: no window ends by accident. */
export const START = Date.UTC(2026, 10, 16, 12);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const AGENT_AUTHOR = 'a'.repeat(64);
export const author = (n: number): string => n.toString(16).padStart(64, 'b');

export const SETTINGS: RunnerSettings = {
  agent: 'main',
  profile: 'me-agent',
  author: AGENT_AUTHOR,
  user: 'me',
  about: 'tests',
  model: null,
  access: 'locked',
  tools: [],
  command: [],
  denyPaths: [],
  everyMs: 30 * SECOND,
  heartbeatMs: null,
  wakesPerRun: 8,
  wakeMaxAgeMs: 48 * HOUR,
  allow: null,
  ignoreLocal: true,
  wakesPerAuthorPerHour: 0,
  loopMaxExchanges: 30,
  maxRunsPerHour: 6,
  maxRunsPerDay: 48,
  maxTurns: 10,
  maxTokensPerRun: 200_000,
  maxMicroUsdPerRun: 500_000,
  maxMicroUsdPerDay: 2_000_000,
  maxMicroUsdPerMonth: 20_000_000,
  timeoutMs: 10 * MINUTE,
  stallTimeoutMs: 3 * MINUTE,
};

const NOTHING = { opens: [], unguarded: [] };
const probeOf = (reportsCost: boolean): Probe => ({
  found: true,
  path: '/bin/agent',
  version: '1',
  loggedIn: null,
  problem: null,
  reportsCost,
  enforces: { locked: NOTHING, workspace: NOTHING, inherit: NOTHING },
});

export function ending(outcome: Outcome, more: Partial<Ending> = {}): Ending {
  const nothing = { costMicroUsd: null, turns: null, resetAt: null, exitCode: null, signal: null };
  return { outcome, message: `it was ${outcome}`, ...nothing, ...more };
}

/** A run as its program lives it; a test says what happens to it. */
export interface Played {
  readonly spec: RunSpec;
  /** What it was handed; `null` before its turn. */
  prompt: string | null;
  /** Why it was interrupted, in order. */
  readonly interrupts: Outcome[];
  closed: boolean;
  say(event: RunEvent): void;
  end(outcome: Outcome, more?: Partial<Ending>): void;
}

export interface WorldOptions {
  readonly settings?: Partial<RunnerSettings>;
  /** Whether the runtime reports what a run costs. Default: it does. */
  readonly priced?: boolean;
  /** What is there already; a world of its own otherwise. */
  readonly store?: Store;
  /** Replaces ports, to make them fail. */
  readonly ports?: (ports: RunnerPorts) => Partial<RunnerPorts>;
}

/** Counts through the restarts of a daemon, as random ids are different after one. */
let runs = 0;

/** A runner on a real store, a clock that the test moves, and a runtime that does what the test says. */
export class World {
  readonly store: Store;
  readonly settings: RunnerSettings;
  readonly runner: Runner;
  readonly ports: RunnerPorts;
  readonly told: Occurrence[] = [];
  readonly faults: unknown[] = [];
  readonly played: Played[] = [];
  /** Endings that stages were closed with. */
  readonly staged: Ending[] = [];
  /** Runs whose leftovers were ended. */
  readonly swept: string[] = [];
  halt: string | null = null;
  template = 'For {reasons}: {events}';
  /** Called for each program that is opened; throwing is a program that cannot be started. */
  onOpen: (played: Played) => void = () => {};
  /** What `ready()` says. */
  ready: Ending | null = null;
  line: 'written' | 'full' | 'failed' = 'written';

  constructor(options: WorldOptions = {}) {
    this.settings = { ...SETTINGS, ...options.settings };
    this.store = options.store ?? temporaryStore();
    this.store.people.addAgent('main', AGENT_AUTHOR);
    const ports: RunnerPorts = {
      store: this.store,
      runtime: {
        name: 'command',
        probe: async () => probeOf(options.priced ?? true),
        open: async (spec, signal) => this.#open(spec, signal),
      },
      stage: async ({ id }) => ({
        runDir: `/run/${id}`,
        workDir: `/run/${id}/work`,
        mcp: { command: 'wats', args: [], env: {} },
        env: {},
        line: () => this.line,
        close: async (end) => {
          this.staged.push(end);
        },
      }),
      processes: {
        endLeftovers: async ({ id }) => {
          this.swept.push(id);
        },
      },
      now: () => Date.now(),
      random: (bytes) => Uint8Array.from(Buffer.from((++runs).toString(16).padStart(bytes * 2, '0'), 'hex')),
      halt: () => this.halt,
      localAuthors: () => [],
      template: () => this.template,
      onFault: (error) => this.faults.push(error),
      tell: (occurrence) => this.told.push(occurrence),
    };
    this.ports = { ...ports, ...options.ports?.(ports) };
    this.runner = createRunner(this.settings, probeOf(options.priced ?? true), this.ports);
  }

  #open(spec: RunSpec, signal: AbortSignal) {
    const events: RunEvent[] = [];
    let next: (() => void) | null = null;
    const push = (event: RunEvent): void => {
      events.push(event);
      next?.();
    };
    const played: Played = {
      spec,
      prompt: null,
      interrupts: [],
      closed: false,
      say: push,
      end: (outcome, more) => push({ type: 'end', ending: ending(outcome, more) }),
    };
    signal.throwIfAborted();
    this.onOpen(played);
    spec.onSpawn({ pid: 1000 + this.played.length, startToken: 'boot:1' });
    this.played.push(played);
    const { ready } = this;
    return {
      ready: async () => (ready === null ? ({ ok: true } as const) : ({ ok: false, ending: ready } as const)),
      async *turn(prompt: string) {
        played.prompt = prompt;
        for (;;) {
          const event = events.shift();
          if (event !== undefined) {
            yield event;
            if (event.type === 'end') return;
          } else {
            await new Promise<void>((resolve) => {
              next = resolve;
            });
          }
        }
      },
      interrupt: (outcome: Outcome) => {
        played.interrupts.push(outcome);
        played.end(outcome);
      },
      close: async () => {
        played.closed = true;
      },
    };
  }

  /** The run that was started last. */
  get run(): Played {
    const last = this.played.at(-1);
    if (last === undefined) throw new Error('no run was started');
    return last;
  }

  /** A stored post, as from a peer; wakes are judged at the next look, which this asks for. */
  post(
    post: Partial<{
      kind: string;
      author: string;
      parent: string | null;
      root: string | null;
      text: string;
      ageMs: number;
    }> = {},
  ): string {
    const { kind = 'ask', parent = null, text = `post ${this.store.posts.newestSeq()}`, ageMs = 0 } = post;
    const id = createHash('sha256').update(`${text} ${this.store.posts.newestSeq()}`).digest('hex');
    this.store.append(
      {
        v: 1,
        space: 'open',
        author: post.author ?? author(1),
        ts: Math.floor((Date.now() - ageMs) / 1000),
        kind,
        root: post.root ?? parent,
        parent,
        title: '',
        text,
        tags: [],
        id,
        sig: '0'.repeat(128),
      },
      Date.now(),
      'peer',
    );
    this.runner.poke();
    return id;
  }

  /** What a run did through MCP: an answer to a post, as publish would record it. */
  effect(run: string, parent: string | null, kind = 'answer'): void {
    this.store.effects.record({
      agent: 'main',
      run,
      author: AGENT_AUTHOR,
      tool: parent === null ? 'post' : 'reply',
      request: null,
      argsHash: '0'.repeat(64),
      kind,
      parent,
      result: '{}',
      at: Date.now(),
    });
  }

  async recover(): Promise<void> {
    await recoverRuns('main', this.ports);
  }

  /** Every wake: what became of it. */
  wakeOf(post: string): { readonly state: string; readonly run: string | null; readonly tries: number } {
    const stored = this.store.posts.byId(post);
    const { wake } = this.store.wakes.history('main', stored?.seq ?? 0);
    if (wake === null) throw new Error('that post woke nobody');
    return { state: wake.state, run: wake.run, tries: wake.tries };
  }

  verdictRule(): string {
    const verdict = this.runner.verdict();
    return verdict.kind === 'wait' ? verdict.because.rule : verdict.kind;
  }

  types(): string[] {
    return this.told.map(({ type }) => type).filter((type) => type !== 'verdict');
  }
}

/** Replaces the clock and the timers of a test; the runner is asked nothing in real time. */
export function stopTheClock(at = START): void {
  vi.useFakeTimers({
    now: at,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'],
  });
  onTestFinished(() => void vi.useRealTimers());
}

/** Lets time pass, timers fire and promises settle. */
export async function pass(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  // An ended run looks again in a promise, and that look may start the next one.
  await vi.advanceTimersByTimeAsync(0);
}
