import type { View } from '../control/index.ts';

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

export function createViewPublisher(build: (revision: number) => View): ViewPublisher {
  const listeners = new Set<() => void>();
  let revision = 0;
  let current: View | null = null;
  let timer: NodeJS.Timeout | null = null;
  let lastAt = 0;

  function tell(): void {
    timer = null;
    lastAt = performance.now();
    for (const listener of listeners) listener();
  }

  return {
    view() {
      if (current === null) {
        revision += 1;
        current = build(revision);
      }
      return current;
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => {
        listeners.delete(changed);
      };
    },
    touch() {
      current = null;
      if (listeners.size === 0 || timer !== null) return;
      timer = setTimeout(tell, Math.max(0, lastAt + INTERVAL_MS - performance.now()));
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      listeners.clear();
    },
  };
}
