import { setTimeout as sleep } from 'node:timers/promises';
import type { Stream } from '@libp2p/interface';
import { yamux } from '@libp2p/yamux';
import { afterEach, expect, test } from 'vitest';
import { FrameStream } from '../../src/sync/reconcile/frames.ts';
import { type RawNode, rawPeer, stopRawPeers } from './raw-peer.ts';

afterEach(stopRawPeers);

/** Both ends of a stream over a real socket, whose reader lets a mebibyte come before it has read. */
async function ends(): Promise<[FrameStream, FrameStream]> {
  const window = { initialStreamWindowSize: 1 << 20, maxStreamWindowSize: 1 << 20 };
  const nodes = [];
  for (let i = 0; i < 2; i++) nodes.push(await rawPeer({ streamMuxers: [yamux({ streamOptions: window })] }));
  const [near, far] = nodes as [RawNode, RawNode];
  const arrived = Promise.withResolvers<Stream>();
  await far.handle('/test', (stream) => arrived.resolve(stream));
  const there = await near.dialProtocol(far.getMultiaddrs(), '/test');
  const opened = new FrameStream(there);
  await opened.write(9);
  const received = new FrameStream(await arrived.promise);
  expect((await received.read()).type).toBe(9);
  return [opened, received];
}

test('a reader that is slow holds its writer back, and gets every frame, whole and in order', async () => {
  const [writer, reader] = await ends();
  const sizes = Array.from({ length: 200 }, (_, i) => (i % 7 === 0 ? 256 * 1024 - 1 : (i * 7_919) % 150_000));
  const writing = (async () => {
    for (const [i, size] of sizes.entries()) await writer.write(1 + (i % 7), Buffer.alloc(size, i));
  })();
  for (const [i, size] of sizes.entries()) {
    if (i % 2 === 0) await sleep(2);
    const { type, body } = await reader.read();
    expect([type, body.byteLength]).toEqual([1 + (i % 7), size]);
    expect(Buffer.from(body).equals(Buffer.alloc(size, i))).toBe(true);
  }
  await writing;
  expect(reader.bytesIn).toBe(writer.bytesOut);
});

test('a frame that was sent before the end is read, and after the end reading says so', async () => {
  const [writer, reader] = await ends();
  await writer.write(4, Buffer.from('last'));
  await writer.close(AbortSignal.timeout(5_000));
  expect(Buffer.from((await reader.read()).body).toString()).toBe('last');
  await expect(reader.read()).rejects.toThrow('ended');
});

test('a writer that waits for room is told when the reader goes away', async () => {
  const [writer, reader] = await ends();
  const writing = (async () => {
    for (let i = 0; i < 100; i++) await writer.write(1, Buffer.alloc(200_000));
  })();
  reader.abort(new Error('enough'));
  await expect(writing).rejects.toThrow();
});
