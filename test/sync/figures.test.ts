import { afterEach, expect, test } from 'vitest';
import type { SyncEvent } from '../../src/sync/contract.ts';
import { Author, DAY, MemoryStore, startNode, stopAll, until } from './support.ts';

afterEach(stopAll);

test('10 posts of 1 KB and of random age, missing among 100,000 of the last 400 days, cost at most 60 KB on the stream', async () => {
  const [full, poor] = [new MemoryStore(), new MemoryStore()];
  const now = Math.floor(Date.now() / 1000);
  const author = new Author();
  // Only what is missing has to be a signed post: the rest is never sent, so ids are enough.
  for (let i = 0; i < 99_990; i++) {
    const post = { ts: now - Math.floor(Math.random() * 399 * DAY), space: 'open', bytes: new Uint8Array() };
    const id = crypto.getRandomValues(Buffer.alloc(32)).toString('hex');
    full.posts.set(id, post);
    poor.posts.set(id, post);
  }
  for (let i = 0; i < 10; i++) {
    full.put(author.post({ ts: now - Math.floor(Math.random() * 399 * DAY), text: 'x'.repeat(640) }));
  }
  const sent = [...full.posts.values()].slice(-10).reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  const a = await startNode({ store: full });
  const b = await startNode({ store: poor, peers: [a.address] });
  await until('b has them', () => poor.posts.size === 100_000);
  const done = (event: SyncEvent) => event.kind === 'reconciled';
  await until('the exchange ended', () => b.events.some(done));
  const event = b.events.find(done);
  if (event?.kind !== 'reconciled') throw new Error('no exchange');
  expect(sent).toBeGreaterThanOrEqual(10_000);
  expect(event.received).toBe(10);
  expect(event.bytesIn + event.bytesOut).toBeLessThanOrEqual(60_000);
});
