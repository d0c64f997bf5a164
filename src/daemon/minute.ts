import type { Store } from '../store/index.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Log } from './log.ts';

const MINUTE_MS = 60_000;

/**
 * Looks once a minute at what only time changes: drafts that expire, windows that reset, the log of the database.
 * @returns the end of it
 */
export function everyMinute(house: {
  readonly store: Store;
  readonly checkpoints: Pick<Checkpoints, 'tidy'>;
  readonly log: Log;
  readonly now: () => number;
  readonly onDefect: (error: unknown) => void;
  readonly changed: () => void;
}): () => void {
  const timer = setInterval(() => {
    try {
      for (const id of house.store.drafts.expire(house.now())) {
        house.log.write('info', 'draft_expired', { draft: id });
      }
      house.checkpoints.tidy();
    } catch (error) {
      // A full disk: what has expired is not decided on any more, and the next minute writes it down.
      house.onDefect(error);
    }
    house.changed();
  }, MINUTE_MS);
  return () => clearInterval(timer);
}
