import { type Multiaddr, multiaddr } from '@multiformats/multiaddr';
import { afterEach, expect, test } from 'vitest';
import { parsePeerAddress } from '../../src/sync/address.ts';
import type { SyncEvent } from '../../src/sync/contract.ts';
import { type Dialler, Links, type LinksPorts } from '../../src/sync/engine/links.ts';
import { nodeIdOf } from '../../src/sync/index.ts';
import { until } from './support.ts';

const peer = nodeIdOf(Buffer.alloc(32, 1));
const address = `/ip4/192.0.2.1/tcp/4001/p2p/${peer}`;

let links: Links;
afterEach(() => links.stop());

/** Links over a network of the test's making. */
function setUp(
  dial: (addresses: Multiaddr[]) => Promise<unknown>,
  random = 0.5,
  change: Partial<LinksPorts> & { addresses?: readonly string[]; reach?: Dialler['reach'] } = {},
) {
  const events: Extract<SyncEvent, { kind: 'dial_failed' }>[] = [];
  const hungUp: string[] = [];
  let now = 0;
  links = new Links(change.addresses ?? [address], {
    ownId: nodeIdOf(Buffer.alloc(32, 2)),
    nowMs: () => now,
    random: () => random,
    mayDial: () => true,
    seeds: null,
    straightMs: 60_000,
    log: (event) => event.kind === 'dial_failed' && events.push(event),
    onChange: () => {},
    ...change,
  });
  links.start({
    dial,
    reach: change.reach ?? (() => 'none'),
    hangUp: async (id) => void hungUp.push(id.toString()),
  });
  return { events, hungUp, advance: (ms: number) => (now += ms) };
}

test('a peer that is removed while it is being dialled is hung up when the dial succeeds', async () => {
  const dialling = Promise.withResolvers<void>();
  let isDialled = false;
  const { hungUp } = setUp(() => {
    isDialled = true;
    return dialling.promise;
  });
  await until('it dials', () => isDialled);
  await links.remove(peer);
  expect(hungUp).toEqual([peer]);
  dialling.resolve();
  await until('it hangs up again', () => hungUp.length === 2);
});

test('pauses grow from half a second to half a minute, and a link that lasted starts anew', () => {
  const { events, advance } = setUp(() => new Promise(() => {}));
  const fail = () => {
    links.connected(peer);
    advance(100);
    links.disconnected(peer);
  };
  for (let i = 0; i < 16; i++) fail();
  expect(events.map(({ attempt, retryInMs }) => [attempt, retryInMs])).toEqual([
    [1, 500],
    [2, 800],
    [4, 2_048],
    [8, 13_422],
    [16, 30_000],
  ]);
  links.connected(peer);
  advance(10_000);
  links.disconnected(peer);
  fail();
  expect(events.at(-1)).toMatchObject({ attempt: 1, retryInMs: 500 });
});

test('only the addresses that were named may be dialled', () => {
  setUp(() => new Promise(() => {}));
  const named = (text: string) => links.isNamed(peer, multiaddr(text));
  expect(named(address)).toBe(true);
  expect(named('/ip4/192.0.2.1/tcp/4001')).toBe(true);
  expect(named(`/ip4/192.0.2.1/tcp/4002/p2p/${peer}`)).toBe(false);
  expect(named(`/ip4/203.0.113.9/tcp/4001/p2p/${peer}`)).toBe(false);
  expect(links.isNamed(nodeIdOf(Buffer.alloc(32, 3)))).toBe(false);
});

const [seed, stranger] = [nodeIdOf(Buffer.alloc(32, 4)), nodeIdOf(Buffer.alloc(32, 5))];
const seedAddress = `/ip4/192.0.2.9/tcp/4001/p2p/${seed}`;
const through = (relay: string, id: string) => `${relay}/p2p-circuit/p2p/${id}`;

test('through relays only named peers may be dialled, through seeds and the relays that their addresses name', () => {
  const [other, relay] = [nodeIdOf(Buffer.alloc(32, 6)), nodeIdOf(Buffer.alloc(32, 7))];
  const relayAddress = `/dns4/relay.example/tcp/4001/p2p/${relay}`;
  setUp(() => new Promise(() => {}), 0.5, {
    addresses: [address, seedAddress, through(relayAddress, other)],
    seeds: [parsePeerAddress(seedAddress)],
  });
  const named = (id: string, text: string) => links.isNamed(id, multiaddr(text));
  expect(named(peer, through(seedAddress, peer))).toBe(true);
  expect(named(other, through(seedAddress, other))).toBe(true);
  expect(named(other, through(relayAddress, other))).toBe(true);
  expect([links.isNamed(relay), named(relay, relayAddress)]).toEqual([true, true]);

  expect(named(stranger, through(seedAddress, stranger))).toBe(false);
  expect(named(peer, through(relayAddress, peer))).toBe(false);
  expect(named(peer, through(`/ip4/203.0.113.9/tcp/1/p2p/${stranger}`, peer))).toBe(false);
  expect(named(seed, through(seedAddress, seed))).toBe(false);
  expect(named(relay, `/ip4/203.0.113.9/tcp/4001/p2p/${relay}`)).toBe(false);
  expect(named(relay, through(seedAddress, relay))).toBe(false);
  expect(links.isNamed(stranger)).toBe(false);
});

test('a peer is dialled straight first, then through the seeds that are linked', async () => {
  const dialled: string[][] = [];
  const dial = async (addresses: Multiaddr[]) => {
    dialled.push(addresses.map((each) => each.toString()));
    throw new Error('nobody there');
  };
  const unlinked = nodeIdOf(Buffer.alloc(32, 6));
  setUp(dial, 0.5, {
    seeds: [parsePeerAddress(seedAddress), parsePeerAddress(`/ip4/192.0.2.8/tcp/1/p2p/${unlinked}`)],
    reach: (id) => (id.toString() === seed ? 'straight' : 'none'),
  });
  await until('both ways were tried', () => dialled.length >= 2);
  expect(dialled.slice(0, 2)).toEqual([[address], [through(seedAddress, peer)]]);
});
