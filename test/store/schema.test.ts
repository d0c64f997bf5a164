import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate, openDatabase } from '../../src/store/database.ts';
import { openReader, openStore, SCHEMA_VERSION } from '../../src/store/index.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { post, put, tempFolder, tempStore } from './support.ts';

const bytesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  );

/** A database of today with one post, closed. */
function closedDatabase(): string {
  const path = join(tempFolder(), 'wats.db');
  const store = tempStore(path);
  put(store, post({ text: 'kept' }));
  store.close();
  return path;
}

describe('the schema', () => {
  it('of a newer wats is refused, and nothing is touched', () => {
    const path = closedDatabase();
    const db = new Database(path);
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    db.pragma('journal_mode = DELETE');
    db.close();
    const before = bytesOf(join(path, '..'));
    for (const open of [openStore, openReader])
      expect(() => open(path)).toThrow(
        expect.objectContaining({
          code: 'directory',
          message: expect.stringContaining('newer wats'),
          fix: expect.stringContaining('nothing was changed'),
        }),
      );
    expect(bytesOf(join(path, '..'))).toEqual(before);
  });

  it('of a newer wats is refused untouched also while its log is not yet written back', () => {
    const path = closedDatabase();
    const db = new Database(path);
    db.pragma('wal_autocheckpoint = 0');
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    const before = bytesOf(join(path, '..'));
    expect(() => openStore(path)).toThrow(expect.objectContaining({ code: 'directory' }));
    const { [`${basename(path)}-shm`]: _, ...after } = bytesOf(join(path, '..'));
    expect(before).toMatchObject(after);
    db.close();
  });

  it('is brought forward after a copy was made, also while somebody reads', () => {
    const path = closedDatabase();
    const reader = new Database(path, { readonly: true });
    reader.exec('BEGIN; SELECT count(*) FROM posts');
    const db = new Database(path);
    const next = 'CREATE TABLE later (x) STRICT'.replace('(x)', '(x TEXT)');
    migrate(db, path, [...migrations, next]);
    expect(db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION + 1);
    db.close();
    reader.close();
    const copy = new Database(`${path}.schema-${SCHEMA_VERSION}`, { readonly: true });
    expect(copy.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
    expect(copy.prepare('SELECT text FROM posts').all()).toEqual([{ text: 'kept' }]);
    expect(copy.prepare("SELECT name FROM sqlite_schema WHERE name = 'later'").all()).toEqual([]);
    copy.close();
    expect(statSync(`${path}.schema-${SCHEMA_VERSION}`).mode & 0o077).toBe(0);
  });

  it('stays where it was when a step fails, and the copy with it', () => {
    const path = closedDatabase();
    const db = new Database(path);
    const steps = [...migrations, 'CREATE TABLE half (x TEXT) STRICT; INSERT INTO nowhere VALUES (1)'];
    expect(() => migrate(db, path, steps)).toThrow(/nowhere/);
    expect(db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").all()).toEqual([]);
    db.close();
    expect(existsSync(`${path}.schema-${SCHEMA_VERSION}`)).toBe(true);
    expect(tempStore(path).posts.count()).toBe(1);
  });

  it('of today is opened without a copy, and keeps what it holds', () => {
    const path = closedDatabase();
    expect(tempStore(path).posts.bySeq(1)?.post.text).toBe('kept');
    expect(readdirSync(join(path, '..')).filter((name) => name.includes('schema'))).toEqual([]);
  });

  it('writes so that what was acknowledged survives a power cut, and readers wait for nobody', () => {
    const db = openDatabase(closedDatabase());
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    db.close();
  });

  it('is asked for by its path when there is none yet', () => {
    expect(() => openReader(join(tempFolder(), 'wats.db'))).toThrow(
      expect.objectContaining({ code: 'directory', fix: 'start wats once' }),
    );
  });
});
