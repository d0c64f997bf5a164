const FIRST_MS = 10 * 60_000;
const LONGEST_MS = 2 * 60 * 60_000;
/** The longest limit that providers name today is a week. */
const BELIEVED_MS = 8 * 24 * 60 * 60_000;

/** Why the runner looks at nothing now: a login, a rate limit, tools that were not ready, a setting. */
export interface Pause {
  /** When the last look failed, ms since the epoch. */
  readonly failedAt: number;
  /** Looks that failed in a row, the first included; at least 1. */
  readonly failures: number;
  /** When the provider said that its limit resets, ms since the epoch. */
  readonly resetAt: number | null;
}

export interface LookAgain {
  /** ms since the epoch; at or before `now`: look now. */
  readonly at: number;
  readonly because:
    | { readonly rule: 'reset_named'; readonly saw: number }
    | { readonly rule: 'backoff'; readonly saw: number; readonly limit: number }
    | { readonly rule: 'clock_set_back'; readonly saw: number };
}

/**
 * When a paused runner looks again, which costs nothing: at the reset time that was named, else after 10 min,
 * then 20, 40, 80 and at most 120 min. A reset time that lies before the failure, or over eight days after it,
 * is not believed: a program's mistake must not stop an agent for a year.
 *
 * @param now ms since the epoch
 */
export function lookAgain(pause: Pause, now: number): LookAgain {
  const { failedAt, failures, resetAt } = pause;
  if (failedAt > now) return { at: now, because: { rule: 'clock_set_back', saw: failedAt } };
  if (resetAt !== null && resetAt > failedAt && resetAt <= failedAt + BELIEVED_MS)
    return { at: resetAt, because: { rule: 'reset_named', saw: resetAt } };
  const waitMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return { at: failedAt + waitMs, because: { rule: 'backoff', saw: failures, limit: waitMs } };
}
