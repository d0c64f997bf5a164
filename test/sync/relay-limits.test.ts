import { randomBytes } from 'node:crypto';
import {
  circuitRelayServer,
  circuitRelayTransport,
  RELAY_V2_HOP_CODEC,
  RELAY_V2_STOP_CODEC,
} from '@libp2p/circuit-relay-v2';
import { peerIdFromString } from '@libp2p/peer-id';
import { tcp } from '@libp2p/tcp';
import { lpStream } from '@libp2p/utils';
import { multiaddr } from '@multiformats/multiaddr';
import { afterEach, expect, test } from 'vitest';
import { nodeIdOf } from '../../src/sync/index.ts';
import { gossip, join, payload, type RawNode, rawPeer, stopRawPeers } from './raw-peer.ts';
import { dead, isReserved, linkOf, pair, relayOf, startHidden, startSeed } from './relay-support.ts';
import { Author, MemoryStore, type Node, publish, startNode, stopAll, stopNode, until } from './support.ts';

afterEach(async () => {
  await stopAll();
  await stopRawPeers();
});

/** The statuses of circuit relay v2, as its specification numbers them: OK, RESERVATION_REFUSED, PERMISSION_DENIED. */
const [OK, REFUSED, DENIED] = [100, 200, 202] as const;

/** Asks a node for a place, byte by byte as the specification has it: a RESERVE message, and the status of the answer. */
async function reserve(raw: RawNode, seed: Node): Promise<number> {
  const stream = await raw.dialProtocol(peerIdFromString(seed.id), RELAY_V2_HOP_CODEC);
  const frames = lpStream(stream);
  await frames.write(Uint8Array.of(0x08, 0x00)); // type (field 1) = RESERVE
  const answer = (await frames.read({ signal: AbortSignal.timeout(10_000) })).subarray();
  const at = answer.lastIndexOf(0x28); // status (field 5), a varint of two bytes, is the last field
  return ((answer[at + 1] ?? 0) % 128) | ((answer[at + 2] ?? 0) << 7);
}

/** A peer of the swarm by what it says of itself: it speaks the protocol of its members. */
async function rawMember(seed: Node): Promise<RawNode> {
  const raw = await rawPeer();
  await raw.handle('/wats/sync/1/open', (stream) => stream.abort(new Error('it only says so')));
  await raw.dial(multiaddr(seed.address));
  return raw;
}

test('a seed gives as many places as it has, says so to the next, and a place that gets free is taken', async () => {
  const seed = await startSeed({ relayLimits: { places: 1 } });
  const a = await startHidden([seed]);
  await until('a has the place', () => isReserved(a, seed));
  const b = await startHidden([seed], { peers: [dead(a.id)] });
  await until('b is refused', () => relayOf(b, seed)?.state === 'refused');
  expect(relayOf(b, seed)).toEqual({ seed: seed.id, state: 'refused', reason: 'all its places are taken' });
  expect(b.engine.status().listening).toEqual([]);
  expect(b.events.find(({ kind }) => kind === 'relay_refused')).toMatchObject({
    attempt: 1,
    reason: 'all its places are taken',
  });
  // Who dials needs no place.
  await until('b reaches a all the same', () => linkOf(b, a) === 'relayed');
  expect(seed.engine.status().serving).toEqual({ places: 1, of: 1, links: 1 });
  await stopNode(a);
  await until('b has the place', () => isReserved(b, seed));
  expect(seed.engine.status().serving).toEqual({ places: 1, of: 1, links: 0 });
});

test('a seed that does not serve is a peer, and is said to be no relay', async () => {
  const seed = await startNode();
  const a = await startHidden([seed]);
  await until('it knows', () => relayOf(a, seed)?.state === 'not_serving');
  expect(linkOf(a, seed)).toBe('straight');
  expect(a.engine.status().listening).toEqual([]);
});

test('a relayed link that reaches its limit of bytes is dialled anew, and the backlog arrives over several', async () => {
  const seed = await startSeed({ relayLimits: { linkBytes: 400_000 } });
  const store = new MemoryStore();
  const author = new Author();
  for (let i = 0; i < 300; i++) store.put(author.post({ text: `${i} ${'x'.repeat(3_000)}` }));
  const a = await startHidden([seed], { store });
  await until('a has a place', () => isReserved(a, seed));
  const b = await startHidden([seed], { peers: [dead(a.id)] });
  await until('b has all', () => b.store.posts.size === 300);
  const links = b.events.filter((event) => event.kind === 'connected' && event.peer === a.id);
  // 300 posts of 3,300 bytes at least are 990,000: two links of 400,000 do not carry them.
  expect(links.length).toBeGreaterThanOrEqual(3);
});

