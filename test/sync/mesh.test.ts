import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { formatSwarmKey, newSwarmKey, nodeIdOf } from '../../src/sync/index.ts';
import { Author, type Node, publish, startNode, stateOf, stopAll, stopNode, until } from './support.ts';

afterEach(stopAll);

const sizes = (nodes: Node[]) => nodes.map(({ store }) => store.posts.size);

test('a post crosses more than ten nodes on one address', async () => {
  const nodes: Node[] = [await startNode()];
  for (let i = 1; i < 14; i++) {
    const peers = [nodes[i - 1], nodes[Math.floor(i / 2)]].map((node) => node?.address ?? '');
    nodes.push(await startNode({ peers: [...new Set(peers)] }));
  }
  const [first, last] = [nodes[0] as Node, nodes.at(-1) as Node];
  await until('all are linked', () =>
    nodes.every(({ engine }) => engine.status().peers.filter((p) => p.state === 'connected').length >= 1),
  );
  const author = new Author();
  const posts = Array.from({ length: 20 }, (_, i) => publish(i % 2 ? first : last, author.post()));
  await until('everybody has them', () => sizes(nodes).every((size) => size === posts.length));
  expect(nodes.flatMap(({ events }) => events.filter(({ kind }) => kind === 'post_refused'))).toEqual([]);
});

test('six nodes of a private swarm, some stopped and started while posts are published, end with the same posts', async () => {
  const swarmKeyFile = formatSwarmKey(newSwarmKey());
  const space = 'ef'.repeat(32);
  const nodes: Node[] = [];
  const seeds = Array.from({ length: 6 }, () => randomBytes(32));
  const start = (i: number, change: Parameters<typeof startNode>[0] = {}) =>
    startNode({ nodeSeed: seeds[i] as Buffer, swarmKeyFile, space, ...change });
  for (let i = 0; i < 6; i++) nodes.push(await start(i, { peers: nodes.slice(-2).map((n) => n.address) }));
  const authors = Array.from({ length: 6 }, () => new Author());
  const published: string[] = [];
  const say = (i: number) => {
    const post = publish(
      nodes[i] as Node,
      (authors[i] as Author).post({ space, text: `${published.length} ${'x'.repeat(300)}` }),
    );
    published.push(post.id);
  };
  for (const round of [0, 1, 2, 3]) {
    const down = [1, 3, 4, 2][round] as number;
    for (let i = 0; i < 30; i++) say(i % 6);
    const { address, store } = nodes[down] as Node;
    await stopNode(nodes[down] as Node);
    for (let i = 0; i < 30; i++) if (i % 6 !== down) say(i % 6);
    const peers = nodes.filter((_, i) => i !== down && Math.abs(i - down) <= 2).map((node) => node.address);
    nodes[down] = await start(down, { store, peers, listen: [address.replace(/\/p2p\/.*/, '')] });
  }
  await until('all have all', () => sizes(nodes).every((size) => size === published.length));
  for (const node of nodes) expect(node.store.ids()).toEqual([...published].sort());
});

test('what a healed partition brings is passed on by reconciliation, hop by hop', async () => {
  const [a, b] = [await startNode(), await startNode()];
  const c = await startNode({ peers: [b.address] });
  const d = await startNode({ peers: [c.address] });
  await until('b, c and d are a chain', () => stateOf(c, b) === 'connected' && stateOf(d, c) === 'connected');
  const author = new Author();
  for (let i = 0; i < 200; i++) a.store.put(author.post());
  b.engine.addPeer(a.address);
  await until('d has them', () => d.store.posts.size === 200);
  expect(d.store.received.every(({ via, from }) => via === 'reconciled' && from === c.id)).toBe(true);
});

