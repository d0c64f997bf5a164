export interface HeartbeatDue {
  readonly due: boolean;
  /** Heartbeats that fell into a sleep or a downtime before this one; they are part of this one run. */
  readonly missed: number;
  /** When the next one is due, ms since the epoch; `null` while heartbeats are off. */
  readonly next: number | null;
  /**
   * What to keep in the store as the next call's `prevDue`: when `due`, in the transaction that queues the wake;
   * otherwise whenever it differs from what is kept.
   */
  readonly keep: number | null;
}

/**
 * Whether a heartbeat is due: at the previous due time plus the interval, so that the hour of the day does not
 * drift with the length of runs. However many were missed, one is due, and it says how many. Turned on, the
 * first comes one interval from now. A clock that was set back to before the previous one starts a new interval:
 * neither a second heartbeat at once nor a wait until the old time comes again.
 *
 * @param prevDue what was kept, ms since the epoch; `null` at the first start, after heartbeats were off, and
 *   when the interval was changed
 * @param intervalMs the setting `agent.heartbeat`, over 0; `null`: off
 * @param now ms since the epoch
 */
export function heartbeatDue(prevDue: number | null, intervalMs: number | null, now: number): HeartbeatDue {
  if (intervalMs === null) return { due: false, missed: 0, next: null, keep: null };
  if (prevDue === null || prevDue > now) return { due: false, missed: 0, next: now + intervalMs, keep: now };
  const passed = Math.floor((now - prevDue) / intervalMs);
  const keep = prevDue + passed * intervalMs;
  return { due: passed > 0, missed: Math.max(0, passed - 1), next: keep + intervalMs, keep };
}
