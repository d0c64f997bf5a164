import { TopicValidatorResult } from '@libp2p/gossipsub';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { encodePost, type Post } from '../../src/swarm/index.ts';
import { Buckets } from '../../src/sync/engine/buckets.ts';
import { createDoor, payloadOf } from '../../src/sync/engine/gossip.ts';
import { Inbox } from '../../src/sync/engine/inbox.ts';
import { createJudge } from '../../src/sync/engine/judge.ts';
import { Publisher } from '../../src/sync/engine/publisher.ts';
import { Standing } from '../../src/sync/engine/standing.ts';
import { Author, MemoryStore, until } from './support.ts';

const { Accept, Ignore, Reject } = TopicValidatorResult;

/** A door over a store in memory, on a clock that a test moves. */
function setUp() {
  const store = new MemoryStore();
  const clock = { ms: Date.now() };
  const nowMs = () => clock.ms;
  const inbox = new Inbox(store.accept, () => {}, nowMs);
  const standing = new Standing();
  const losses: string[] = [];
  const door = createDoor({
    inbox,
    standing,
    nowMs,
    judge: createJudge({ space: 'open', nowMs, knows: (id) => inbox.knows(id) || store.posts.has(id) }),
    refuse: (peer, _via, code) => standing.refuse(peer, clock.ms, code !== 'future'),
    onLoss: (peer) => losses.push(peer),
  });
  const send = (peer: string, post: Post) =>
    door(peer, { type: 'unsigned', topic: '', data: payloadOf(encodePost(post)) });
  return { store, clock, inbox, standing, losses, send };
}

test('a peer may propagate 500 posts at once and 50 a second; what is over is dropped without blame and fetched soon', async () => {
  const { clock, losses, send, standing, inbox, store } = setUp();
  const post = () => new Author().post();
  let accepted = 0;
  for (let i = 0; i < 505; i++) {
    if (send('p', post()) === Accept) accepted += 1;
    // The inbox has a limit of its own, which is not what this is about.
    if (inbox.isFull) await inbox.settled();
  }
  expect(accepted).toBe(500);
  expect(losses).toEqual(Array(5).fill('p'));
  expect(send('another', post())).toBe(Accept);
  clock.ms += 1_000;
  const answers = Array.from({ length: 60 }, () => send('p', post()));
  expect(answers.filter((answer) => answer === Accept)).toHaveLength(50);
  expect(standing.refusedPosts('p')).toBe(0);
  await inbox.settled();
  expect(store.posts.size).toBe(551);
});

test('an author may have 60 posts at once and one a second, over whatever peers', () => {
  const { clock, send } = setUp();
  const author = new Author();
  const answers = Array.from({ length: 70 }, (_, i) => send(`p${i % 7}`, author.post()));
  expect(answers.filter((answer) => answer === Accept)).toHaveLength(60);
  expect(answers.includes(Reject)).toBe(false);
  expect(send('p1', new Author().post())).toBe(Accept);
  clock.ms += 3_000;
  const later = Array.from({ length: 10 }, () => send('p1', author.post()));
  expect(later.filter((answer) => answer === Accept)).toHaveLength(3);
});

test('a post that is known, or on its way to the store, is not handed over again', async () => {
  const { send, store, inbox } = setUp();
  const post = new Author().post();
  expect(send('p', post)).toBe(Accept);
  expect(send('q', post)).toBe(Ignore);
  await inbox.settled();
  expect(send('q', post)).toBe(Ignore);
  expect(store.received).toHaveLength(1);
});

test('one invalid post throttles a peer, three ignore it for an hour, and the count stays', () => {
  const { clock, send, standing } = setUp();
  const forged = () => ({ ...new Author().post(), text: 'forged' });
  expect(send('p', forged())).toBe(Reject);
  const throttled = Array.from({ length: 20 }, () => send('p', new Author().post()));
  expect(throttled.filter((answer) => answer === Accept)).toHaveLength(5);
  clock.ms += 60_000;
  expect([send('p', forged()), send('p', forged())]).toEqual([Reject, Reject]);
  clock.ms += 3_599_000;
  expect(standing.isIgnored('p', clock.ms)).toBe(true);
  expect(send('p', new Author().post())).toBe(Ignore);
  clock.ms += 2_000;
  expect(standing.isIgnored('p', clock.ms)).toBe(false);
  expect(send('p', new Author().post())).toBe(Accept);
  expect(standing.refusedPosts('p')).toBe(3);
});

