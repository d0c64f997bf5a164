/** Work that is done behind the posts, a bounded step an iteration of the event loop, until it has caught up. */
export interface Feed {
  /** There is something to do, maybe. */
  feed(): void;
  /**
   * Resolves when there is room for more to do: at once, but for a feed that has not caught up for a while. Then it
   * waits for that, and not forever. Never rejects.
   */
  room(): Promise<void>;
  close(): void;
}

export interface FeedOptions {
  /** Does up to `size` of whatever it is; whether there is more. */
  readonly step: (size: number) => boolean;
  /** A step threw: the next {@link Feed.feed} tries again. */
  readonly failed: (error: unknown) => void;
  /** ms between having caught up and the next step: in a stream of posts, a few large steps cost less than many. */
  readonly restMs?: number;
  /** ms, monotonic. */
  readonly clock?: () => number;
}

/** The size of a step follows how long steps take, so that nothing else waits long, on a slow disk neither. */
const SIZE = { least: 10, first: 50, most: 200 } as const;
const LONG_MS = 12;
const SHORT_MS = 5;
/** A feed that was not done for so long is behind. */
const BEHIND_MS = 400;
/** The longest that anybody waits for one: what it has to do may be millions of posts. */
const PATIENCE_MS = 400;

export function createFeed({ step, failed, restMs = 0, clock = () => performance.now() }: FeedOptions): Feed {
  let cancel: (() => void) | null = null;
  let size: number = SIZE.first;
  let doneAt = Number.NEGATIVE_INFINITY;
  /** Since when there is something to do. */
  let since: number | null = null;
  const waiting: (() => void)[] = [];

  function timed(): boolean {
    const before = clock();
    const isMore = step(size);
    const took = clock() - before;
    if (took > LONG_MS) size = Math.max(SIZE.least, Math.floor(size / 2));
    else if (took < SHORT_MS && isMore) size = Math.min(SIZE.most, size * 2);
    return isMore;
  }

  /** One step, and the next one soon. What throws is over as well: nobody waits for it. */
  function turn(): void {
    cancel = null;
    let isMore = false;
    try {
      isMore = timed();
    } catch (error) {
      failed(error);
    }
    if (isMore) next(0);
    else done();
  }

  function done(): void {
    doneAt = clock();
    since = null;
    for (const wake of waiting.splice(0)) wake();
  }

  function next(inMs: number): void {
    if (inMs > 0) {
      const timer = setTimeout(turn, inMs);
      cancel = () => clearTimeout(timer);
    } else {
      const soon = setImmediate(turn);
      cancel = () => clearImmediate(soon);
    }
  }

  return {
    feed() {
      since ??= clock();
      if (cancel === null) next(doneAt + restMs - clock());
    },
    async room() {
      if (since === null || clock() - since < BEHIND_MS) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      const timer = setTimeout(resolve, PATIENCE_MS);
      await promise;
      clearTimeout(timer);
    },
    close() {
      cancel?.();
      for (const wake of waiting.splice(0)) wake();
    },
  };
}
