import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { levelsOf } from '../../src/store/search-parts.ts';
import { post, put, tempFolder, tempStore } from './support.ts';

function partsOf(path: string) {
  const db = new Database(path);
  const block = db.prepare('SELECT block FROM posts_fts_data WHERE id = 10').pluck().get() as Buffer;
  const segments = db.prepare('SELECT count(DISTINCT id >> 37) FROM posts_fts_data WHERE id > 10').pluck();
  const found = { levels: levelsOf(block), segments: segments.get() as number };
  // FTS5's own check of the whole index, against the posts.
  db.exec("INSERT INTO posts_fts (posts_fts, rank) VALUES ('integrity-check', 1)");
  db.close();
  return found;
}

test('a step leaves one part, eight of them become one, and the index is whole at every moment', () => {
  const path = join(tempFolder(), 'wats.db');
  const store = tempStore(path);
  const counts: number[] = [];
  for (let n = 1; n <= 100; n++) {
    put(store, post({ text: `word ${n}` }));
    expect(store.feedSearch(10)).toBe(false);
    const { levels, segments } = partsOf(path);
    const parts = levels.flatMap((level) => level.parts);
    expect(parts.length).toBe(segments);
    expect(parts.every((pages) => pages === 1)).toBe(true);
    counts.push(parts.length);
  }
  expect(counts.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 1]);
  expect(Math.max(...counts)).toBeLessThanOrEqual(16);
  const found = store.search({ text: 'word', kinds: [], author: null, since: null, offset: 0, limit: 100 });
  expect(found.posts).toHaveLength(100);
});

test('the list of parts is read in both of its forms', () => {
  const short = Buffer.from([0, 0, 0, 7, 2, 3, 9, 0, 1, 4, 1, 0x81, 0x00, 2, 2, 2, 1, 5, 3, 6, 8]);
  const levels = [
    { merging: 0, parts: [128] },
    { merging: 2, parts: [5, 3] },
  ];
  expect(levelsOf(short)).toEqual(levels);
  const origins = [1, 1, 0, 0, 12];
  const long = Buffer.from([
    ...[0, 0, 0, 7, 0xff, 0, 0, 1, 2, 3, 9],
    ...[0, 1, 4, 1, 0x81, 0x00, ...origins],
    ...[2, 2, 2, 1, 5, ...origins, 3, 6, 8, ...origins],
  ]);
  expect(levelsOf(long)).toEqual(levels);
});

test('a damaged list of parts is read all the same, and costs the index at most', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(levelsOf(Buffer.from(bytes)).length).toBeLessThanOrEqual(64);
    }),
  );
  const path = join(tempFolder(), 'wats.db');
  const store = tempStore(path);
  put(store, post({ text: 'word' }));
  store.feedSearch(10);
  const db = new Database(path);
  db.unsafeMode(true).exec("UPDATE posts_fts_data SET block = x'00000007ffffffffffffffffff' WHERE id = 10");
  db.close();
  put(store, post({ text: 'word' }));
  while (store.feedSearch(10));
  const found = store.search({ text: 'word', kinds: [], author: null, since: null, offset: 0, limit: 10 });
  expect(found.total).toBe(2);
});

test('an index that FTS5 has merged by itself until now is taken over', () => {
  const path = join(tempFolder(), 'wats.db');
  tempStore(path).close();
  const db = new Database(path);
  const setting = db.prepare("SELECT v FROM posts_fts_config WHERE k = 'automerge'").pluck();
  expect(setting.get()).toBeUndefined();
  const store = tempStore(path);
  put(store, post());
  store.feedSearch(10);
  expect(setting.get()).toBe(0);
  db.close();
});
