import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { Author, MemoryStore, publish, startNode, stateOf, stopAll, stopNode, until } from './support.ts';

afterEach(stopAll);

test('a post that one node publishes arrives at the other, both ways, byte for byte', async () => {
  const a = await startNode();
  const b = await startNode({ peers: [a.address] });
  await until('a and b are linked', () => stateOf(a, b) === 'connected' && stateOf(b, a) === 'connected');
  const author = new Author();
  const fromA = publish(a, author.post({ text: 'grüße\n🦉' }));
  await until('b has it', () => b.store.posts.has(fromA.id));
  const fromB = publish(b, author.post());
  await until('a has it', () => a.store.posts.has(fromB.id));
  expect(b.store.posts.get(fromA.id)?.bytes).toEqual(a.store.posts.get(fromA.id)?.bytes);
  expect(b.store.received[0]).toMatchObject({ id: fromA.id, from: a.id });
});

test('a late joiner gets everything that it missed, in (ts, id) order', async () => {
  const store = new MemoryStore();
  const author = new Author();
  const now = Math.floor(Date.now() / 1000);
  for (let i = 0; i < 700; i++) store.put(author.post({ ts: now - i * 7_919 }));
  const a = await startNode({ store });
  const b = await startNode({ peers: [a.address] });
  await until('b caught up', () => b.store.posts.size === 700);
  expect(b.store.ids()).toEqual(a.store.ids());
  const order = b.store.received.map(({ id }) => [b.store.posts.get(id)?.ts ?? 0, id] as const);
  expect(order).toEqual([...order].sort((x, y) => x[0] - y[0] || (x[1] < y[1] ? -1 : 1)));
  expect(Math.max(...b.store.batches)).toBeLessThanOrEqual(128);
  expect(b.store.received.every(({ via }) => via === 'reconciled')).toBe(true);
});

test('a peer that is slower than its neighbour holds it back, and one exchange still brings everything', async () => {
  const store = new MemoryStore();
  const authors = Array.from({ length: 10 }, () => new Author());
  for (let i = 0; i < 4_000; i++)
    store.put((authors[i % 10] as Author).post({ text: `${i} ${'x'.repeat(4_000)}` }));
  const slow = new MemoryStore();
  const { accept } = slow;
  slow.accept = async (posts) => {
    await sleep(30); // a disk that takes its time
    return accept(posts);
  };
  const a = await startNode({ store });
  const b = await startNode({ store: slow, peers: [a.address] });
  await until('b caught up', () => slow.posts.size === 4_000);
  await until('the exchange ended', () => b.events.some(({ kind }) => kind === 'reconciled'));
  expect(b.events.filter(({ kind }) => kind.startsWith('reconcile'))).toMatchObject([{ received: 4_000 }]);
  expect(a.events.filter(({ kind }) => kind.startsWith('reconcile'))).toMatchObject([{ sent: 4_000 }]);
});

test('both sides of a difference are repaired in one exchange, and the next one finds none', async () => {
  const [left, right] = [new MemoryStore(), new MemoryStore()];
  const author = new Author();
  for (let i = 0; i < 300; i++) {
    const post = author.post();
    if (i % 3 !== 0) left.put(post);
    if (i % 3 !== 1) right.put(post);
  }
  const a = await startNode({ store: left });
  const b = await startNode({ store: right, peers: [a.address] });
  await until('both have all', () => left.posts.size === 300 && right.posts.size === 300);
  await b.engine.syncNow();
  expect(b.events.filter(({ kind }) => kind === 'reconciled')).toHaveLength(1);
  expect(b.events.find(({ kind }) => kind === 'reconciled')).toMatchObject({
    received: 100,
    sent: 100,
    isComplete: true,
  });
});

test('a node that was gone is dialled again when it is back, and both repair what they missed', async () => {
  const nodeSeed = randomBytes(32);
  const a = await startNode({ nodeSeed });
  const b = await startNode({ peers: [a.address] });
  await until('linked', () => stateOf(b, a) === 'connected');
  await stopNode(a);
  await until('b noticed', () => stateOf(b, a) !== 'connected');
  const author = new Author();
  const missed = publish(b, author.post());
  a.store.put(author.post());
  const listen = [a.address.replace(/\/p2p\/.*/, '')];
  const back = await startNode({ nodeSeed, listen, store: a.store });
  await until('both have both', () => back.store.posts.size === 2 && b.store.posts.size === 2);
  expect(back.store.posts.has(missed.id)).toBe(true);
});

test('posts of the space "local" and of another space never leave', async () => {
  const a = await startNode();
  const b = await startNode({ peers: [a.address] });
  await until('linked', () => stateOf(b, a) === 'connected');
  const author = new Author();
  await until('gossip runs', () => {
    publish(a, author.post());
    return b.store.received.some(({ via }) => via === 'gossip');
  });
  const before = publish(a, author.post({ space: 'local' }));
  const other = publish(a, author.post({ space: 'ab'.repeat(32) }));
  const last = publish(a, author.post());
  await until('the post after them arrived', () => b.store.posts.has(last.id));
  await b.engine.syncNow();
  await a.engine.syncNow();
  expect(b.store.ids()).toEqual(a.store.ids().filter((id) => id !== before.id && id !== other.id));
  // They were not sent and refused at the other end: they were not sent.
  expect(b.events.filter(({ kind }) => kind === 'post_refused')).toEqual([]);
});