test('two nodes that dial each other and reconcile at once both end well', async () => {
  const seeds = [randomBytes(32), randomBytes(32)] as const;
  const author = new Author();
  const a = await startNode({ nodeSeed: seeds[0] });
  const b = await startNode({ nodeSeed: seeds[1], peers: [a.address] });
  a.engine.addPeer(b.address);
  await until('linked', () => stateOf(a, b) === 'connected' && stateOf(b, a) === 'connected');
  for (let i = 0; i < 50; i++) (i % 2 ? a : b).store.put(author.post());
  await Promise.all([a.engine.syncNow(), b.engine.syncNow(), a.engine.syncNow(b.id), b.engine.syncNow(a.id)]);
  await until('both have all', () => a.store.posts.size === 50 && b.store.posts.size === 50);
  expect([...a.events, ...b.events].filter(({ kind }) => kind === 'reconcile_failed')).toEqual([]);
});

test('a node with another swarm key, or with none, is not let in and learns nothing', async () => {
  const a = await startNode({ swarmKeyFile: formatSwarmKey(newSwarmKey()) });
  a.store.put(new Author().post());
  const other = await startNode({ swarmKeyFile: formatSwarmKey(newSwarmKey()), peers: [a.address] });
  const open = await startNode({ peers: [a.address] });
  for (const stranger of [other, open]) {
    await until(
      'its dials fail',
      () => stranger.events.filter(({ kind }) => kind === 'dial_failed').length >= 2,
    );
    await until('the table says so', () => stateOf(stranger, a) === 'unreachable');
    expect(stranger.store.posts.size).toBe(0);
  }
  expect(a.engine.status().peers).toEqual([]);
});

test('the allow list holds for who dials in and for whom is dialled', async () => {
  const seed = randomBytes(32);
  const friend = nodeIdOf(seed);
  const a = await startNode({ allow: [friend] });
  a.store.put(new Author().post());
  const stranger = await startNode({ peers: [a.address] });
  const welcome = await startNode({ nodeSeed: seed, peers: [a.address] });
  await until('the friend has the post', () => welcome.store.posts.size === 1);
  const failures = () => stranger.events.filter((event) => event.kind === 'dial_failed');
  await until('the stranger was turned away more than once', () => failures().length >= 2);
  expect(failures()[1]).toMatchObject({ peer: a.id, reason: expect.stringContaining('allow list') });
  await until('the table says so', () => stateOf(stranger, a) === 'unreachable');
  expect(stranger.store.posts.size).toBe(0);
  expect(a.engine.status().peers.map(({ id }) => id)).toEqual([friend]);

  const picky = await startNode({ allow: [a.id], peers: [a.address, stranger.address] });
  await until('it refused to dial the stranger', () =>
    picky.events.some((event) => event.kind === 'dial_failed' && event.peer === stranger.id),
  );
  expect(stateOf(stranger, picky)).toBeUndefined();
});

test('a peer that is removed is hung up and not dialled again; one that is added is dialled at once', async () => {
  const a = await startNode();
  const b = await startNode();
  b.engine.addPeer(a.address);
  await until('linked', () => stateOf(b, a) === 'connected');
  await b.engine.removePeer(a.id);
  await until('gone', () => stateOf(b, a) === undefined);
  await until('gone at the other end', () => stateOf(a, b) === undefined);
  const missed = publish(a, new Author().post());
  await b.engine.syncNow();
  expect(b.store.posts.has(missed.id)).toBe(false);
  expect(() => b.engine.addPeer(b.address)).toThrow('this node itself');
  expect(() => b.engine.addPeer('/ip4/127.0.0.1/tcp/1')).toThrow('no address of a peer');
});

test('a node without peers and without an address to listen on opens no socket', async () => {
  const sockets = () => process.getActiveResourcesInfo().filter((kind) => /TCP|UDP/.test(kind)).length;
  await until('the sockets of earlier tests are gone', () => sockets() === 0);
  const node = await startNode({ listen: [] });
  expect(node.engine.status().listening).toEqual([]);
  expect(sockets()).toBe(0);
});

test('an address that is taken is an error with what to do', async () => {
  const a = await startNode();
  await expect(startNode({ listen: [a.address.replace(/\/p2p\/.*/, '')] })).rejects.toMatchObject({
    code: 'setting',
    fix: expect.stringContaining('listen'),
  });
});
