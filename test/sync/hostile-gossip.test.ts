import { multiaddr } from '@multiformats/multiaddr';
import { afterEach, describe, expect, test } from 'vitest';
import { gossip, join, payload, rawPeer, stopRawPeers } from './raw-peer.ts';
import { Author, type Node, startNode, stateOf, stopAll, until } from './support.ts';

afterEach(async () => {
  await stopAll();
  await stopRawPeers();
});

const refusals = (node: Node) => node.events.filter((event) => event.kind === 'post_refused');

const author = new Author();
const good = author.post();
const large = author.post({ text: 'a'.repeat(16_385) });
const cases: [string, Uint8Array, string][] = [
  ['a post whose text was changed', payload({ ...good, text: 'changed' }), 'unauthentic'],
  ['a post without a valid signature', payload({ ...author.post(), sig: '00'.repeat(64) }), 'unauthentic'],
  ['a post with a text over the limit', payload(large), 'too_large'],
  ['a payload over 64 KiB', payload('x'.repeat(65_537)), 'too_large'],
  ['a post of another swarm', payload(author.post({ space: 'cd'.repeat(32) })), 'wrong_space'],
  ['a post of the space "local"', payload(author.post({ space: 'local' })), 'wrong_space'],
  ['bytes that are no JSON', payload('{"v":1'), 'not_json'],
  [
    'a post with a field that version 1 does not know',
    payload({ ...author.post(), extra: 1 }),
    'unknown_field',
  ],
  ['a payload of a version that is not 1', Uint8Array.of(2, 1, 2, 3), 'wrong_version'],
];

describe('what a hostile peer gossips is refused, counted, and spreads nowhere', () => {
  test.each(cases)('%s', async (_name, bad, code) => {
    const b = await startNode();
    const c = await startNode({ peers: [b.address] });
    await until('c is linked', () => stateOf(b, c) === 'connected');
    const hostile = await rawPeer();
    await join(hostile, b);
    await gossip(hostile, bad);
    await until('b refused it', () => refusals(b).length === 1);
    expect(refusals(b)[0]).toMatchObject({ peer: hostile.peerId.toString(), via: 'gossip', code });
    // A good post on the same way shows that the way is open, and that what came before it would be there by now.
    const after = author.post();
    await gossip(hostile, payload(after));
    await until('the good post arrived at c', () => c.store.posts.has(after.id));
    expect(b.store.ids()).toEqual([after.id]);
    expect(c.store.ids()).toEqual([after.id]);
    expect(refusals(c)).toEqual([]);
    const status = b.engine.status().peers.find(({ id }) => id === hostile.peerId.toString());
    expect(status).toMatchObject({ state: 'connected', refusedPosts: 1 });
  });
});

test('a peer is ignored after its third invalid post: hung up, not let in again, and the person sees it', async () => {
  const b = await startNode();
  const hostile = await rawPeer();
  const id = hostile.peerId.toString();
  await join(hostile, b);
  for (let i = 1; i <= 3; i++) {
    await gossip(hostile, payload({ ...author.post(), text: `forged ${i}` }));
    await until(`${i} are counted`, () => refusals(b).length === i);
  }
  await until('the link is gone', () => hostile.getConnections().length === 0);
  expect(b.engine.status().peers.find((peer) => peer.id === id)).toMatchObject({
    state: 'ignored',
    refusedPosts: 3,
  });
  expect(b.events).toContainEqual(expect.objectContaining({ kind: 'peer_ignored', peer: id }));
  await hostile.dial(b.engine.status().listening.map((each) => multiaddr(each))).catch(() => {});
  await until('the new link is cut', () => hostile.getConnections().length === 0);
  expect(stateOf(b, id)).toBe('ignored');
});

test('a post from the future is not passed on, and the peer, whose clock may be right, is not blamed', async () => {
  const b = await startNode();
  const c = await startNode({ peers: [b.address] });
  await until('c is linked', () => stateOf(b, c) === 'connected');
  const peer = await rawPeer();
  await join(peer, b);
  const now = Math.floor(Date.now() / 1000);
  for (let i = 0; i < 5; i++) await gossip(peer, payload(author.post({ ts: now + 700 + i })));
  await until('all are counted', () => refusals(b).length === 5);
  const after = author.post();
  await gossip(peer, payload(after));
  await until('a good one passes', () => c.store.posts.has(after.id));
  expect(stateOf(b, peer.peerId.toString())).toBe('connected');
  expect(c.store.ids()).toEqual([after.id]);
});
