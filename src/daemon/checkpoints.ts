import type { ReaderThread, Store } from '../store/index.ts';

/** Pages of the write-ahead log (4 KiB each) at which posts of others wait until it was emptied. */
const FULL = 8_000;
/** Pages that are worth a thread's while. */
const SOME = 1_000;
/** Whoever else writes may come between; then the writer itself empties the log in the end. */
const TRIES = 3;

export interface CheckpointOptions {
  readonly store: Pick<Store, 'logState'>;
  readonly reader: Pick<ReaderThread, 'checkpoint'>;
  readonly failed: (error: unknown) => void;
}

/** Keeps the write-ahead log short, on the reader thread: on this one it would hold everything else up. */
export interface Checkpoints {
  /** Resolves when the log has room for a batch of posts. Never rejects. */
  room(): Promise<void>;
  /** Empties a log that has grown, behind everything else. */
  tidy(): void;
}

export function createCheckpoints({ store, reader, failed }: CheckpointOptions): Checkpoints {
  let underway: Promise<void> | null = null;

  function checkpoint(): Promise<void> {
    underway ??= reader
      .checkpoint()
      .catch(failed)
      .finally(() => {
        underway = null;
      });
    return underway;
  }

  return {
    async room() {
      for (let tries = 0; tries < TRIES; tries++) {
        const { pages, waiting } = store.logState();
        if (pages < FULL || waiting === 0) return;
        await checkpoint();
      }
    },
    tidy() {
      if (store.logState().waiting >= SOME) void checkpoint();
    },
  };
}
