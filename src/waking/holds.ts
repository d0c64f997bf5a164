import { isAllowed, isIgnoredLocal, type WakeFilter } from './facts.ts';
import type { LoopVerdict } from './loop.ts';

const HOUR_MS = 3_600_000;

/** What keeps one wake queued. Each carries what was seen and the limit it was held against. */
export type WakeHold =
  /** A guardian's halt is in force; `saw` is the id of the halt. */
  | { readonly rule: 'halted'; readonly saw: string }
  /** `agent.allow` does not admit the author any more; `limit` is the length of the list. */
  | { readonly rule: 'not_allowed'; readonly saw: string; readonly limit: number }
  /** The author is a profile of this node, and `agent.ignore_local` is on by now. */
  | { readonly rule: 'ignored_local'; readonly saw: string }
  /** `agent.wakes_per_author_per_hour` wakes of this author were taken in the last hour. */
  | { readonly rule: 'author_cap'; readonly saw: number; readonly limit: number; readonly until: number }
  /** The loop detector paused the thread; `other` is the author that the agent took turns with. */
  | { readonly rule: 'loop'; readonly saw: number; readonly limit: number; readonly other: string };

/** What keeps every wake of an agent queued. The runner finds these; they are named here so that there is one list. */
export type RunHold =
  /** `agent.every` since the first queued wake is not over. */
  | { readonly rule: 'debounce'; readonly saw: number; readonly limit: number; readonly until: number }
  /** `agent.max_runs_per_hour` runs started in the last hour. */
  | { readonly rule: 'runs_per_hour'; readonly saw: number; readonly limit: number; readonly until: number }
  /** A budget window has too little left; `until` is `null` when no reset can help (a limit of 0 dollars). */
  | {
      readonly rule: 'budget';
      readonly scope: string;
      readonly window: 'hour' | 'day' | 'month' | 'run';
      readonly unit: 'micro_usd' | 'runs' | 'unpriced_runs';
      readonly saw: number;
      readonly limit: number;
      readonly until: number | null;
    }
  /** Another run of this agent is going; `saw` is its id. */
  | { readonly rule: 'running'; readonly saw: string };

export type Hold = WakeHold | RunHold;

/** The holds in the order in which they are asked (design page 3, "Waking"); a person is shown the first. */
export const HOLD_ORDER = [
  'halted',
  'not_allowed',
  'ignored_local',
  'author_cap',
  'loop',
  'debounce',
  'runs_per_hour',
  'budget',
  'running',
] as const satisfies readonly Hold['rule'][];

export interface HoldFacts {
  /** Id of a halt in force, or `null`. */
  readonly halt: string | null;
  /** Author of the post that caused the wake; `null` for a heartbeat or a person's run. */
  readonly author: string | null;
  readonly filter: WakeFilter;
  /** When wakes of this author were taken, ms since the epoch, any order; older ones than an hour may be left out. */
  readonly takenAt: readonly number[];
  /** The setting `agent.wakes_per_author_per_hour`; 0 is unlimited. */
  readonly authorPerHour: number;
  /** The loop detector on the thread of the post; asked only when nothing before it holds. */
  readonly loop: () => LoopVerdict;
}

/**
 * What keeps one queued wake from being taken, the first of the list; `null` when nothing does.
 *
 * @param now ms since the epoch
 */
export function holdOf(facts: HoldFacts, now: number): WakeHold | null {
  if (facts.halt !== null) return { rule: 'halted', saw: facts.halt };
  const { author, filter } = facts;
  if (author === null) return null;
  if (!isAllowed(author, filter))
    return { rule: 'not_allowed', saw: author, limit: filter.allow?.length ?? 0 };
  if (isIgnoredLocal(author, filter)) return { rule: 'ignored_local', saw: author };
  const cap = authorCap(facts, now);
  if (cap !== null) return cap;
  const loop = facts.loop();
  if (loop.kind !== 'paused') return null;
  return { rule: 'loop', saw: loop.turns, limit: loop.limit, other: loop.other };
}

/** Wakes dated in the future count, so that a clock set back opens no gap. */
function authorCap({ takenAt, authorPerHour: limit }: HoldFacts, now: number): WakeHold | null {
  if (limit === 0) return null;
  const inHour = takenAt.filter((at) => at > now - HOUR_MS).sort((a, b) => a - b);
  const leaves = inHour[inHour.length - limit];
  if (leaves === undefined) return null;
  return { rule: 'author_cap', saw: inHour.length, limit, until: leaves + HOUR_MS };
}
