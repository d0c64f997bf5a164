import { WatsError } from '../errors/index.ts';
import { type Db, openReadOnly, SCHEMA_VERSION } from './database.ts';
import { draftStore } from './drafts.ts';
import { asStorageError, guarded, guardedCall } from './failures.ts';
import { haltStore } from './halts.ts';
import { peopleStore } from './people.ts';
import { postReader } from './posts.ts';
import { runStore } from './runs.ts';
import { turnReader } from './turns.ts';
import { wakeStore } from './wakes.ts';

export type StoreToRead = ReturnType<typeof storeOf>;

/**
 * What the store of a data directory holds, for a person while no daemon runs. It is the same store, on a connection
 * by which SQLite writes no data: a call that would is refused.
 *
 * @throws WatsError `directory` when there is no database, a damaged or a newer one, or one of an older wats that no
 * daemon of this one has opened yet
 */
export function openStoreToRead(path: string): StoreToRead {
  const db = openReadOnly(path);
  try {
    refuseOlder(db, path);
    return storeOf(db, path);
  } catch (error) {
    db.close();
    throw asStorageError(error, path);
  }
}

function storeOf(db: Db, path: string) {
  return {
    posts: guarded(postReader(db), path),
    turnBefore: guardedCall(turnReader(db), path),
    wakes: guarded(wakeStore(db), path),
    runs: guarded(runStore(db), path),
    drafts: guarded(draftStore(db), path),
    people: guarded(peopleStore(db), path),
    halts: guarded(haltStore(db), path),
    close(): void {
      db.close();
    },
  };
}

function refuseOlder(db: Db, path: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version === SCHEMA_VERSION) return;
  throw new WatsError('directory', `${path} is of an older wats (schema ${version})`, {
    fix: 'start wats once: it brings the database up to date',
  });
}