test('a relayed link that reaches its limit of time is dialled anew', async () => {
  const seed = await startSeed({ relayLimits: { linkMs: 1_500 } });
  const [a, b] = await pair(seed);
  const links = () => b.events.filter((event) => event.kind === 'connected' && event.peer === a.id).length;
  await until('it was cut and dialled', () => links() >= 2 && linkOf(b, a) === 'relayed');
  const post = publish(a, new Author().post());
  await until('b has what is published then', () => b.store.posts.has(post.id));
});

test('a seed relays so many links at once, and no more', async () => {
  const seed = await startSeed({ relayLimits: { links: 1 } });
  const [a] = await pair(seed);
  const c = await startHidden([seed], { peers: [dead(a.id)] });
  const failures = () => c.events.filter((event) => event.kind === 'dial_failed' && event.peer === a.id);
  await until(
    'c was turned away with the seed linked',
    () => linkOf(c, seed) === 'straight' && failures().length >= 2,
  );
  expect(linkOf(a, c)).toBeUndefined();
  expect(seed.engine.status().serving?.links).toBe(1);
});

test('a place that is renewed lasts as long as the last renewal says', async () => {
  const placeMs = 1_500;
  const seed = await startSeed({ relayLimits: { placeMs } });
  const raw = await rawMember(seed);
  const places = () => seed.engine.status().serving?.places;
  let renewedAt = 0;
  for (let i = 0; i < 3; i++) {
    await until('it is time to renew', () => performance.now() - renewedAt > 700);
    expect(await reserve(raw, seed)).toBe(OK);
    renewedAt = performance.now();
    expect(places()).toBe(1);
  }
  await until('the place has run out', () => places() === 0);
  expect(performance.now() - renewedAt).toBeGreaterThan(placeMs - 200);
  expect(await reserve(raw, seed)).toBe(OK);
});

test('the allow list of a node holds for who comes through a relay, and that of a seed for who uses it', async () => {
  const [friend, stranger, mine] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const seed = await startSeed();
  const a = await startHidden([seed], { allow: [seed.id, nodeIdOf(friend)] });
  await until('a has a place', () => isReserved(a, seed));
  a.store.put(new Author().post());
  const [in_, out] = [friend, stranger].map((nodeSeed) =>
    startHidden([seed], { nodeSeed, peers: [dead(a.id)] }),
  ) as [Promise<Node>, Promise<Node>];
  const [welcome, turnedAway] = [await in_, await out];
  await until('the friend has the post', () => welcome.store.posts.size === 1);
  const failures = () =>
    turnedAway.events.filter((event) => event.kind === 'dial_failed' && event.peer === a.id).length;
  await until('the stranger was turned away with the seed linked', () => failures() >= 3);
  expect(linkOf(turnedAway, seed)).toBe('straight');
  expect(turnedAway.store.posts.size).toBe(0);
  expect(
    a.engine
      .status()
      .peers.map(({ id }) => id)
      .sort(),
  ).toEqual([seed.id, welcome.id].sort());

  const picky = await startSeed({ allow: [nodeIdOf(mine)] });
  const outside = await startHidden([picky]);
  const inside = await startHidden([picky], { nodeSeed: mine });
  await until('who is on the list has a place', () => isReserved(inside, picky));
  await until('who is not is turned away', () => linkOf(outside, picky) === 'unreachable');
  expect(picky.engine.status().serving?.places).toBe(1);
});

test('who does not speak the language of the swarm gets no place', async () => {
  const seed = await startSeed();
  const raw = await rawPeer();
  await raw.dial(multiaddr(seed.address));
  expect(await reserve(raw, seed)).toBe(DENIED);
  expect(seed.engine.status().serving?.places).toBe(0);
  expect(await reserve(await rawMember(seed), seed)).toBe(OK);
  const full = await startSeed({ relayLimits: { places: 0 } });
  expect(await reserve(await rawMember(full), full)).toBe(REFUSED);
});

