import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { openStore, type Store } from '../../src/store/index.ts';
import type { Post } from '../../src/swarm/index.ts';

export const NOW = Date.UTC(2027, 0, 15, 8);

const folders: string[] = [];
const stores: Store[] = [];

afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wats-store-'));
  folders.push(folder);
  return folder;
}

/** A store in a file of its own, closed and removed after the test. */
export function tempStore(path = join(tempFolder(), 'wats.db')): Store {
  const store = openStore(path, () => NOW);
  stores.push(store);
  return store;
}

export const hex = (word: string): string => createHash('sha256').update(word).digest('hex');
export const ANN = hex('ann');
export const BOB = hex('bob');
export const CAT = hex('cat');

let made = 0;

/** A post as the store takes it. Nobody signed it: the store is behind the doors that verify. */
export function post(fields: Partial<Post> = {}): Post {
  made += 1;
  return {
    v: 1,
    space: 'open',
    author: ANN,
    ts: Math.floor(NOW / 1000),
    kind: 'ask',
    root: null,
    parent: null,
    title: '',
    text: `post ${made}`,
    tags: [],
    id: hex(`post ${made}`),
    sig: hex(`sig ${made}`).repeat(2),
    ...fields,
  };
}

export function reply(parent: Post, fields: Partial<Post> = {}): Post {
  return post({ kind: 'answer', root: parent.root ?? parent.id, parent: parent.id, ...fields });
}

/** Appends in one transaction; the seqs. */
export function put(store: Store, ...posts: Post[]): number[] {
  return store.atomically(() =>
    posts.map((each) => {
      const appended = store.append(each, NOW, 'peer');
      if (appended === null) throw new Error('it was there already');
      return appended.seq;
    }),
  );
}
