import { type AdmissionFacts, windowStart } from '../budget/index.ts';
import { type AgentFacts, detectLoop, type LoopVerdict, type PostFacts } from '../waking/index.ts';
import type { RunnerPorts, StoredPost } from './ports.ts';
import type { RunnerSettings } from './settings.ts';

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
