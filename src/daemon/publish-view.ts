import { fitView, type View } from '../control/index.ts';

/** At most ten changes a second reach a screen (design page 4, "How it is built"). */
const INTERVAL_MS = 100;

/** The newest view, built when somebody looks and something changed. */
export interface ViewPublisher {
  view(): View;
  subscribe(changed: () => void): () => void;
  /** Something that a view shows has changed. Cheap; may be called any number of times. */
  touch(): void;
  close(): void;
}

/** @param onFault a view could not be built (the disk refuses to be read): for the log */
export function createViewPublisher(
  build: (revision: number) => View,
  onFault: (error: unknown) => void,
): ViewPublisher {
  const listeners = new Set<() => void>();
  let revision = 0;
  let current: View | null = null;
  let stale = true;
  let timer: NodeJS.Timeout | null = null;
  let lastAt = 0;

  function tell(): void {
    timer = null;
    lastAt = performance.now();
    for (const listener of listeners) listener();
  }

  /** The last good view stands in for one that cannot be built: a screen that says nothing helps nobody. */
  function rebuild(): View {
    try {
      current = fitView(build(revision + 1));
      revision += 1;
    } catch (error) {
      if (current === null) throw error;
      onFault(error);
    }
    stale = false;
    return current;
  }

  return {
    view: () => (current === null || stale ? rebuild() : current),
    subscribe(changed) {
      listeners.add(changed);
      return () => {
        listeners.delete(changed);
      };
    },
    touch() {
      stale = true;
      if (listeners.size === 0 || timer !== null) return;
      timer = setTimeout(tell, Math.max(0, lastAt + INTERVAL_MS - performance.now()));
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      listeners.clear();
    },
  };
}
