/** A UTC day, a UTC month, or the last 3,600,000 ms. */
export type Window = 'hour' | 'day' | 'month';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The first millisecond that belongs to the window that `now` is in. The rolling hour ends with `now`, so that
 * a charge leaves it exactly one hour after it was booked.
 *
 * @param now ms since the epoch
 */
export function windowStart(window: Window, now: number): number {
  switch (window) {
    case 'hour':
      return now - HOUR_MS + 1;
    case 'day':
      return Math.floor(now / DAY_MS) * DAY_MS;
    case 'month': {
      const date = new Date(now);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    }
    default:
      return window satisfies never;
  }
}

/** When a calendar window resets: the first millisecond after it, ms since the epoch. A rolling hour never resets. */
export function windowEnd(window: Exclude<Window, 'hour'>, now: number): number {
  if (window === 'day') return windowStart('day', now) + DAY_MS;
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
