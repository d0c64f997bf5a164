import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * Looks until `condition` holds: often at first, then every 50 ms, and once more at the end.
 * The system has no event for "the last member of a group is gone", so looking is all there is.
 *
 * @returns whether it held within `withinMs`
 */
export async function waitUntil(condition: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    if (await condition()) return true;
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await sleep(Math.min(pauseMs, leftMs));
  }
}
