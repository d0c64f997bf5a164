import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIntake, type IntakeOptions, type Stored } from '../../src/intake/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { Author } from '../support/posts.ts';

const NOW = 1_800_000_000_000;
const PRIVATE = 'c0'.repeat(32);
const ann = new Author();
let folder = '';
let store: Store;
let heard: Stored[][] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wats-intake-'));
  store = openStore(join(folder, 'wats.db'));
  heard = [];
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const intake = (options: Partial<IntakeOptions> = {}) =>
  createIntake({
    store,
    space: () => 'open',
    maxBytes: 1e9,
    now: () => NOW,
    onStored: (stored) => heard.push([...stored]),
    ...options,
  });
const from = (post: ReturnType<Author['post']>) => ({ post, from: '12D3KooW' });

describe('own posts', () => {
  it('are stored at once, and told of when the caller has committed', () => {
    const door = intake();
    const post = ann.post();
    const stored = door.own(post);
    expect(stored).toEqual({ post, seq: 1, source: 'own' });
    expect(heard).toEqual([]);
    door.announce([stored]);
    door.announce([]);
    expect(heard).toEqual([[stored]]);
    expect(store.posts.bySeq(1)).toMatchObject({ via: 'own', receivedAt: NOW });
  });

  it('are gone with the transaction of the caller', () => {
    expect(() =>
      store.atomically(() => {
        intake().own(ann.post());
        throw new Error('the effect could not be written');
      }),
    ).toThrow('the effect');
    expect(store.posts.count()).toBe(0);
  });

  it('that are here already are the same post', () => {
    const door = intake();
    const post = ann.post();
    expect([door.own(post).seq, door.own(post).seq, store.posts.count()]).toEqual([1, 1, 1]);
  });

  it('may be local, but of no other swarm', () => {
    expect(intake().own(ann.post({ space: 'local' })).seq).toBe(1);
    expect(() => intake().own(ann.post({ space: PRIVATE }))).toThrow(
      expect.objectContaining({
        code: 'invalid_post',
        message: expect.stringContaining("this node's is open"),
      }),
    );
    expect(intake({ space: () => PRIVATE }).own(ann.post({ space: PRIVATE })).seq).toBe(2);
    expect(() => intake({ space: () => PRIVATE }).own(ann.post())).toThrow(/the space open/);
  });

  it('go through every check', () => {
    const post = ann.post();
    for (const bad of [
      { ...post, text: 'another' },
      { ...post, sig: '0'.repeat(128) },
      ann.post({ text: '\0' }),
      ann.post({ ts: NOW / 1000 + 601 }),
      ann.post({ text: 'x'.repeat(16_385) }),
    ])
      expect(() => intake().own(bad)).toThrow(expect.objectContaining({ code: 'invalid_post' }));
    expect(store.posts.count()).toBe(0);
  });

  it('are stored in a store that is over its size', () => {
    expect(intake({ maxBytes: 0 }).own(ann.post()).seq).toBe(1);
  });
});

describe('received posts', () => {
  it('are stored in one step, in the order of the batch, and told of once', () => {
    const posts = [ann.post({ text: '1' }), ann.post({ text: '2' })];
    const other = new Database(join(folder, 'wats.db'));
    other.exec(
      `CREATE TRIGGER full BEFORE INSERT ON posts WHEN NEW.text = '2'
       BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
    );
    expect(() => intake().received(posts.map(from))).toThrow('the disk is full');
    other.exec('DROP TRIGGER full');
    other.close();
    expect([store.posts.count(), heard]).toEqual([0, []]);
    expect(intake().received(posts.map(from))).toEqual([]);
    expect(store.posts.count()).toBe(2);
  });
});
