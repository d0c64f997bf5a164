import { setTimeout as sleep } from 'node:timers/promises';
import { connectControl } from '../control/index.ts';
import { isWatsError } from '../errors/index.ts';
import { acquireLock } from '../store/index.ts';

/** How long a background node may take to end once it was asked to. */
const YIELD_MS = 10_000;
/** How long a daemon that holds the directory may take until it answers: it may be starting. */
const ANSWER_MS = 3_000;
const LOOK_MS = 50;

/** The call by which a foreground daemon asks a background node for its directory; no other daemon serves it. */
export const YIELD_CALL = 'node.yield';

/**
 * Holds a data directory for one daemon. A background node, which `wats mcp` started, yields to a foreground one:
 * it is asked to end, and waited for.
 *
 * @throws WatsError `already_running` when another daemon keeps it
 */
export async function holdDirectory(
  lock: string,
  controlSocket: string,
  background: boolean,
): Promise<{ release: () => void }> {
  const startedAt = performance.now();
  let asked = false;
  for (;;) {
    try {
      return acquireLock(lock);
    } catch (error) {
      if (background || !isWatsError(error) || error.code !== 'already_running') throw error;
      const waited = performance.now() - startedAt;
      if (waited > (asked ? YIELD_MS : ANSWER_MS)) throw error;
      if (!asked) {
        const answer = await askToYield(controlSocket);
        if (answer === 'stays') throw error;
        asked = answer === 'yields';
      }
    }
    await sleep(LOOK_MS);
  }
}

async function askToYield(controlSocket: string): Promise<'yields' | 'stays' | 'silent'> {
  try {
    const client = await connectControl(controlSocket);
    try {
      await client.call(YIELD_CALL);
      return 'yields';
    } finally {
      client.close();
    }
  } catch (error) {
    // It may be starting, or ending, or have gone away with its answer: the lock says what came of it.
    return isWatsError(error) && error.code === 'no_daemon' ? 'silent' : 'stays';
  }
}
