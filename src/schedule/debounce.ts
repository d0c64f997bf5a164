/**
 * When queued wakes may start a run: `agent.every` after the first of them was queued, so that later ones never
 * push it away. A first wake dated in the future (the clock was set back since) has waited long enough.
 *
 * @param firstQueuedAt ms since the epoch
 * @param everyMs the setting `agent.every`; 0: at once
 * @param now ms since the epoch
 * @returns ms since the epoch; at or before `now` when nothing is left to wait for
 */
export function debounceUntil(firstQueuedAt: number, everyMs: number, now: number): number {
  return firstQueuedAt > now ? now : firstQueuedAt + everyMs;
}
