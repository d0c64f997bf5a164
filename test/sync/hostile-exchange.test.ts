import { createHash, randomBytes } from 'node:crypto';
import { multiaddr } from '@multiformats/multiaddr';
import { afterEach, describe, expect, test } from 'vitest';
import { encodePost, type Post } from '../../src/swarm/index.ts';
import { nodeIdOf } from '../../src/sync/index.ts';
import { openSync, type RawNode, type RawStream, rawPeer, rawStream, stopRawPeers } from './raw-peer.ts';
import { Author, DAY, type Node, startNode, stateOf, stopAll, until } from './support.ts';

afterEach(async () => {
  await stopAll();
  await stopRawPeers();
});

const [NEGENTROPY, SETTLED, WANTED, POST, END, DAYS, OFFERED] = [1, 2, 3, 4, 5, 6, 7];
const author = new Author();
const today = Math.floor(Date.now() / 1000 / DAY);

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];

const query = () =>
  Buffer.concat([
    Uint8Array.of(0),
    Buffer.alloc(8),
    Uint8Array.from(varint(today - 400)),
    Buffer.alloc(16, 7),
  ]);
const pickToday = () => Uint8Array.from([2, 1, ...varint(today)]);

/** Opens an exchange and brings it to where negentropy begins. */
async function begin(raw: RawNode, node: Node): Promise<RawStream> {
  const stream = await openSync(raw, node);
  await stream.send(DAYS, query());
  expect((await stream.receive()).type).toBe(DAYS);
  await stream.send(DAYS, pickToday());
  return stream;
}

/** Offers posts as an honest peer would, and sends whatever bytes the test says once they are asked for. */
async function offer(raw: RawNode, node: Node, ids: string[], frames: Uint8Array[]): Promise<void> {
  const stream = await begin(raw, node);
  // One range over everything, with the ids of ours: version, bound "infinity", mode 2 (id list), how many, ids.
  await stream.send(
    NEGENTROPY,
    Buffer.concat([Uint8Array.of(0x61, 0, 0, 2, ids.length), ...ids.map((id) => Buffer.from(id, 'hex'))]),
  );
  expect((await stream.receive()).type).toBe(SETTLED);
  await stream.send(OFFERED);
  expect((await stream.receive()).type).toBe(OFFERED);
  await stream.send(WANTED);
  const asked = await stream.receive();
  expect(asked.body.byteLength).toBe(ids.length * 32);
  for (const frame of frames) await stream.send(POST, frame);
  await stream.send(END);
}

async function setUp(): Promise<{ node: Node; hostile: RawNode }> {
  const node = await startNode();
  const hostile = await rawPeer();
  await hostile.dial(multiaddr(node.address));
  return { node, hostile };
}

const failures = (node: Node) => node.events.filter((event) => event.kind === 'reconcile_failed');

test('posts that were asked for are stored, up to the first invalid one', async () => {
  const { node, hostile } = await setUp();
  const posts = [author.post(), author.post(), author.post()] as [Post, Post, Post];
  const forged = { ...posts[1], text: 'forged' };
  await offer(
    hostile,
    node,
    posts.map(({ id }) => id),
    [posts[0], forged, posts[2]].map((post) => encodePost(post)),
  );
  await until('the exchange failed', () => failures(node).length === 1);
  await until('the first is stored', () => node.store.posts.size === 1);
  expect(node.store.ids()).toEqual([posts[0].id]);
  expect(node.events).toContainEqual({
    kind: 'post_refused',
    peer: hostile.peerId.toString(),
    via: 'reconciled',
    code: 'unauthentic',
  });
});

test('a post that nobody asked for ends the exchange', async () => {
  const { node, hostile } = await setUp();
  await offer(hostile, node, [], [encodePost(author.post())]);
  await until('the exchange failed', () => failures(node).length === 1);
  expect(node.store.ids()).toEqual([]);
});

test('a peer that sends an invalid post in each exchange is ignored after the third', async () => {
  const { node, hostile } = await setUp();
  for (let i = 1; i <= 3; i++) {
    const post = author.post();
    await offer(hostile, node, [post.id], [encodePost({ ...post, text: 'forged' })]);
    await until('it failed', () => failures(node).length === i);
  }
  expect(stateOf(node, hostile.peerId.toString())).toBe('ignored');
  await until('the link is gone', () => hostile.getConnections().length === 0);
});

