import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { EMPTY, openHouse, rawClient } from './support/house.ts';

test.each([
  ['no JSON', 'hello\n'],
  ['a number', '7\n'],
  ['null', 'null\n'],
  ['a list', '[1]\n'],
  ['a request without an id', '{"watch":true}\n'],
  ['an id that is no number', '{"id":"1","watch":true}\n'],
  ['a line over a megabyte', `{"id":1,"call":"${'x'.repeat(1 << 20)}"}\n`],
  ['a line that never ends', 'x'.repeat((1 << 20) + 1)],
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x0a])],
])('%s ends the connection, and nothing else', async (_name, bytes) => {
  const house = await openHouse();
  const good = await house.connect();
  const raw = await house.raw();
  raw.socket.write(bytes);
  await raw.closed;
  expect(await (await good.watch()).send('k', { do: 'run' })).toMatchObject({ ok: true });
  expect(house.defects).toEqual([]);
});

test('a request of a shape that nobody knows is answered under its id', async () => {
  const house = await openHouse();
  const raw = await house.raw();
  for (const request of [
    '{"id":1}',
    '{"id":2,"page":{"page":"moon"}}',
    '{"id":3,"page":{"page":"draft"}}',
    '{"id":4,"intent":{"do":"run"}}',
  ]) {
    raw.socket.write(`${request}\n`);
  }
  await vi.waitUntil(() => raw.lines.length === 5);
  expect(raw.lines.slice(1)).toEqual(
    [1, 2, 3, 4].map((id) => ({ id, error: expect.objectContaining({ code: 'protocol' }) })),
  );
  expect(house.done).toEqual([]);
});

test('requests may come in any pieces, several in one, with characters cut in half', async () => {
  const house = await openHouse({ calls: { echo: ({ text }) => text } });
  const words = ['héllo', '中文', '👩‍💻', 'plain'];
  const bytes = Buffer.from(
    words.map((text, id) => `${JSON.stringify({ id, call: 'echo', args: { text } })}\n`).join('\n'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 8 }),
      async (cuts) => {
        const raw = await house.raw();
        const at = [0, ...[...new Set(cuts)].sort((a, b) => a - b), bytes.length];
        for (let n = 1; n < at.length; n++) {
          raw.socket.write(bytes.subarray(at[n - 1], at[n]));
          await new Promise((resolve) => setImmediate(resolve));
        }
        await vi.waitUntil(() => raw.lines.length === 1 + words.length, { interval: 1 });
        expect(raw.lines.slice(1).map(({ ok }) => ok)).toEqual(words);
        raw.socket.destroy();
      },
    ),
    { numRuns: 30 },
  );
});

test('a client that goes away in the middle of a call, or of a line, does not matter', async () => {
  let finish: () => void = () => {};
  const house = await openHouse({
    calls: {
      slow: () =>
        new Promise<string>((resolve) => {
          finish = () => resolve('too late');
        }),
    },
  });
  const raw = await house.raw();
  raw.socket.write('{"id":1,"call":"slow"}\n{"id":2,"wat');
  await vi.waitUntil(() => raw.lines.length === 1);
  await vi.waitUntil(() => house.listening.count() === 1);
  raw.socket.destroy();
  await vi.waitUntil(() => house.listening.count() === 0);
  finish();
  expect(await (await (await house.connect()).watch()).send('k', { do: 'run' })).toMatchObject({ ok: true });
  expect(house.defects).toEqual([]);
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that this process holds, the daemon's end of every socket with them, once garbage is gone. */
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('a client that watches and does not read costs no more than one view; when it reads, it gets the newest', async () => {
  const house = await openHouse();
  const raw = await rawClient(house.path);
  raw.socket.write('{"id":1,"watch":true}\n');
  await vi.waitUntil(() => raw.lines.length === 3);
  raw.socket.pause();
  const view = (n: number) => ({
    revision: n,
    log: { total: n, rows: [{ at: n, level: 'info' as const, text: 'x'.repeat(100_000) + n }] },
  });
  for (let n = 2; n < 20; n++) house.show(view(n)); // fills what the kernel takes
  const before = held();
  for (let n = 20; n < 2_000; n++) house.show(view(n));
  // Two hundred megabytes were not sent; whatever is kept is far less.
  expect(held() - before).toBeLessThan(20_000_000);
  raw.socket.resume();
  await vi.waitUntil(() =>
    raw.lines.some((line) => (line['view'] as { revision?: number } | undefined)?.revision === 1_999),
  );
  expect(raw.lines.length).toBeLessThan(60);
});

test('a client that asks and does not read is not read from any more, and costs no more than a few answers', async () => {
  let calls = 0;
  const house = await openHouse({
    calls: {
      large: () => {
        calls += 1;
        return 'x'.repeat(100_000);
      },
    },
  });
  const raw = await rawClient(house.path);
  raw.socket.pause();
  let asked = 0;
  // As many as the kernel takes: then the daemon has stopped reading.
  while (asked < 200_000 && raw.socket.write(`${JSON.stringify({ id: ++asked, call: 'large' })}\n`)) {
    if (asked % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const other = await house.connect();
  await other.call('large');
  await other.call('large');
  expect(calls).toBeLessThan(200);
  const stuck = calls;
  raw.socket.resume();
  await vi.waitUntil(() => calls > stuck + 100);
});

test('a thousand requests in one piece are all answered, in turn with those of others', async () => {
  const house = await openHouse({ calls: { count: ({ n }) => n } });
  const raw = await house.raw();
  raw.socket.write(
    Array.from(
      { length: 1_000 },
      (_, id) => `${JSON.stringify({ id, call: 'count', args: { n: id } })}\n`,
    ).join(''),
  );
  await vi.waitUntil(() => raw.lines.length === 1_001);
  expect(raw.lines.slice(1).map(({ ok }) => ok)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
});

test('closing sends what is written already, then ends every connection', async () => {
  const house = await openHouse({ calls: { large: () => 'x'.repeat(1_000_000) } });
  const client = await house.connect();
  const answer = client.call('large');
  await vi.waitUntil(() => house.listening.count() === 1);
  const got = answer.then((text) => String(text).length);
  await new Promise((resolve) => setTimeout(resolve, 0));
  await house.listening.close();
  expect(await got.catch(() => 'lost')).toBe(1_000_000);
  await client.closed;
  expect(house.view()).toBe(EMPTY);
});
