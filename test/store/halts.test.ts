import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HALTS_OF, RESUMES_OF } from '../../src/store/halts.ts';
import { openStore, type Store } from '../../src/store/index.ts';

const GUARDIAN = 'a'.repeat(64);
const STRANGER = 'b'.repeat(64);
const idOf = (n: number): string => n.toString(16).padStart(64, '0');

let dir: string;
let store: Store;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wats-halts-'));
  store = openStore(join(dir, 'wats.db'));
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

function post(n: number, author: string, kind: string, parent: string | null = null): void {
  const body = {
    v: 1,
    space: 'open',
    author,
    ts: n,
    kind,
    root: parent,
    parent,
    title: '',
    text: `post ${n}`,
  } as const;
  store.append({ ...body, tags: [], id: idOf(n), sig: '0'.repeat(128) }, 1_000, 'peer');
}

describe('halts in the store', () => {
  test('are found by their author, with resumes that came before them', () => {
    post(1, GUARDIAN, 'resume', idOf(2));
    post(2, GUARDIAN, 'halt');
    post(3, GUARDIAN, 'note');
    post(4, STRANGER, 'halt');
    expect(store.halts.haltsBy(GUARDIAN)).toEqual([{ id: idOf(2), author: GUARDIAN, ts: 2, text: 'post 2' }]);
    expect(store.halts.resumesBy(GUARDIAN)).toEqual([{ author: GUARDIAN, parent: idOf(2) }]);
    expect(store.halts.resumesBy(STRANGER)).toEqual([]);
  });

  test('are looked up by an index that holds nothing else, however many posts and stranger’s halts there are', () => {
    const db = new Database(join(dir, 'wats.db'), { readonly: true });
    for (const sql of [HALTS_OF, RESUMES_OF]) {
      const plan = db
        .prepare<[Buffer], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(Buffer.alloc(32));
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringContaining('USING INDEX posts_orders (author=? AND kind=?)'),
      ]);
    }
    db.close();
  });

  test('stay lifted, and guardians stay, after the store was closed', () => {
    store.halts.addGuardian(GUARDIAN, 'ada', 5);
    store.halts.addGuardian(GUARDIAN, 'Ada', 9);
    store.halts.lift(idOf(2), 6);
    store.halts.lift(idOf(2), 7);
    store.close();
    store = openStore(join(dir, 'wats.db'));
    expect(store.halts.guardians()).toEqual([{ author: GUARDIAN, label: 'Ada', addedAt: 5 }]);
    expect([...store.halts.lifted()]).toEqual([idOf(2)]);
    expect(store.halts.removeGuardian(GUARDIAN)).toBe(true);
    expect(store.halts.removeGuardian(GUARDIAN)).toBe(false);
    expect(store.halts.guardians()).toEqual([]);
  });
});