test('a peer on which this node holds no place brings it no links, and is not asked for one', async () => {
  const seed = await startSeed();
  const a = await startHidden([seed], { listen: ['/ip4/127.0.0.1/tcp/0'] });
  await until('a has a place on its seed', () => isReserved(a, seed));
  const raw = await rawPeer();
  let asked = 0;
  await raw.handle(RELAY_V2_HOP_CODEC, (stream) => {
    asked += 1;
    stream.abort(new Error('asked'));
  });
  await raw.dial(multiaddr(a.address));
  await until('it is linked', () => linkOf(a, { id: raw.peerId.toString() }) === 'straight');
  const stream = await raw.dialProtocol(peerIdFromString(a.id), RELAY_V2_STOP_CODEC);
  const frames = lpStream(stream);
  await expect(
    (async () => {
      await frames.write(Uint8Array.of(0x08, 0x00));
      await frames.read({ signal: AbortSignal.timeout(10_000) });
    })(),
  ).rejects.toThrow(/reset|abort|closed|ended|EOF/i);
  expect(asked).toBe(0);
  expect(a.engine.status().relays.map(({ seed: id }) => id)).toEqual([seed.id]);
});

test('what a hostile peer sends through a relay is held against that peer, and not against the relay', async () => {
  // A relay that passes nothing on itself, and judges nobody.
  const relay = await rawPeer({ services: { relay: circuitRelayServer() } } as Parameters<typeof rawPeer>[0]);
  const seed = { id: relay.peerId.toString(), address: relay.getMultiaddrs()[0]?.toString() ?? '' };
  const a = await startHidden([seed]);
  await until('a has a place', () => isReserved(a, seed));
  const hostile = await rawPeer({ transports: [tcp(), circuitRelayTransport()] });
  const id = hostile.peerId.toString();
  await join(hostile, { id: a.id, address: a.engine.status().listening[0] ?? '' });
  expect(linkOf(a, { id })).toBe('relayed');
  const author = new Author();
  for (let i = 1; i <= 3; i++) {
    await gossip(hostile, payload({ ...author.post(), text: `forged ${i}` }));
    await until(`${i} refused`, () => a.events.filter(({ kind }) => kind === 'post_refused').length === i);
  }
  await until('the peer is ignored', () => linkOf(a, { id }) === 'ignored');
  await until('and hung up', () => hostile.getConnections(peerIdFromString(a.id)).length === 0);
  expect(a.events.filter((event) => event.kind === 'post_refused' && event.peer !== id)).toEqual([]);
  expect([linkOf(a, seed), isReserved(a, seed)]).toEqual(['straight', true]);
  await expect(hostile.dial(multiaddr(`${seed.address}/p2p-circuit/p2p/${a.id}`))).rejects.toThrow();
  expect(a.store.ids()).toEqual([]);
});

test('a relayed link that looks open but carries no gossip is closed and dialled again', async () => {
  const relay = await rawPeer({ services: { relay: circuitRelayServer() } } as Parameters<typeof rawPeer>[0]);
  const seed = { id: relay.peerId.toString(), address: relay.getMultiaddrs()[0]?.toString() ?? '' };
  const target = await rawPeer({
    addresses: { listen: [`${seed.address}/p2p-circuit`] },
    transports: [tcp(), circuitRelayTransport()],
  });
  const id = target.peerId.toString();
  target.services.pubsub.subscribe('/wats/1/open');
  const a = await startHidden([seed], { peers: [dead(id)], rhythm: { guardMs: 100, guardAgeMs: 2_000 } });
  const subscribed = () =>
    target.services.pubsub.getSubscribers('/wats/1/open').some((each) => each.toString() === a.id);
  await until('gossip runs through the relay', () => linkOf(a, { id }) === 'relayed' && subscribed());
  // The stream on which a sends: from the target's side it came in.
  for (const connection of target.getConnections(peerIdFromString(a.id)))
    for (const stream of connection.streams)
      if (stream.protocol.startsWith('/meshsub/') && stream.direction === 'inbound')
        stream.abort(new Error('overflow'));
  await until('the guard closed it', () =>
    a.events.some((event) => event.kind === 'link_healed' && event.peer === id),
  );
  await until('it is linked again', () => linkOf(a, { id }) === 'relayed' && subscribed());
});
