import type { Db } from './database.ts';
import { addId, type Lanes, lanesOf } from './day-fingerprint.ts';

const DAY_SECONDS = 86_400;

/** The posts of one transaction, by day. */
export interface DayBook {
  add(space: string, ts: number, id: Buffer): void;
  /** Writes each day that was added to, once. */
  write(): void;
}

interface Page {
  readonly space: string;
  readonly day: number;
  readonly lanes: Lanes;
  added: number;
}

/** Keeps number and fingerprint of the posts of each day, in the append transaction: "no difference" without a scan. */
export function dayKeeper(db: Db): () => DayBook {
  const known = db.prepare<[string, number], { state: Buffer }>(
    'SELECT state FROM days WHERE space = ? AND day = ?',
  );
  const put = db.prepare(
    `INSERT INTO days (space, day, count, state) VALUES (?, ?, ?, ?)
     ON CONFLICT (space, day) DO UPDATE SET count = count + excluded.count, state = excluded.state`,
  );
  return () => {
    const pages = new Map<string, Page>();
    return {
      add(space, ts, id) {
        const day = Math.floor(ts / DAY_SECONDS);
        const key = `${day} ${space}`;
        let page = pages.get(key);
        if (page === undefined) {
          page = { space, day, lanes: lanesOf(known.get(space, day)?.state ?? null), added: 0 };
          pages.set(key, page);
        }
        addId(page.lanes, id);
        page.added += 1;
      },
      write() {
        for (const { space, day, lanes, added } of pages.values())
          put.run(space, day, added, Buffer.from(lanes.buffer));
        pages.clear();
      },
    };
  };
}
