import type { Db } from './database.ts';
import { addToDay } from './day-fingerprint.ts';

const DAY_SECONDS = 86_400;

/** Keeps number and fingerprint of the posts of each day, in the append transaction: "no difference" without a scan. */
export function dayKeeper(db: Db): (space: string, ts: number, id: Buffer) => void {
  const known = db.prepare<[string, number], { state: Buffer }>(
    'SELECT state FROM days WHERE space = ? AND day = ?',
  );
  const put = db.prepare(
    `INSERT INTO days (space, day, count, state) VALUES (?, ?, 1, ?)
     ON CONFLICT (space, day) DO UPDATE SET count = count + 1, state = excluded.state`,
  );
  return (space, ts, id) => {
    const day = Math.floor(ts / DAY_SECONDS);
    put.run(space, day, addToDay(known.get(space, day)?.state ?? null, id));
  };
}
