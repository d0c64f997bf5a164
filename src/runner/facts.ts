import { type AdmissionFacts, windowStart } from '../budget/index.ts';
import { type AgentFacts, detectLoop, holdOf, type LoopVerdict, type PostFacts } from '../waking/index.ts';
import type { DecisionFacts, HeldWake } from './decide.ts';
import type { RunnerPorts, StoredPost } from './ports.ts';
import type { RunnerSettings } from './settings.ts';

const HOUR_MS = 3_600_000;
/** How many queued wakes one decision looks at, oldest first: held ones must not hide free ones. */
const WINDOW = 20_000;

/** What the rules of waking know of this agent. */
export function agentFacts(settings: RunnerSettings, localAuthors: readonly string[]): AgentFacts {
  return {
    author: settings.author,
    localAuthors,
    ignoreLocal: settings.ignoreLocal,
    allow: settings.allow,
    maxAgeMs: settings.wakeMaxAgeMs,
  };
}

/** What the rules of waking know of a post. */
export function postFacts(stored: StoredPost, parentAuthor: string | null): PostFacts {
  const { id, author, ts, kind } = stored.post;
  return { id, author, ts, kind, parentAuthor, chain: stored.chain };
}

/** The loop detector on a thread. */
export function loopOf(
  thread: string,
  settings: RunnerSettings,
  store: Pick<RunnerPorts['store'], 'turnBefore'>,
): LoopVerdict {
  return detectLoop(
    (before, notAuthor) => store.turnBefore(thread, before, notAuthor),
    settings.author,
    settings.loopMaxExchanges,
  );
}

/** Every budget that a run must be admitted by, with what was used of it. */
export function admissionFacts(
  settings: RunnerSettings,
  priced: boolean,
  store: Pick<RunnerPorts['store'], 'runs'>,
  now: number,
): AdmissionFacts {
  const sinceMonth = store.runs.bookingsSince(
    settings.agent,
    Math.min(windowStart('month', now), windowStart('hour', now)),
  );
  const sum = (window: 'day' | 'month', unit: 'microUsd' | 'unpricedRuns'): number =>
    sinceMonth
      .filter(({ at }) => at >= windowStart(window, now))
      .reduce((total, { charge }) => total + charge[unit], 0);
  const scope = 'agent';
  return {
    priced,
    maxMicroUsdPerRun: settings.maxMicroUsdPerRun,
    budgets: [
      { scope, unit: 'runs', window: 'hour', limit: settings.maxRunsPerHour, bookings: sinceMonth },
      {
        scope,
        unit: 'unpriced_runs',
        window: 'day',
        limit: settings.maxRunsPerDay,
        used: sum('day', 'unpricedRuns'),
      },
      {
        scope,
        unit: 'micro_usd',
        window: 'day',
        limit: settings.maxMicroUsdPerDay,
        used: sum('day', 'microUsd'),
      },
      {
        scope,
        unit: 'micro_usd',
        window: 'month',
        limit: settings.maxMicroUsdPerMonth,
        used: sum('month', 'microUsd'),
      },
    ],
  };
}

/** Gathers everything that one decision is made from. */
export function decisionFacts(
  settings: RunnerSettings,
  ports: Pick<RunnerPorts, 'store' | 'halt' | 'localAuthors' | 'runtime'>,
  state: { readonly running: string | null; readonly priced: boolean },
  now: number,
): DecisionFacts {
  const { store } = ports;
  const agent = store.people.agent(settings.agent);
  const halt = ports.halt();
  const filter = agentFacts(settings, ports.localAuthors());
  // Authors and threads repeat: each is looked up once a decision.
  const takenAt = once((author: string) => store.wakes.takenAt(settings.agent, author, now - HOUR_MS));
  const capped = settings.wakesPerAuthorPerHour > 0;
  const loop = once((thread: string) => loopOf(thread, settings, store));
  const wakes = store.wakes.queued(settings.agent, WINDOW).map((wake): HeldWake => {
    const { author, thread } = wake;
    const hold = holdOf(
      {
        halt,
        author,
        filter,
        takenAt: author === null || !capped ? [] : takenAt(author),
        authorPerHour: settings.wakesPerAuthorPerHour,
        loop: () => (thread === null ? { kind: 'off' } : loop(thread)),
      },
      now,
    );
    // A wake that may be taken counts for the next one of its author: one run could take them all otherwise.
    if (hold === null && author !== null && capped) takenAt(author).push(now);
    return { wake, hold };
  });
  return {
    running: state.running,
    halt,
    pausedAt: agent?.pausedAt ?? null,
    blocked: agent?.blocked ?? null,
    wakes,
    everyMs: settings.everyMs,
    wakesPerRun: settings.wakesPerRun,
    oneThreadPerRun: ports.runtime.oneThreadPerRun ?? false,
    admission: admissionFacts(settings, state.priced, store, now),
  };
}

/** A look-up that remembers its answers. */
function once<T>(ask: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const answer = ask(key);
    known.set(key, answer);
    return answer;
  };
}
