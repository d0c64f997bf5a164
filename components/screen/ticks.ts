import type { View } from '../../src/control/index.ts';
import { isRunning } from '../state/context.ts';
import type { ScreenState } from '../state/state.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * Ms until something on screen changes by itself: the line about what happened goes, the run's clock moves on, ages
 * do once a minute. Never less than a second but for that line.
 */
export function nextTick(view: View, state: ScreenState, now: number): number {
  const minute = MINUTE - (now % MINUTE);
  const clock =
    isRunning(view) && view.run !== null ? SECOND - ((now - view.run.startedAt) % SECOND) : minute;
  const notice = state.notice === null || state.notice.until <= now ? minute : state.notice.until - now;
  return Math.max(20, Math.min(minute, clock > SECOND ? minute : clock, notice));
}