test('while the store is slow gossip is dropped at 1,024 posts, and memory stays bounded', async () => {
  const { send, store, inbox, losses } = setUp();
  const slow = Promise.withResolvers<void>();
  store.gate = slow.promise;
  const answers = Array.from({ length: 1_100 }, (_, i) => send(`p${i % 5}`, new Author().post()));
  expect(answers.filter((answer) => answer === Accept)).toHaveLength(1_024);
  expect(losses).toHaveLength(76);
  let hasRoom = false;
  const room = inbox.room().then(() => {
    hasRoom = true;
  });
  expect(hasRoom).toBe(false);
  slow.resolve();
  await room;
  await inbox.settled();
  expect(store.posts.size).toBe(1_024);
  expect(store.batches).toEqual(Array(8).fill(128));
});

test('what the store refuses is not taken again for ten minutes', async () => {
  const { send, store, inbox, clock } = setUp();
  store.refuses = () => true;
  const post = new Author().post();
  expect(send('p', post)).toBe(Accept);
  await inbox.settled();
  clock.ms += 599_000;
  expect(send('p', post)).toBe(Ignore);
  clock.ms += 2_000;
  expect(send('p', post)).toBe(Accept);
  await inbox.settled();
  expect(store.received).toEqual([]);
});

test('a store that fails loses the batch, is said so, and is tried again with the next one', async () => {
  const failures: number[] = [];
  let isFull = true;
  const stored: string[] = [];
  const inbox = new Inbox(
    async (posts) => {
      if (isFull) throw new Error('the disk is full');
      stored.push(...posts.map(({ id }) => id));
      return { refused: [] };
    },
    (posts) => failures.push(posts),
    () => 1_000,
  );
  const tally = { stored: 0, refused: 0 };
  const item = (id: string) => ({ id, bytes: new Uint8Array(1), from: 'p', via: 'gossip' as const });
  inbox.add(item('a'), tally);
  inbox.add(item('b'), tally);
  await inbox.settled();
  expect(failures).toEqual([2]);
  expect(inbox.isFailing).toBe(true);
  isFull = false;
  expect(inbox.knows('a')).toBe(false);
  inbox.add(item('a'), tally);
  await inbox.settled();
  expect(inbox.isFailing).toBe(false);
  expect(stored).toEqual(['a']);
  expect(tally).toEqual({ stored: 1, refused: 2 });
});

test('a post that comes while the store takes its time does not make the next one wait', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { send, store } = setUp();
  const slow = Promise.withResolvers<void>();
  store.gate = slow.promise;
  // The time that the inbox waits before it hands over runs out for the second one while the first is being stored.
  for (let i = 0; i < 2; i++) {
    send('p', new Author().post());
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(store.batches).toEqual([]);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(store.batches).toEqual([1, 1]);
  send('p', new Author().post());
  await vi.advanceTimersByTimeAsync(50);
  expect(store.batches).toEqual([1, 1, 1]);
});

test('a few posts are handed over within a blink, without waiting for a full batch', async () => {
  const { send, store } = setUp();
  send('p', new Author().post());
  await until('it is stored', () => store.posts.size === 1, 1_000);
});

test('no bucket ever grants more than its burst and its rate allow', () => {
  const steps = fc.array(fc.integer({ min: -500, max: 2_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 50 }),
      (waits, rate, burst) => {
        const bucket = new Buckets(rate, burst);
        let [now, forward, granted] = [0, 0, 0];
        for (const wait of waits) {
          now += wait;
          forward += Math.max(0, wait);
          if (bucket.take('k', now)) granted += 1;
        }
        expect(granted).toBeLessThanOrEqual(burst + (rate * forward) / 1_000 + 1e-6);
      },
    ),
  );
});

test('own posts go out at once, 500 in a burst, and what is over the queue is left to reconciliation', async () => {
  const sent: number[] = [];
  const overflow: number[] = [];
  const clock = { ms: 0 };
  const publisher = new Publisher(
    async (post) => sent.push(post[0] ?? 0),
    (posts) => overflow.push(posts),
    () => clock.ms,
  );
  publisher.add(Uint8Array.of(42));
  expect(sent).toEqual([42]);
  for (let i = 0; i < 5_600; i++) publisher.add(Uint8Array.of(1));
  expect(sent).toHaveLength(500);
  clock.ms += 1_000;
  await until('the next second is out', () => sent.length === 1_000);
  clock.ms += 3_600_000;
  await until('some more', () => sent.length === 1_500);
  publisher.stop();
  expect(overflow).toEqual([]);
});
