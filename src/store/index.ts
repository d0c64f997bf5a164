/** SQLite, one file a concern: the only room that knows SQL. */
import type { Post } from '../swarm/index.ts';
import { appender } from './append.ts';
import { chainKeeper } from './chains.ts';
import { logState } from './checkpoint.ts';
import { isFoundDamaged, newestAside, setAside } from './damage.ts';

import { type Db, openDatabase } from './database.ts';
import { draftStore } from './drafts.ts';
import { effectStore } from './effects.ts';
import { guarded, guardedCall, isDamage } from './failures.ts';
import { haltStore } from './halts.ts';
import { peopleStore } from './people.ts';
import { postReader } from './posts.ts';
import { spendRebuilder } from './rebuild.ts';
import { requestStore } from './requests.ts';
import { runStore } from './runs.ts';
import { searcher } from './search.ts';
import { emptyIndex, searchFeeder } from './search-index.ts';
import { turnReader } from './turns.ts';
import { wakeStore } from './wakes.ts';

export type { Appended } from './append.ts';
export { type BackupFile, readBackup, writeBackup } from './backup.ts';
export type { LogState } from './checkpoint.ts';
export { settleSuspicion } from './damage.ts';
export { openReadOnly, SCHEMA_VERSION } from './database.ts';
export type { Draft, DraftState } from './drafts.ts';
export type { NewEffect } from './effects.ts';
export type { GuardianRecord, StoredHalt } from './halts.ts';
export { acquireLock } from './lock.ts';
export type { AgentRecord } from './people.ts';
export type { Found } from './posts.ts';
export { openStoreToRead, type StoreToRead } from './read-only.ts';
export { type DayFingerprint, openReader, type StoreReader } from './reader.ts';
export { createReaderThread, type ReaderThread } from './reading/thread.ts';
export type { StoredRequest } from './requests.ts';
export type { Chain, StoredPost } from './rows.ts';
export type { Booking, Charge, NewRun, RunEnd, RunRecord, WakeFate } from './run-rows.ts';
export type { SearchQuery } from './search.ts';
export type { Turn } from './turns.ts';
export type { Candidate, Judged, LoadedWake, Wake, WakeCause } from './wakes.ts';

export type Store = ReturnType<typeof openStore>;

/** The newest damaged database that a person knows of. */
const SEEN = 'store.damage_seen';

/**
 * Opens the store of a data directory as its one writer. A damaged database is set aside, never deleted, and a new
 * one takes its place: see `rebuilt`.
 *
 * @param now ms since the epoch, for the name of a damaged database
 * @throws WatsError `directory` (newer), `storage` (the disk refuses)
 */
export function openStore(path: string, now: () => number = Date.now) {
  try {
    if (isFoundDamaged(path)) setAside(path, now());
    return open(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    setAside(path, now());
    return open(path);
  }
}

function open(path: string) {
  const db = openDatabase(path);
  try {
    return storeOf(db, path);
  } catch (error) {
    db.close();
    throw error;
  }
}

function storeOf(db: Db, path: string) {
  const chains = chainKeeper(db);
  // A transaction of its own, or a part of the caller's that is rolled back alone.
  const appendAll = db.transaction(appender(db, chains));
  const people = guarded(peopleStore(db), path);
  const damagedFile = newestAside(path);
  const rebuilt = damagedFile !== null && damagedFile > (people.meta(SEEN) ?? '');
  return {
    posts: guarded(postReader(db), path),
    search: guardedCall(searcher(db), path),
    feedSearch: guardedCall(searchFeeder(db), path),
    /** Empties the search index, which {@link feedSearch} then makes again from the posts. */
    emptySearch: guardedCall(() => emptyIndex(db), path),
    turnBefore: guardedCall(turnReader(db), path),
    wakes: guarded(wakeStore(db), path),
    runs: guarded(runStore(db), path),
    requests: guarded(requestStore(db), path),
    effects: guarded(effectStore(db), path),
    drafts: guarded(draftStore(db), path),
    people,
    halts: guarded(haltStore(db), path),

    /**
     * Appends one verified post in the caller's transaction, or in one of its own. `null`: it is here already.
     * @throws WatsError `storage`
     */
    append: guardedCall(
      (post: Post, receivedAt: number, via: string) => appendAll([post], receivedAt, via)[0] ?? null,
      path,
    ),

    /** The same for several posts, in order: all of them, or none. Cheaper than one by one. */
    appendAll: guardedCall((...args: Parameters<typeof appendAll>) => appendAll(...args), path),

    /**
     * One bounded step of telling replies that the post they waited for is here, in a transaction of its own: what a
     * single append left for later.
     */
    completeChains: guardedCall((limit: number) => db.transaction(() => chains.step(limit))(), path),

    /**
     * Runs `act` in one transaction: all of it survives a crash, or nothing. Transactions nest.
     * @throws WatsError `storage` when the disk refuses
     */
    atomically<T>(act: () => T): T {
      return guardedCall(() => db.transaction(act)(), path)();
    },

    rebuildSpend: guardedCall(spendRebuilder(db), path),
    logState: guardedCall(() => logState(db), path),

    /**
     * Whether a damaged database was set aside and this is the new one: posts come back from peers, spend from
     * `runs.jsonl`, and no run may start, until {@link acceptRebuilt}. It outlives a restart.
     */
    rebuilt,
    /** Where the damaged one is now. */
    damagedFile: rebuilt ? damagedFile : null,
    acceptRebuilt(): void {
      if (damagedFile !== null) people.setMeta(SEEN, damagedFile);
    },

    close(): void {
      db.close();
    },
  };
}
