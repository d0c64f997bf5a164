/** Work that is done behind the posts, a bounded step an iteration of the event loop, until it has caught up. */
export interface Feed {
  /** There is something to do, maybe. */
  feed(): void;
  close(): void;
}

/**
 * @param step does a few milliseconds of work; whether there is more
 * @param failed a step threw: the next {@link Feed.feed} tries again
 */
export function createFeed(step: () => boolean, failed: (error: unknown) => void): Feed {
  let feeding: NodeJS.Immediate | null = null;
  function feed(): void {
    feeding ??= setImmediate(() => {
      feeding = null;
      try {
        if (step()) feed();
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
