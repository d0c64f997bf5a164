import { multiaddr } from '@multiformats/multiaddr';
import { afterEach, expect, test } from 'vitest';
import type { SyncEvent } from '../../src/sync/contract.ts';
import { Links } from '../../src/sync/engine/links.ts';
import { nodeIdOf } from '../../src/sync/index.ts';
import { until } from './support.ts';

const peer = nodeIdOf(Buffer.alloc(32, 1));
const address = `/ip4/192.0.2.1/tcp/4001/p2p/${peer}`;

let links: Links;
afterEach(() => links.stop());

/** Links over a network of the test's making. */
function setUp(dial: () => Promise<unknown>, random = 0.5) {
  const events: Extract<SyncEvent, { kind: 'dial_failed' }>[] = [];
  const hungUp: string[] = [];
  let now = 0;
  links = new Links([address], {
    ownId: nodeIdOf(Buffer.alloc(32, 2)),
    nowMs: () => now,
    random: () => random,
    mayDial: () => true,
    log: (event) => event.kind === 'dial_failed' && events.push(event),
    onChange: () => {},
  });
  links.start({
    dial,
    isConnected: () => false,
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
