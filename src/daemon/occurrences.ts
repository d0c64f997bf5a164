import type { Occurrence } from '../runner/index.ts';
import { LOOP_PAUSED, type Log } from './log.ts';

/** What happened, as ids and numbers: what `wats node` prints. */
export type Happening =
  | Occurrence
  | { readonly type: 'post' | 'draft' | 'halt' | 'halt_lifted'; readonly id: string };

export interface Occurrences {
  tell(happening: Happening): void;
  /** The first listener also gets what happened before it came: a start tells what it found. Must not throw. */
  listen(listener: (happening: Happening) => void): void;
  /** One that hears along from now on, and leaves what happened early to the first that listens. Must not throw. */
  also(listener: (happening: Happening) => void): void;
}

export function createOccurrences(): Occurrences {
  const listeners: ((happening: Happening) => void)[] = [];
  const others: ((happening: Happening) => void)[] = [];
  /** Until somebody listens; a start has few occurrences, and without a listener the last ones are enough. */
  let early: Happening[] = [];
  const KEPT = 200;
  return {
    tell(happening) {
      if (listeners.length === 0) early = [...early.slice(1 - KEPT), happening];
      for (const listener of [...listeners, ...others]) listener(happening);
    },
    listen(listener) {
      listeners.push(listener);
      for (const happening of early) listener(happening);
      early = [];
    },
    also(listener) {
      others.push(listener);
    },
  };
}

/** The log line of an occurrence: its fields are ids, fixed words and numbers already. */
export function logOccurrence(log: Log, occurrence: Occurrence): void {
  const { type, ...fields } = occurrence;
  if (type === 'verdict' || type === 'run_progress') return;
  log.write(
    'info',
    type === 'loop' ? LOOP_PAUSED : type,
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.join(' ') : (value as string | number | null),
      ]),
    ),
  );
}
