import type { Stored } from '../intake/index.ts';
import type { Store } from '../store/index.ts';
import { type EndedRun, readRuns } from '../transcripts/index.ts';
import type { Log } from './log.ts';
import { AGENT } from './settings.ts';

/**
 * Why wats paused the agent by itself: nothing runs until a person has looked and resumes it.
 * `restored`: from a backup; `rebuilt`: the database was damaged; `twin`: another node signs as this one.
 */
export type Standstill = 'restored' | 'rebuilt' | 'twin';

/** A fact of the node: when wats paused the agent, and why. A person's resume, which clears the pause, ends it. */
const META = 'standstill';

/** Pauses the agent. An earlier reason that still holds is kept: a person is told the first thing that went wrong. */
export function standStill(store: Store, why: Standstill, now: number): void {
  if (standstillOf(store) !== null) return;
  store.atomically(() => {
    store.people.setPaused(AGENT, now);
    store.people.setMeta(META, JSON.stringify({ at: now, why }));
  });
}

/** Why the agent stands still, while it does. */
export function standstillOf(store: Pick<Store, 'people'>): Standstill | null {
  const pausedAt = store.people.agent(AGENT)?.pausedAt ?? null;
  const kept = store.people.meta(META);
  if (pausedAt === null || kept === null) return null;
  const { at, why } = JSON.parse(kept) as { readonly at: number; readonly why: Standstill };
  return at === pausedAt ? why : null;
}

/** A new database in the place of a damaged one: spend comes back from the list of ended runs, posts from peers. */
export function rebuild(store: Store, runIndex: string, log: Log): void {
  if (!store.rebuilt) return;
  const { runs, unreadable } = readRuns(runIndex);
  const back = store.rebuildSpend(runs satisfies readonly EndedRun[]);
  log.write('warn', 'database_rebuilt', { runs: back, unreadable });
}

/** Whether a post that came from a peer is signed with one of our own keys, by a store that is not this one. */
export function isTwin(stored: readonly Stored[], ours: ReadonlyMap<string, string>): boolean {
  return stored.some(({ post, source }) => source === 'peer' && ours.has(post.author));
}

export const STANDSTILL_WORDS: Readonly<Record<Standstill, string>> = {
  restored: 'restored from a backup: what was spent after it was made is not known, so the agent is paused',
  rebuilt:
    'the database was damaged and set aside; posts come back from peers, spend from runs.jsonl; the agent is paused',
  twin: 'another node signs as you (a copy of this data directory?), so the agent is paused',
};
