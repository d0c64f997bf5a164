import { encodePost } from '../swarm/index.ts';
import { openReadOnly } from './database.ts';
import { fingerprintOf } from './day-fingerprint.ts';
import { blob, type PostRowSql, postColumns, toStored } from './rows.ts';

export interface DayFingerprint {
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly count: number;
  /** 32 bytes that depend on the set of ids of the day and on nothing else. */
  readonly fingerprint: Uint8Array;
}

/** What replication reads of the store, from its own thread and its own read-only connection. */
export interface StoreReader {
  has(id: string): boolean;
  /** Ids of a space with `since <= ts < until` (seconds), sorted by (ts, id). Each id owns its buffer. */
  ids(space: string, since: number, until: number): { ts: number; id: Uint8Array }[];
  /** The encoded post, or `null`. */
  bytes(id: string): Uint8Array | null;
  dayFingerprints(space: string, sinceDay: number): DayFingerprint[];
  close(): void;
}

/** @throws WatsError `directory` when there is no database, or a newer one */
export function openReader(path: string): StoreReader {
  const db = openReadOnly(path);
  const has = db.prepare<[Buffer], number>('SELECT seq FROM posts WHERE id = ?').pluck();
  const ids = db.prepare<[string, number, number], { ts: number; id: Buffer }>(
    'SELECT ts, id FROM posts WHERE space = +? AND ts >= ? AND ts < ? ORDER BY ts, id',
  );
  const bytes = db.prepare<[Buffer], PostRowSql>(`SELECT ${postColumns()} FROM posts WHERE id = ?`);
  const days = db.prepare<[string, number], { day: number; count: number; state: Buffer }>(
    'SELECT day, count, state FROM days WHERE space = +? AND day >= ? ORDER BY day',
  );
  return {
    has: (id) => has.get(blob(id)) !== undefined,
    ids: (space, since, until) =>
      ids.all(space, since, until).map((row) => ({ ts: row.ts, id: new Uint8Array(row.id) })),
    bytes(id) {
      const row = bytes.get(blob(id));
      return row ? encodePost(toStored(row).post) : null;
    },
    dayFingerprints: (space, sinceDay) =>
      days
        .all(space, sinceDay)
        .map(({ day, count, state }) => ({ day, count, fingerprint: fingerprintOf(state) })),
    close: () => {
      db.close();
    },
  };
}
