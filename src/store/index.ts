/** SQLite, one file a concern: the only room that knows SQL. */
import { type Appended, appender } from './append.ts';
import { asStorageError, openDatabase } from './database.ts';
import { draftStore } from './drafts.ts';
import { effectStore } from './effects.ts';
import { peopleStore } from './people.ts';
import { postReader } from './posts.ts';
import { runStore } from './runs.ts';
import { searcher, searchFeeder } from './search.ts';
import { turnReader } from './turns.ts';
import { wakeStore } from './wakes.ts';

export type { Appended } from './append.ts';
export { openReadOnly, SCHEMA_VERSION } from './database.ts';
export type { Draft, DraftState } from './drafts.ts';
export type { NewEffect } from './effects.ts';
export { acquireLock } from './lock.ts';
export type { AgentRecord } from './people.ts';
export type { Found } from './posts.ts';
export { type DayFingerprint, openReader, type StoreReader } from './reader.ts';
export type { Chain, StoredPost } from './rows.ts';
export type { Booking, Charge, NewRun, RunEnd, RunRecord, WakeFate } from './runs.ts';
export type { SearchQuery } from './search.ts';
export type { Turn } from './turns.ts';
export type { Candidate, Judged, LoadedWake, Wake, WakeCause } from './wakes.ts';

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the store of a data directory as its one writer.
 * @throws WatsError `directory` (newer, damaged), `storage` (the disk refuses)
 */
export function openStore(path: string) {
  const db = openDatabase(path);
  const append = appender(db);
  return {
    posts: postReader(db),
    search: searcher(db),
    feedSearch: searchFeeder(db),
    turnBefore: turnReader(db),
    wakes: wakeStore(db),
    runs: runStore(db),
    effects: effectStore(db),
    drafts: draftStore(db),
    people: peopleStore(db),

    /** Appends one verified post in the caller's transaction, or in one of its own. `null`: it is here already. */
    append: (post: Parameters<typeof append>[0], receivedAt: number, via: string): Appended | null =>
      append(post, receivedAt, via),

    /**
     * Runs `act` in one transaction: all of it survives a crash, or nothing. Transactions nest.
     * @throws WatsError `storage` when the disk refuses
     */
    atomically<T>(act: () => T): T {
      try {
        return db.transaction(act)();
      } catch (error) {
        throw asStorageError(error, path);
      }
    },

    close(): void {
      db.close();
    },
  };
}
