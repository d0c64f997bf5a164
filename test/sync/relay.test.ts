import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { formatSwarmKey, newSwarmKey } from '../../src/sync/index.ts';
import { dead, isReserved, linkOf, pair, relayOf, startHidden, startSeed } from './relay-support.ts';
import { Author, MemoryStore, type Node, publish, startNode, stopAll, stopNode, until } from './support.ts';

afterEach(stopAll);

const haveAll = (nodes: readonly Node[], posts: number) =>
  nodes.every(({ store }) => store.posts.size === posts);

test('two nodes that cannot dial each other reconcile and gossip through a seed, both ways, and say so', async () => {
  const seed = await startSeed();
  const author = new Author();
  const [left, right] = [new MemoryStore(), new MemoryStore()];
  for (let i = 0; i < 1_500; i++) (i % 3 ? left : right).put(author.post());
  const a = await startHidden([seed], { store: left });
  await until('a has a place on the seed', () => isReserved(a, seed));
  expect(a.engine.status().listening).toEqual([`${seed.address}/p2p-circuit/p2p/${a.id}`]);
  const b = await startHidden([seed], { store: right, peers: [dead(a.id)] });
  await until('both have the backlog', () => haveAll([a, b], 1_500));
  expect(a.store.ids()).toEqual(b.store.ids());

  const [fromA, fromB] = [publish(a, new Author().post()), publish(b, new Author().post())];
  await until('both have what was published', () => haveAll([a, b], 1_502));
  for (const [node, other, post] of [
    [a, b, fromB],
    [b, a, fromA],
  ] as const) {
    expect(new Set(node.store.received.map(({ from }) => from))).toEqual(new Set([other.id]));
    expect(node.store.received.at(-1)).toMatchObject({ id: post.id, via: 'gossip' });
    expect([linkOf(node, other), linkOf(node, seed)]).toEqual(['relayed', 'straight']);
  }
  expect(seed.store.posts.size).toBe(0);
  expect(seed.engine.status().serving).toEqual({ places: 2, of: 128, links: 1 });
});

test('a private swarm is one through a relay too: members get in, and who has another key gets neither place nor peer', async () => {
  const swarmKeyFile = formatSwarmKey(newSwarmKey());
  const space = 'ab'.repeat(32);
  const seed = await startSeed({ swarmKeyFile, space });
  const [a, b] = await pair(seed, { swarmKeyFile, space }, { swarmKeyFile, space });
  const post = publish(a, new Author().post({ space }));
  await until('the member has it', () => b.store.posts.has(post.id));
  const outside = await startHidden([seed], {
    swarmKeyFile: formatSwarmKey(newSwarmKey()),
    space,
    peers: [dead(a.id)],
  });
  const failures = (peer: Node) =>
    outside.events.filter((event) => event.kind === 'dial_failed' && event.peer === peer.id);
  await until('it failed twice with both', () => [seed, a].every((peer) => failures(peer).length >= 2));
  expect(relayOf(outside, seed)).toEqual({ seed: seed.id, state: 'waiting', reason: null });
  expect(outside.store.posts.size).toBe(0);
  expect(seed.engine.status().serving?.places).toBe(2);
});

test('after a seed is gone and back, places are taken again, the link is there again and what was missed is repaired', async () => {
  const nodeSeed = randomBytes(32);
  const seed = await startSeed({ nodeSeed });
  const [a, b] = await pair(seed);
  await stopNode(seed);
  await until('both notice', () => [linkOf(a, b), linkOf(b, a)].every((link) => link !== 'relayed'));
  expect(a.engine.status().listening).toEqual([]);
  expect(relayOf(a, seed)?.state).toBe('waiting');
  const author = new Author();
  for (let i = 0; i < 40; i++) publish(i % 2 ? a : b, author.post());
  const again = await startSeed({ nodeSeed, listen: [seed.address.replace(/\/p2p\/.*/, '')] });
  await until('both have all', () => haveAll([a, b], 40));
  expect([isReserved(a, again), isReserved(b, again), linkOf(b, a)]).toEqual([true, true, 'relayed']);
  expect(a.events.filter(({ kind }) => kind.startsWith('relay_'))).toEqual([
    { kind: 'relay_reserved', seed: seed.id },
    { kind: 'relay_lost', seed: seed.id },
    { kind: 'relay_reserved', seed: seed.id },
  ]);
  const live = publish(a, author.post());
  await until('gossip runs again', () => b.store.posts.has(live.id));
});

