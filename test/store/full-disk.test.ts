import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/store/index.ts';
import { ANN, hex, NOW, post, put, tempFolder } from './support.ts';

const MEGABYTES = 4;
const isMounted = (path: string) =>
  process.platform === 'linux' && readFileSync('/proc/mounts', 'utf8').includes(` ${path} `);

/** A small disk of its own; `null` where mounting is not permitted. */
function smallDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const folder = tempFolder();
  const done = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${MEGABYTES}m,mode=0700`, 'tmpfs', folder]);
  if (done.status !== 0) return null;
  disks.push(folder);
  return folder;
}
const disks: string[] = [];
const stores: Store[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  for (const disk of disks.splice(0)) if (isMounted(disk)) execFileSync('umount', [disk]);
});

const disk = smallDisk();
const why = disk === null ? ' (skipped: a small disk cannot be mounted here)' : '';

/** A store on a disk that then fills up. */
function fullDisk(): { store: Store; ballast: string } {
  const folder = smallDisk()!;
  const store = openStore(join(folder, 'wats.db'));
  stores.push(store);
  store.people.addAgent('main', ANN);
  put(store, post());
  const ballast = join(folder, 'ballast');
  for (let size = MEGABYTES << 20; size > 64; size >>= 1) {
    const parts = readdirSync(folder).length;
    try {
      writeFileSync(`${ballast}.${parts}`, Buffer.alloc(size));
    } catch {
      // Half of it was written: that is what fills the disk.
    }
  }
  return { store, ballast: folder };
}
const big = () => post({ text: 'x'.repeat(16_000) });
const empty = (folder: string) => {
  for (const name of readdirSync(folder)) if (name.startsWith('ballast')) rmSync(join(folder, name));
};
const refused = expect.objectContaining({
  code: 'storage',
  message: expect.stringMatching(/the disk is full|cannot write/),
});

describe.skipIf(disk === null)(`a full disk${why}`, () => {
  it('refuses posts in words, keeps everything it had, and takes posts again when there is room', () => {
    const { store, ballast } = fullDisk();
    expect(() => put(store, big(), big(), big())).toThrow(refused);
    expect(() => {
      for (let n = 0; n < 200; n++) store.append(big(), NOW, 'own');
    }).toThrow(refused);
    const count = store.posts.count();
    expect(store.posts.bySeq(1)).not.toBeNull();
    empty(ballast);
    const [seq] = put(store, big());
    expect(seq).toBe(count + 1);
  });

  it('leaves nothing half written: not a batch, not a run, not a draft', () => {
    const { store, ballast } = fullDisk();
    const before = store.posts.count();
    const batch = Array.from({ length: 50 }, big);
    expect(() => put(store, ...batch)).toThrow(refused);
    expect(batch.filter(({ id }) => store.posts.byId(id) !== null)).toEqual([]);
    expect(store.posts.count()).toBe(before);

    const run = (n: number) => ({
      id: `r-${n}`,
      agent: 'main',
      session: 's'.repeat(20_000),
      cause: 'person',
      runtime: 'command',
      secondTry: false,
      about: null,
      wakes: [],
      charge: { microUsd: 1, runs: 1, unpricedRuns: 0 } as const,
      capMicroUsd: null,
      at: NOW,
    });
    let booked = 0;
    expect(() => {
      for (; booked < 300; booked++) store.runs.book(run(booked));
    }).toThrow(refused);
    expect(store.runs.byId(`r-${booked}`)).toBeNull();
    expect(store.runs.bookingsSince('main', 0)).toHaveLength(booked);
    const held = (n: number) => `d-${n}`;
    let drafts = 0;
    expect(() => {
      for (; drafts < 300; drafts++) {
        store.drafts.hold({
          ...{
            id: held(drafts),
            agent: 'main',
            profile: 'p',
            author: ANN,
            space: 'open',
            kind: 'ask',
            run: null,
          },
          ...{ root: null, parent: null, title: '', text: 'x'.repeat(16_000), tags: [], sha256: ANN },
          ...{ createdAt: NOW, expiresAt: NOW + 1 },
        });
      }
    }).toThrow(refused);
    expect([store.drafts.byId(held(drafts)), store.drafts.heldCount()]).toEqual([null, drafts]);
    expect(() => store.people.setMeta(hex('key'), 'x'.repeat(400_000))).toThrow(refused);
    empty(ballast);
    store.runs.book(run(booked));
    expect(store.runs.count('main')).toBe(booked + 1);
  });

  it('says so when the store cannot even be made', () => {
    const { store, ballast } = fullDisk();
    store.close();
    expect(() => openStore(join(ballast, 'other.db'))).toThrow(refused);
    expect(readdirSync(ballast).filter((name) => name.includes('damaged'))).toEqual([]);
  });
});
