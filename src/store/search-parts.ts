import type { Db } from './database.ts';

/** One size of parts of the search index, the smallest first. Numbers are pages of each part, the oldest first. */
interface Level {
  /** How many of them, from the oldest on, are being merged; 0 when none is. */
  readonly merging: number;
  readonly parts: readonly number[];
}

/** Where FTS5 keeps the list of its parts (`fts5_index.c`: "structure record"). */
const RECORD = 10;
/** What FTS5 itself allows. A damaged record may say anything; FTS5 finds that when it is asked to merge. */
const MOST = { levels: 64, parts: 2_000 } as const;
/** Stands behind the cookie where the record has eight numbers a part instead of three. */
const LONG_FORM = Buffer.from('ff000001', 'hex');

/**
 * The parts that FTS5's `merge` would work on next, in pages; none when there is nothing to merge. Its choice is the
 * size that has most parts, `enough` at least, or, reached first, one that it has begun to merge.
 */
export function partsReader(db: Db, enough: number): () => readonly number[] {
  const record = db.prepare<[number], Buffer>('SELECT block FROM posts_fts_data WHERE id = ?').pluck();
  return () => {
    const block = record.get(RECORD);
    return block === undefined ? [] : nextToMerge(levelsOf(block), enough);
  };
}

function nextToMerge(levels: readonly Level[], enough: number): readonly number[] {
  let best: readonly number[] = [];
  let isBegun = false;
  for (const { merging, parts } of levels) {
    if (merging > 0) {
      if (merging > best.length) [best, isBegun] = [parts.slice(0, merging), true];
      break;
    }
    if (parts.length > best.length) best = parts;
  }
  return isBegun || best.length >= enough ? best : [];
}

/** Reads the record: a cookie, then SQLite's variable-length integers. */
export function levelsOf(block: Buffer): Level[] {
  const isLong = block.subarray(4, 8).equals(LONG_FORM);
  let at = isLong ? 8 : 4;
  const next = (): number => {
    let value = 0;
    for (let n = 0; n < 8; n++) {
      const byte = block[at++] ?? 0;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value * 256 + (block[at++] ?? 0);
  };
  const levelCount = Math.min(next(), MOST.levels);
  next(); // parts in all
  next(); // pages written
  return Array.from({ length: levelCount }, () => {
    const merging = next();
    const parts = Array.from({ length: Math.min(next(), MOST.parts) }, () => {
      next(); // its id
      const [first, last] = [next(), next()];
      for (let n = 0; isLong && n < 5; n++) next(); // where it came from, what was deleted of it
      return last - first + 1;
    });
    return { merging, parts };
  });
}
