import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openReader } from '../../src/store/index.ts';
import { hex, post, put, tempFolder, tempStore } from './support.ts';

/** Many posts, closed, so that the file has pages to damage. */
function closedDatabase(): string {
  const path = join(tempFolder(), 'wats.db');
  const store = tempStore(path);
  put(store, ...Array.from({ length: 200 }, () => post({ text: 'x'.repeat(2_000) })));
  store.people.setMeta('kept', 'old');
  store.close();
  return path;
}

function overwrite(path: string, from: number, to: number): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.alloc(to - from, 0xa5), 0, to - from, from);
  closeSync(fd);
}

const aside = (path: string) =>
  readdirSync(join(path, '..')).filter((name) => name.startsWith('wats.db.damaged-'));

describe('a damaged database', () => {
  it('is set aside under the time, never deleted, and a new one takes its place', () => {
    const path = closedDatabase();
    overwrite(path, 0, 100);
    writeFileSync(`${path}-wal`, 'a log that belongs to it');
    const before = readFileSync(path);
    const store = tempStore(path);
    expect(store.rebuilt).toBe(true);
    expect(store.damagedFile).toBe('wats.db.damaged-2027-01-15T080000Z');
    expect(aside(path)).toContain('wats.db.damaged-2027-01-15T080000Z-wal');
    expect(readFileSync(join(path, '..', aside(path)[0]!))).toEqual(before);
    expect(store.posts.count()).toBe(0);
    put(store, post());
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('is told of after every start until somebody has looked', () => {
    const path = closedDatabase();
    writeFileSync(path, 'no database at all');
    tempStore(path).close();
    const again = tempStore(path);
    expect([again.rebuilt, again.damagedFile]).toEqual([true, 'wats.db.damaged-2027-01-15T080000Z']);
    again.acceptRebuilt();
    again.close();
    const after = tempStore(path);
    expect([after.rebuilt, after.damagedFile]).toEqual([false, null]);
    after.close();
    // The next one gets a name of its own, and is told of anew.
    writeFileSync(path, 'no database either');
    expect(tempStore(path).damagedFile).toBe('wats.db.damaged-2027-01-15T080000Z-2');
  });

  it('that turns up in use is an error for people, and is set aside at the next start', () => {
    const path = closedDatabase();
    // Pages of posts; the first ones hold the schema and the roots of all tables.
    overwrite(path, 150 * 4_096, statSync(path).size);
    const store = tempStore(path);
    expect(() => {
      for (let seq = 1; seq <= 200; seq++) store.posts.bySeq(seq);
    }).toThrow(
      expect.objectContaining({
        code: 'directory',
        message: `${path} is damaged`,
        fix: expect.stringContaining('start wats'),
      }),
    );
    store.close();
    const next = tempStore(path);
    expect(next.rebuilt).toBe(true);
    expect(next.posts.count()).toBe(0);
    expect(existsSync(`${path}.suspect`)).toBe(false);
    expect(aside(path).length).toBeGreaterThan(0);
  });

  it('that was only suspected is kept', () => {
    const path = closedDatabase();
    writeFileSync(`${path}.suspect`, '');
    const store = tempStore(path);
    expect([store.rebuilt, store.posts.count(), existsSync(`${path}.suspect`)]).toEqual([false, 200, false]);
  });

  it('of which an index tells less than the table is found by the look at the whole', () => {
    const path = closedDatabase();
    const db = new Database(path);
    db.unsafeMode(true).pragma('writable_schema = ON');
    db.exec("DELETE FROM sqlite_schema WHERE name = 'posts_author'");
    db.close();
    writeFileSync(`${path}.suspect`, '');
    expect(tempStore(path).rebuilt).toBe(true);
  });

  it('is not opened for reading, nor moved by a reader', () => {
    const path = closedDatabase();
    overwrite(path, 0, 100);
    expect(() => openReader(path)).toThrow(expect.objectContaining({ code: 'directory' }));
    expect(aside(path)).toEqual([]);
  });

  it('is not what a sound one is taken for', () => {
    const path = closedDatabase();
    const store = tempStore(path);
    expect([store.rebuilt, store.people.meta('kept'), store.posts.byId(hex('x'))]).toEqual([
      false,
      'old',
      null,
    ]);
  });
});
