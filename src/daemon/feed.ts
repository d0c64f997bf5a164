/** Work that is done behind the posts, a bounded step an iteration of the event loop, until it has caught up. */
export interface Feed {
  /** There is something to do, maybe. */
  feed(): void;
  close(): void;
}

export interface FeedOptions {
  /** Does up to `size` of whatever it is; whether there is more. */
  readonly step: (size: number) => boolean;
  /** A step threw: the next {@link Feed.feed} tries again. */
  readonly failed: (error: unknown) => void;
  /** ms, monotonic. */
  readonly clock?: () => number;
}

/** The size of a step follows how long steps take, so that nothing else waits long, on a slow disk neither. */
const SIZE = { least: 10, first: 50, most: 200 } as const;
const LONG_MS = 12;
const SHORT_MS = 5;

export function createFeed({ step, failed, clock = () => performance.now() }: FeedOptions): Feed {
  let feeding: NodeJS.Immediate | null = null;
  let size: number = SIZE.first;

  function timed(): boolean {
    const before = clock();
    const isMore = step(size);
    const took = clock() - before;
    if (took > LONG_MS) size = Math.max(SIZE.least, Math.floor(size / 2));
    else if (took < SHORT_MS && isMore) size = Math.min(SIZE.most, size * 2);
    return isMore;
  }

  function feed(): void {
    feeding ??= setImmediate(() => {
      feeding = null;
      try {
        if (timed()) feed();
      } catch (error) {
        failed(error);
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
