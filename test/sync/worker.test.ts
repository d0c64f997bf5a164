import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/store/index.ts';
import { encodePost, type Post } from '../../src/swarm/index.ts';
import { type Sync, type SyncEvent, type SyncOptions, startSync } from '../../src/sync/index.ts';
import { Author, until } from './support.ts';

interface Daemon {
  readonly sync: Sync;
  readonly store: Store;
  readonly events: SyncEvent[];
  readonly options: SyncOptions;
  has(post: Post): boolean;
  address(): string;
}

let folder: string;
const running: Daemon[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wats-sync-'));
});

afterEach(async () => {
  for (const { sync, store } of running.splice(0)) {
    await sync.stop();
    store.close();
  }
  rmSync(folder, { recursive: true });
});

/** A node with a real database and its worker thread, as the daemon puts it together. */
async function start(name: string, change: Partial<SyncOptions> = {}): Promise<Daemon> {
  const database = join(folder, `${name}.db`);
  const store = openStore(database);
  const events: SyncEvent[] = [];
  const options: SyncOptions = {
    nodeSeed: randomBytes(32),
    swarmKeyFile: null,
    space: 'open',
    listen: ['/ip4/127.0.0.1/tcp/0'],
    peers: [],
    allow: null,
    relay: null,
    database,
    ...change,
  };
  const sync = await startSync(options, {
    accept: async (posts) => {
      store.atomically(() => {
        for (const { bytes, from } of posts) {
          store.append(JSON.parse(Buffer.from(bytes).toString()), Date.now(), from);
        }
      });
      return { refused: [] };
    },
    log: (event) => events.push(event),
  });
  const daemon: Daemon = {
    sync,
    store,
    events,
    options,
    has: (post) => store.posts.byId(post.id) !== null,
    address: () => sync.status().listening[0] ?? '',
  };
  running.push(daemon);
  return daemon;
}

function say(daemon: Daemon, post: Post): Post {
  daemon.store.append(post, Date.now(), 'local');
  daemon.sync.publish(encodePost(post));
  return post;
}

const isLinked = ({ sync }: Daemon) => sync.status().peers.some(({ state }) => state === 'connected');

test('two daemons exchange posts through their worker threads and real databases', async () => {
  const a = await start('a');
  const author = new Author();
  const before = Array.from({ length: 40 }, () => author.post());
  for (const post of before) a.store.append(post, Date.now(), 'local');
  const b = await start('b', { peers: [a.address()] });
  await until('b caught up', () => before.every((post) => b.has(post)));
  const live = say(b, author.post());
  await until('a has the live one', () => a.has(live));
  expect(a.sync.status().peers).toMatchObject([
    { id: b.sync.status().nodeId, state: 'connected', refusedPosts: 0 },
  ]);
  await b.sync.syncNow();
  await until('the table says that b is in step', () => b.sync.status().peers[0]?.lag === 0);
});

test('listeners hear of a peer that comes and goes; peers are added and removed while it runs', async () => {
  const [a, b] = [await start('a'), await start('b')];
  let changes = 0;
  b.sync.onChange(() => {
    changes += 1;
  });
  await b.sync.addPeer(a.address());
  await until('linked', () => isLinked(b));
  expect(changes).toBeGreaterThan(0);
  await b.sync.removePeer(a.sync.status().nodeId);
  await until('gone', () => b.sync.status().peers.length === 0);
  await expect(b.sync.addPeer(b.address())).rejects.toMatchObject({ code: 'usage' });
  await expect(b.sync.addPeer('nonsense')).rejects.toMatchObject({ code: 'usage' });
});

test('a worker that dies is started again, is said so, and what it missed is repaired', async () => {
  const a = await start('a');
  const worker = new URL('./crashing-worker.ts', import.meta.url);
  const b = await start('b', { peers: [a.address()], worker });
  await until('linked', () => isLinked(b));
  const channel = new BroadcastChannel('test: crash');
  channel.postMessage('now');
  channel.close();
  await until('it is noticed', () => b.events.some(({ kind }) => kind === 'worker_failed'));
  expect(isLinked(b)).toBe(false);
  const author = new Author();
  const [there, here] = [say(a, author.post()), say(b, author.post())];
  await b.sync.syncNow();
  await until('it is back', () => b.events.some(({ kind }) => kind === 'worker_restarted'));
  await until('both have both', () => a.has(here) && b.has(there));
  expect(b.events.find(({ kind }) => kind === 'worker_failed')).toEqual({
    kind: 'worker_failed',
    reason: 'Error: the worker was killed by a test',
    restartInMs: 1_000,
  });
});

test('a peer that was added while the worker was down is dialled by the next one', async () => {
  const a = await start('a');
  const b = await start('b', { worker: new URL('./crashing-worker.ts', import.meta.url) });
  const channel = new BroadcastChannel('test: crash');
  channel.postMessage('now');
  channel.close();
  await until('it is noticed', () => b.events.some(({ kind }) => kind === 'worker_failed'));
  await b.sync.addPeer(a.address());
  await until('linked', () => isLinked(b));
});

test('a start that cannot work says why', async () => {
  const a = await start('a');
  await expect(start('b', { listen: [a.address().replace(/\/p2p.*/, '')] })).rejects.toMatchObject({
    name: 'WatsError',
    code: 'setting',
  });
  await expect(start('c', { database: join(folder, 'nowhere', 'x.db') })).rejects.toThrow();
});

test('who imports this room loads neither the network engine nor the store', () => {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ resolve(specifier, context, next) { seen.push(specifier); return next(specifier, context); } });
    await import(${JSON.stringify(new URL('../../src/sync/index.ts', import.meta.url).href)});
    console.log(JSON.stringify(seen));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  const foreign = (JSON.parse(out) as string[]).filter((name) => !/^(node:|\.|file:)/.test(name));
  expect(foreign).toEqual([]);
  expect(out).not.toContain('store/');
});
