import { type AdmissionFacts, admit, type Charge } from '../budget/index.ts';
import { debounceUntil } from '../schedule/index.ts';
import type { RunHold, WakeHold } from '../waking/index.ts';
import type { Blocked, QueuedWake } from './ports.ts';

/** A queued wake with what keeps it, the first hold that applies. */
export interface HeldWake {
  readonly wake: QueuedWake;
  readonly hold: WakeHold | null;
}

export interface DecisionFacts {
  /** Id of the run in progress, or `null`. */
  readonly running: string | null;
  /** Id of a halt in force, or `null`. */
  readonly halt: string | null;
  /** When a person paused the runner, ms since the epoch. */
  readonly pausedAt: number | null;
  /** What an earlier run met that makes the next one pointless. */
  readonly blocked: Blocked | null;
  /** Queued wakes, oldest first: all of them, or as many as hold enough free ones for a run. */
  readonly wakes: readonly HeldWake[];
  readonly everyMs: number;
  readonly wakesPerRun: number;
  /** A run takes the posts of one thread only: its runtime keeps a conversation for each. */
  readonly oneThreadPerRun: boolean;
  readonly admission: AdmissionFacts;
}

/** Why nothing starts: a hold of the wakes, or of the whole runner. */
export type Reason =
  | WakeHold
  | RunHold
  | { readonly rule: 'paused'; readonly saw: number }
  /** A look at the facts, or the record of an ended run, failed; `saw` is the code of the error. */
  | { readonly rule: 'fault'; readonly saw: string; readonly until: number }
  | { readonly rule: 'blocked'; readonly saw: string; readonly text: string; readonly until: number };

/** What the runner does now. Log line, screen and `wats why` are renderings of it. */
export type Verdict =
  | { readonly kind: 'idle' }
  | { readonly kind: 'start'; readonly wakes: readonly QueuedWake[]; readonly charge: Charge }
  /** Something will change by itself, at `until` (ms since the epoch) or when somebody acts (`null`). */
  | { readonly kind: 'wait'; readonly until: number | null; readonly because: Reason };

/**
 * One decision from all facts, in the order of design page 3 ("Waking", holds): a halt, a person's pause, what a
 * run met, the holds of each wake, the debounce, the hour, the money, another run.
 *
 * @param now ms since the epoch
 */
export function decide(facts: DecisionFacts, now: number): Verdict {
  const { wakes, halt, pausedAt, blocked } = facts;
  if (wakes.length === 0) return { kind: 'idle' };
  if (halt !== null) return waiting(null, { rule: 'halted', saw: halt });
  if (pausedAt !== null) return waiting(null, { rule: 'paused', saw: pausedAt });
  if (blocked !== null && blocked.until > now) {
    return waiting(blocked.until, {
      rule: 'blocked',
      saw: blocked.code,
      text: blocked.text,
      until: blocked.until,
    });
  }
  const free = wakes.filter(({ hold }) => hold === null).map(({ wake }) => wake);
  const [first] = free;
  if (first === undefined) return heldBack(wakes);
  const debounce = debounced(free, facts.everyMs, now);
  if (debounce !== null) return debounce;
  const admission = admit(facts.admission, now);
  if (admission.kind !== 'admit') return refused(admission, now);
  if (facts.running !== null) return waiting(null, { rule: 'running', saw: facts.running });
  const taken = take(facts.oneThreadPerRun ? ofOneThread(free, first) : free, facts.wakesPerRun);
  return { kind: 'start', wakes: taken, charge: admission.charge };
}

function waiting(until: number | null, because: Reason): Verdict {
  return { kind: 'wait', until, because };
}

/** Every wake is held: the hold of the oldest is shown, the earliest time that frees one is waited for. */
function heldBack(wakes: readonly HeldWake[]): Verdict {
  const holds = wakes.flatMap(({ hold }) => (hold === null ? [] : [hold]));
  const [oldest] = holds;
  if (oldest === undefined) return { kind: 'idle' };
  const times = holds.flatMap((hold) => (hold.rule === 'author_cap' ? [hold.until] : []));
  return waiting(times.length === 0 ? null : Math.min(...times), oldest);
}

/** The oldest, and a person's request in any case: whoever asks for a run gets one, not a place in a queue. */
function take(free: readonly QueuedWake[], most: number): readonly QueuedWake[] {
  const oldest = free.slice(0, most);
  const person = free.find(({ cause }) => cause === 'person');
  if (person === undefined || oldest.includes(person)) return oldest;
  return [...oldest.slice(0, most - 1), person];
}

/** What one conversation is about: that of the oldest wake, and a person's request, which goes along with any. */
function ofOneThread(free: readonly QueuedWake[], oldest: QueuedWake): readonly QueuedWake[] {
  const { session } =
    oldest.cause === 'person' ? (free.find(({ cause }) => cause !== 'person') ?? oldest) : oldest;
  const inIt = free.filter((wake) => wake.session === session && wake.cause !== 'person');
  // Last, since the first names the conversation of the run.
  return [...inIt, ...free.filter(({ cause }) => cause === 'person')];
}

/** Posts wait `agent.every` from the first of them; a heartbeat that is due and a person wait for nothing. */
function debounced(free: readonly QueuedWake[], everyMs: number, now: number): Verdict | null {
  if (free.some(({ cause }) => cause !== 'post')) return null;
  const firstAt = Math.min(...free.map(({ queuedAt }) => queuedAt));
  const until = debounceUntil(firstAt, everyMs, now);
  if (until <= now) return null;
  return waiting(until, { rule: 'debounce', saw: now - firstAt, limit: everyMs, until });
}

function refused(admission: Exclude<ReturnType<typeof admit>, { kind: 'admit' }>, now: number): Verdict {
  const { because } = admission;
  const until = admission.kind === 'wait' ? admission.until : null;
  if (because.unit === 'runs' && because.window === 'hour') {
    return waiting(until, {
      rule: 'runs_per_hour',
      saw: because.saw,
      limit: because.limit,
      until: until ?? now,
    });
  }
  return waiting(until, { ...because, until });
}
