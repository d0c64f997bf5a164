const LONGEST_TIMER_MS = 60_000;

/**
 * How long a timer for a time may sleep, in ms: at most a minute, since a timer counts neither a laptop's sleep
 * nor a clock that is set. Whoever wakes decides anew.
 *
 * @param at when something is due, ms since the epoch
 * @param now ms since the epoch
 */
export function timerDelay(at: number, now: number): number {
  return Math.min(LONGEST_TIMER_MS, Math.max(0, at - now));
}