describe('an exchange that breaks the protocol ends, and the node goes on', () => {
  const cases: [string, (stream: RawStream) => Promise<void>][] = [
    // A bound of -2^31 bytes once its 32 bits overflow: the library would loop over it for hours.
    [
      'a length that overflows',
      (s) => s.send(NEGENTROPY, Uint8Array.of(0x61, 0, 0x88, 0x80, 0x80, 0x80, 0, 0)),
    ],
    ['more ids than are there', (s) => s.send(NEGENTROPY, Uint8Array.of(0x61, 0, 0, 2, 5, 1, 2, 3))],
    ['another version of negentropy', (s) => s.send(NEGENTROPY, Uint8Array.of(0x62))],
    ['an unknown mode', (s) => s.send(NEGENTROPY, Uint8Array.of(0x61, 0, 0, 9))],
    ['an unknown type of frame', (s) => s.send(99)],
    ['a frame over 256 KiB', async (s) => void s.stream.send(Uint8Array.of(0x81, 0x80, 0x10, 1))],
    ['an empty frame', async (s) => void s.stream.send(Uint8Array.of(0))],
    ['a stream that is closed in the middle', (s) => s.stream.close()],
    ['a stream that is reset', async (s) => s.stream.abort(new Error('reset'))],
  ];
  test.each(cases)('%s', async (_name, attack) => {
    const { node, hostile } = await setUp();
    await attack(await begin(hostile, node));
    await until('the exchange failed', () => failures(node).length === 1);
    const post = author.post();
    await offer(hostile, node, [post.id], [encodePost(post)]);
    await until('the next exchange works', () => node.store.posts.has(post.id));
  });

  test('a peer that never agrees is left after 64 rounds', async () => {
    const { node, hostile } = await setUp();
    node.store.put(author.post());
    const stream = await begin(hostile, node);
    // A fingerprint of everything that is never right.
    const message = Buffer.concat([Uint8Array.of(0x61, 0, 0, 1), Buffer.alloc(16, 1)]);
    let rounds = 0;
    for (; failures(node).length === 0 && rounds < 100; rounds++) {
      await stream.send(NEGENTROPY, message).catch(() => {});
      await stream.receive().catch(() => {});
    }
    await until('the exchange failed', () => failures(node).length === 1);
    expect(rounds).toBeLessThanOrEqual(66);
  });
});

test('a peer may have two exchanges a connection open, and one that is served', async () => {
  const { node, hostile } = await setUp();
  await begin(hostile, node);
  const second = await openSync(hostile, node);
  expect((await second.receive()).type).toBe(END);
});

test('the tags of the days are worked out as the protocol says', async () => {
  const { node, hostile } = await setUp();
  const post = author.post();
  node.store.put(post);
  const stream = await openSync(hostile, node);
  await stream.send(DAYS, query());
  const { body } = await stream.receive();
  const lanes = createHash('shake128', { outputLength: 2_048 })
    .update(Buffer.concat([Buffer.from('wats day 1\n'), Buffer.from(post.id, 'hex')]))
    .digest();
  const fingerprint = createHash('sha256').update(lanes).digest();
  const tag = createHash('sha256')
    .update(Buffer.concat([Buffer.alloc(8), Buffer.from(`${today} 1 `), fingerprint]))
    .digest()
    .subarray(0, 8);
  expect(Buffer.from(body)).toEqual(
    Buffer.concat([Uint8Array.from([1, ...varint(today - 400), 1, ...varint(400), 1]), tag]),
  );
});

describe('two exchanges that start at once: the lower id wins', () => {
  test.each(['lower', 'higher'])('the peer has the %s id', async (which) => {
    const raw = await rawPeer();
    const own = raw.peerId.toString();
    let nodeSeed = randomBytes(32);
    while (nodeIdOf(nodeSeed) < own !== (which === 'higher')) nodeSeed = randomBytes(32);
    const started = Promise.withResolvers<RawStream>();
    // It takes the node's exchange and says nothing, so that it stays under way.
    await raw.handle('/wats/sync/1/open', (stream) => started.resolve(rawStream(stream)));
    const node = await startNode({ nodeSeed, peers: [raw.getMultiaddrs()[0]?.toString() ?? ''] });
    node.store.put(author.post());
    const theirs = await started.promise;
    expect((await theirs.receive()).type).toBe(DAYS);
    const ours = await openSync(raw, node);
    await ours.send(DAYS, query());
    expect((await ours.receive()).type).toBe(which === 'lower' ? DAYS : END);
    if (which === 'lower') await until('its own is given up', () => theirs.stream.status === 'reset');
    else expect(theirs.stream.status).toBe('open');
  });
});

test('a peer that answers our exchange with rubbish costs one failed exchange', async () => {
  const hostile = await rawPeer();
  await hostile.handle('/wats/sync/1/open', async (stream) => {
    const raw = rawStream(stream);
    await raw.receive();
    await raw.send(DAYS, Uint8Array.of(1, 0xff, 0xff, 0xff, 0xff, 0x0f));
  });
  const node = await startNode({ peers: [hostile.getMultiaddrs()[0]?.toString() ?? ''] });
  node.store.put(author.post());
  await until('the exchange failed', () => failures(node).length === 1);
  expect(stateOf(node, hostile.peerId.toString())).toBe('connected');
});
