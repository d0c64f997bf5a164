import { peerIdFromString } from '@libp2p/peer-id';
import { afterEach, expect, test, vi } from 'vitest';
import { parsePeerAddress } from '../../src/sync/address.ts';
import type { SyncEvent } from '../../src/sync/contract.ts';
import { Reservations } from '../../src/sync/engine/reservations.ts';
import { nodeIdOf } from '../../src/sync/index.ts';

const [ownId, seedId] = [nodeIdOf(Buffer.alloc(32, 1)), nodeIdOf(Buffer.alloc(32, 2))];
const seed = peerIdFromString(seedId);
const address = `/ip4/192.0.2.1/tcp/4001/p2p/${seedId}`;

afterEach(() => vi.useRealTimers());

/** One seed that answers as a test says. */
function setUp() {
  vi.useFakeTimers();
  const events: SyncEvent[] = [];
  const network = { isLinked: true, refusal: null as Error | null, asked: 0 };
  const reservations = new Reservations({
    ownId,
    seeds: [parsePeerAddress(address)],
    limits: { firstRetryMs: 1_000, maxRetryMs: 60_000 },
    random: () => 0.5,
    log: (event) => events.push(event),
    onChange: () => {},
  });
  reservations.start({
    isLinked: () => network.isLinked,
    ask: async () => {
      network.asked += 1;
      if (network.refusal) throw network.refusal;
    },
  });
  return { reservations, network, events, state: () => reservations.status()[0] };
}

const refused = (status: string) => new Error(`reservation failed with status ${status}`);

test('a seed that refuses is asked again after pauses that grow to a minute, and is logged at the 1st, 2nd, 4th …', async () => {
  const { reservations, network, events } = setUp();
  network.refusal = refused('RESERVATION_REFUSED');
  reservations.identified(seed, true);
  await vi.advanceTimersByTimeAsync(0);
  const askedAt: number[] = [];
  for (let second = 1; second <= 250; second++) {
    const before = network.asked;
    await vi.advanceTimersByTimeAsync(1_000);
    if (network.asked > before) askedAt.push(second);
  }
  // 1, 2, 4, 8, 16, 32 seconds, then a minute each.
  expect(askedAt).toEqual([1, 3, 7, 15, 31, 63, 123, 183, 243]);
  expect(
    events.map((event) => (event.kind === 'relay_refused' ? [event.attempt, event.retryInMs] : event.kind)),
  ).toEqual([
    [1, 1_000],
    [2, 2_000],
    [4, 8_000],
    [8, 60_000],
  ]);
  reservations.stop();
});

test('what a seed answered is said in words of ours, and forgotten with the link to it', async () => {
  const { reservations, network, state } = setUp();
  for (const [error, reason] of [
    [refused('RESERVATION_REFUSED'), 'all its places are taken'],
    [refused('PERMISSION_DENIED'), 'it does not admit this node'],
    [new Error('\u001b[2Ja peer chose this'), 'it did not answer as a relay does'],
  ] as const) {
    network.refusal = error;
    reservations.identified(seed, true);
    await vi.advanceTimersByTimeAsync(0);
    expect(state()).toEqual({ seed: seedId, state: 'refused', reason });
    reservations.disconnected(seedId);
    expect(state()).toEqual({ seed: seedId, state: 'waiting', reason: null });
  }
  reservations.identified(seed, false);
  expect(state()).toMatchObject({ state: 'not_serving' });
  reservations.disconnected(seedId);
  expect(state()).toMatchObject({ state: 'waiting' });
  reservations.stop();
});

test('a place that is lost while the seed is linked is asked for again; without a link it waits for one', async () => {
  const { reservations, network, events, state } = setUp();
  reservations.identified(seed, true);
  await vi.advanceTimersByTimeAsync(0);
  expect(reservations.addresses()).toEqual([`${address}/p2p-circuit/p2p/${ownId}`]);
  reservations.removed(seed);
  expect([state()?.state, reservations.addresses()]).toEqual(['waiting', []]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([state()?.state, network.asked]).toEqual(['reserved', 2]);

  network.isLinked = false;
  reservations.removed(seed);
  reservations.disconnected(seedId);
  await vi.advanceTimersByTimeAsync(120_000);
  expect([state()?.state, network.asked]).toEqual(['waiting', 2]);
  network.isLinked = true;
  reservations.identified(seed, true);
  await vi.advanceTimersByTimeAsync(0);
  expect(state()?.state).toBe('reserved');
  expect(events.map(({ kind }) => kind)).toEqual([
    'relay_reserved',
    'relay_lost',
    'relay_reserved',
    'relay_lost',
    'relay_reserved',
  ]);
  reservations.stop();
});