test('a node behind a relay that starts anew is reached again', async () => {
  const seed = await startSeed();
  const nodeSeed = randomBytes(32);
  const [a, b] = await pair(seed, { nodeSeed });
  await stopNode(a);
  const post = publish(b, new Author().post());
  const again = await startHidden([seed], { nodeSeed, store: a.store });
  await until('it has what it missed', () => again.store.posts.has(post.id));
  expect([again.id, linkOf(b, again)]).toEqual([a.id, 'relayed']);
});

test('an address that leads through a relay is dialled, also when its relay is no seed of this node', async () => {
  const [one, two] = [await startSeed(), await startSeed()];
  const a = await startHidden([one]);
  await until('a has a place', () => isReserved(a, one));
  const [address] = a.engine.status().listening;
  const b = await startHidden([two], { peers: [address ?? ''] });
  await until('b reaches a', () => linkOf(b, a) === 'relayed');
  const post = publish(a, new Author().post());
  await until('b has it', () => b.store.posts.has(post.id));
  await b.engine.removePeer(a.id);
  await until('gone', () => linkOf(a, b) === undefined);
});

test('a peer that is reached through a relay is dialled straight as soon as that works', async () => {
  const seed = await startSeed();
  const nodeSeed = randomBytes(32);
  const target = await startHidden([seed], { nodeSeed, listen: ['/ip4/127.0.0.1/tcp/0'] });
  await until('it has a place', () => isReserved(target, seed));
  // The way to the target: closed at first.
  let isOpen = false;
  const way = createServer((near) => {
    near.on('error', () => {});
    if (!isOpen) {
      near.destroy();
      return;
    }
    const far = connect(Number(/tcp\/(\d+)/.exec(target.address)?.[1]), '127.0.0.1');
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void way.close());
  await once(way, 'listening');
  const { port } = way.address() as AddressInfo;
  const b = await startHidden([seed], {
    peers: [`/ip4/127.0.0.1/tcp/${port}/p2p/${target.id}`],
    rhythm: { straightMs: 300 },
  });
  await until('b goes through the seed', () => linkOf(b, target) === 'relayed');
  isOpen = true;
  await until('b goes straight', () => linkOf(b, target) === 'straight');
  await until(
    'and only so',
    () => linkOf(target, b) === 'straight' && seed.engine.status().serving?.links === 0,
  );
  const [one, two] = [publish(b, new Author().post()), publish(target, new Author().post())];
  await until('both have both', () => target.store.posts.has(one.id) && b.store.posts.has(two.id));
});

test('without relays an address through one is named as what it is, and not dialled', async () => {
  const seed = await startSeed();
  const a = await startHidden([seed]);
  await until('a has a place', () => isReserved(a, seed));
  const b = await startNode({ peers: a.engine.status().listening });
  await until('it says so', () => b.events.some(({ kind }) => kind === 'dial_failed'));
  expect(b.events).toMatchObject([
    { kind: 'dial_failed', peer: a.id, reason: expect.stringContaining('infra') },
  ]);
  expect(b.engine.status()).toMatchObject({ relays: [], serving: null, listening: [b.address] });
  expect(linkOf(b, seed)).toBeUndefined();
});

test('nothing of the relay is loaded by a node that uses none', () => {
  const loadedWith = (relay: object | null): string[] => {
    const script = `
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ resolve(specifier, context, next) { seen.push(specifier); return next(specifier, context); } });
      const { startEngine } = await import(${JSON.stringify(new URL('../../src/sync/engine/engine.ts', import.meta.url).href)});
      const reader = { has: () => false, ids: () => [], bytes: () => null, dayFingerprints: () => [], close() {} };
      const engine = await startEngine(
        { nodeSeed: new Uint8Array(32), swarmKeyFile: null, space: 'open', listen: ['/ip4/127.0.0.1/tcp/0'], peers: [],
          allow: null, relay: ${JSON.stringify(relay)}, database: '' },
        { accept: async () => ({ refused: [] }), log() {}, reader, onChange() {} });
      await engine.stop();
      console.log(JSON.stringify(seen.filter((name) => /circuit-relay|\\/relay\\.ts/.test(name))));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    return JSON.parse(out) as string[];
  };
  expect(loadedWith(null)).toEqual([]);
  expect(loadedWith({ seeds: [], serves: false })).toContain('@libp2p/circuit-relay-v2');
});
