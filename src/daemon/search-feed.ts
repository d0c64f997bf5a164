import type { Store } from '../store/index.ts';
import { codeOf } from './fault.ts';
import type { Log } from './log.ts';

/** Posts that one step of the search index takes: a few milliseconds. */
const STEP = 200;

/** Feeds the search index behind the posts, a step an iteration of the event loop, until it has caught up. */
export function createSearchFeed(store: Store, log: Log): { feed(): void; close(): void } {
  let feeding: NodeJS.Immediate | null = null;
  function feed(): void {
    feeding ??= setImmediate(() => {
      feeding = null;
      try {
        if (store.feedSearch(STEP)) feed();
      } catch (error) {
        // The next post tries again.
        log.write('error', 'search_index_failed', { code: codeOf(error) });
      }
    });
  }
  return {
    feed,
    close: () => {
      if (feeding !== null) clearImmediate(feeding);
    },
  };
}
