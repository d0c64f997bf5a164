import { windowEnd, windowStart } from '../budget/index.ts';
import type {
  AgentView,
  Alert,
  ProgramRow,
  SettingRow,
  SpendView,
  SpendWindow,
  TranscriptWindow,
  View,
} from '../control/index.ts';
import type { Runner, RunnerPorts, RunnerSettings, Stage } from '../runner/index.ts';
import type { ProgramRuntime } from '../runtimes/index.ts';
import type { Store } from '../store/index.ts';
import type { SyncStatus } from '../sync/index.ts';
import { shortKey, shortNode } from '../text/index.ts';
import { hasNoGuardrail } from './alerts.ts';
import { entryText, type Log } from './log.ts';
import { pausedView, queueView } from './view-queue.ts';
import { draftRow, postRef, postRow, runRow } from './view-rows.ts';

const HOUR_MS = 3_600_000;
/** Rows of each list that a view carries; the totals say how many there are. */
const ROWS = { drafts: 50, peers: 50, runs: 50, posts: 100, log: 200 } as const;

/** Everything that a view is made of. */
export interface ViewSources {
  readonly epoch: string;
  readonly version: string;
  readonly dir: string;
  readonly profile: string;
  readonly space: () => string;
  readonly startedAt: number;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  readonly agent: AgentSources | null;
  readonly sync: () => SyncStatus | null;
  readonly nodeId: string;
  readonly ownAuthors: () => ReadonlySet<string>;
  readonly programs: readonly ProgramRow[];
  readonly alerts: () => readonly Alert[];
  readonly settings: () => readonly SettingRow[];
  readonly transcript: (runId: string | null) => TranscriptWindow;
}

export interface AgentSources {
  readonly settings: RunnerSettings;
  readonly runner: Runner;
  readonly ports: RunnerPorts;
  readonly priced: boolean;
  /** Where a run would have its files and its socket. */
  readonly placeOf: (run: string) => Pick<Stage, 'runDir' | 'workDir' | 'mcp' | 'env'>;
  /** What a run's program would be started with; `null` for a runtime that starts none. */
  readonly prepare: ProgramRuntime['prepare'] | null;
  readonly runtimeVersion: string | null;
  readonly opens: readonly string[];
  readonly unguarded: readonly string[];
  readonly review: boolean;
}

/** One view of everything, now. */
export function buildView(sources: ViewSources, revision: number): View {
  const { store, agent, log } = sources;
  const now = sources.now();
  const own = sources.ownAuthors();
  const peers = sources.sync()?.peers ?? [];
  const held = store.drafts.held();
  const newest = store.posts.newest(ROWS.posts);
  const entries = log.recent(ROWS.log);
  const runs = agent === null ? [] : store.runs.newest(agent.settings.agent, ROWS.runs);
  const run = currentRun(sources, runs[0]);
  const settings = sources.settings();
  return {
    epoch: sources.epoch,
    revision,
    version: sources.version,
    node: {
      id: shortNode(sources.nodeId),
      profile: sources.profile,
      dir: sources.dir,
      startedAt: sources.startedAt,
      peersConnected: peers.filter((peer) => peer.state === 'connected').length,
      peersKnown: peers.length,
      space: sources.space().length > 15 ? shortKey(sources.space()) : sources.space(),
    },
    programs: sources.programs,
    agent: agent === null ? null : agentView(agent),
    alerts: sources.alerts(),
    spend: agent === null ? null : spendView(agent, store, now),
    run,
    transcript: sources.transcript(run?.id ?? null),
    drafts: { total: held.length, rows: held.slice(0, ROWS.drafts).map((draft) => draftRow(store, draft)) },
    paused: agent === null ? { total: 0, rows: [] } : pausedView(agent, store),
    queue: agent === null ? { total: 0, rows: [], verdict: null, until: null } : queueView(agent, store, now),
    peers: {
      total: peers.length,
      rows: peers.slice(0, ROWS.peers).map(({ id, state, relayed, lastSeenAt, lag, refusedPosts }) => ({
        id,
        state,
        relayed,
        lastSeenAt,
        lag,
        refusedPosts,
      })),
    },
    runs: { total: agent === null ? 0 : store.runs.count(agent.settings.agent), rows: runs.map(runRow) },
    posts: { total: store.posts.count(), rows: newest.map((stored) => postRow(stored, own)) },
    log: {
      total: entries.total,
      rows: entries.entries.map((entry) => ({
        at: entry.at,
        level: entry.level,
        text: entryText(entry),
      })),
    },
    settings: { total: settings.length, rows: settings },
  };
}

function agentView(agent: AgentSources): AgentView {
  const { settings, ports } = agent;
  return {
    name: settings.agent,
    profile: settings.profile,
    runtime: ports.runtime.name,
    runtimeVersion: agent.runtimeVersion,
    access: settings.access,
    opens: agent.opens,
    // What an alert says already is not said twice.
    unguarded: hasNoGuardrail(agent) ? [] : agent.unguarded,
    review: agent.review,
    nextHeartbeatAt: agent.runner.nextHeartbeatAt(),
    paused: (ports.store.people.agent(settings.agent)?.pausedAt ?? null) !== null,
  };
}

export function spendView(
  { settings }: Pick<AgentSources, 'settings'>,
  store: Pick<Store, 'runs'>,
  now: number,
): SpendView {
  const bookings = store.runs.bookingsSince(
    settings.agent,
    Math.min(windowStart('month', now), now - HOUR_MS),
  );
  const window = (name: 'day' | 'month', limitMicroUsd: number): SpendWindow => {
    const inside = bookings.filter(({ at }) => at >= windowStart(name, now));
    return {
      spentMicroUsd: inside.reduce((sum, { charge }) => sum + charge.microUsd, 0),
      bookedMicroUsd: inside
        .filter(({ settled }) => !settled)
        .reduce((sum, { charge }) => sum + charge.microUsd, 0),
      limitMicroUsd,
      resetsAt: windowEnd(name, now),
    };
  };
  const today = bookings.filter(({ at }) => at >= windowStart('day', now));
  const count = (list: typeof bookings, unit: 'runs' | 'unpricedRuns'): number =>
    list.reduce((sum, { charge }) => sum + charge[unit], 0);
  return {
    day: window('day', settings.maxMicroUsdPerDay),
    month: window('month', settings.maxMicroUsdPerMonth),
    runsToday: count(today, 'runs'),
    unpricedToday: count(today, 'unpricedRuns'),
    unpricedPerDay: settings.maxRunsPerDay,
    runsThisHour: count(
      bookings.filter(({ at }) => at >= windowStart('hour', now)),
      'runs',
    ),
    runsPerHour: settings.maxRunsPerHour,
  };
}

function currentRun(
  sources: ViewSources,
  newest: ReturnType<Store['runs']['newest']>[number] | undefined,
): View['run'] {
  if (newest === undefined) return null;
  const going = sources.agent?.runner.going() ?? null;
  const live = going?.id === newest.id ? going : null;
  const forwards = sources.agent?.ports.runtime.sees?.output === false;
  return {
    id: newest.id,
    // A run that is forwarded has no process of ours: it goes on all the same.
    state: newest.state === 'uncertain' || (live !== null && forwards) ? 'spawned' : newest.state,
    outcome: newest.outcome,
    cause: newest.cause,
    about: postRef(sources.store, newest.about),
    startedAt: newest.bookedAt,
    endedAt: newest.endedAt,
    costMicroUsd: live?.costMicroUsd ?? newest.costMicroUsd,
    turns: live?.turns ?? newest.turns,
  };
}
