import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { fitView, MAX_VIEW_BYTES, type View } from '../../src/control/index.ts';
import { EMPTY, openHouse } from './support/house.ts';

const row = (n: number, text: string): View['log']['rows'][number] => ({ at: n, level: 'info', text });

/** A change of a view: some slices, replaced. */
const change: fc.Arbitrary<Partial<View>> = fc.oneof(
  fc.record({ revision: fc.integer({ min: 1 }) }),
  fc.record({
    alerts: fc.array(
      fc.record({ code: fc.constant('halt' as const), text: fc.string(), fix: fc.constant(null) }),
    ),
  }),
  fc.record({
    log: fc
      .array(fc.string({ maxLength: 200 }), { maxLength: 50 })
      .map((texts) => ({ total: texts.length, rows: texts.map((text, n) => row(n, text)) })),
  }),
  fc.record({
    run: fc.constantFrom(null, {
      id: 'r-1',
      state: 'spawned' as const,
      outcome: null,
      cause: 'post',
      about: null,
      startedAt: 1,
      endedAt: null,
      costMicroUsd: 5,
      turns: 1,
    }),
  }),
);

test('a client ends with an equal view, whatever changed and however often', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 40 }),
      fc.array(fc.boolean(), { maxLength: 40 }),
      async (changes, pauses) => {
        const house = await openHouse();
        const controls = await (await house.connect()).watch();
        for (const [n, next] of changes.entries()) {
          house.show(next);
          if (pauses[n]) await new Promise((resolve) => setImmediate(resolve));
        }
        await vi.waitUntil(() => JSON.stringify(controls.view()) === JSON.stringify(house.view()), {
          interval: 2,
        });
        expect(controls.view()).toEqual(house.view());
      },
    ),
    { numRuns: 25 },
  );
});

test('only the slices that changed are sent', async () => {
  const house = await openHouse();
  const raw = await house.raw();
  raw.socket.write('{"id":1,"watch":true}\n');
  await vi.waitUntil(() => raw.lines.length === 3);
  expect(raw.lines.slice(1)).toEqual([{ view: EMPTY }, { id: 1, ok: null }]);
  // The same values in new objects are no change.
  house.show({ revision: 2, log: { total: 0, rows: [] }, node: { ...EMPTY.node } });
  await vi.waitUntil(() => raw.lines.length === 4);
  expect(raw.lines.at(-1)).toEqual({ view: { revision: 2 } });
});

test('who does not watch is sent no view; who went away is forgotten', async () => {
  const house = await openHouse({ calls: { ping: () => 'pong' } });
  const raw = await house.raw();
  const watching = await house.connect();
  const controls = await watching.watch();
  let told = 0;
  const stop = controls.subscribe(() => {
    told += 1;
  });
  house.show({ revision: 2 });
  await vi.waitUntil(() => told === 1);
  stop();
  house.show({ revision: 3 });
  await vi.waitUntil(() => controls.view().revision === 3);
  expect(told).toBe(1);
  watching.close();
  await vi.waitUntil(() => house.listening.count() === 1);
  house.show({ revision: 4 });
  raw.socket.write('{"id":1,"call":"ping"}\n');
  await vi.waitUntil(() => raw.lines.length === 2);
  expect(raw.lines[1]).toEqual({ id: 1, ok: 'pong' });
});

test('a view that cannot be built is a defect for the log; the client stays and gets the next one', async () => {
  const house = await openHouse();
  const controls = await (await house.connect()).watch();
  house.show({ revision: 2n as never });
  await vi.waitUntil(() => house.defects.length === 1);
  house.show({ revision: 3 });
  await vi.waitUntil(() => controls.view().revision === 3);
});

/** As many rows, and as long, as nothing else would let through. */
function enormous(): View {
  const text = '\u4e2d'.repeat(4_000);
  const many = <T>(make: (n: number) => T): { total: number; rows: T[] } => ({
    total: 1_000_000,
    rows: Array.from({ length: 200 }, (_, n) => make(n)),
  });
  const about = { id: 'f'.repeat(64), kind: 'ask', title: text };
  return {
    ...EMPTY,
    transcript: {
      runId: 'r-1',
      total: 1_000_000,
      tail: Array.from({ length: 120 }, (_, n) => ({
        n,
        at: n,
        kind: 'text' as const,
        label: null,
        text,
        omitted: 0,
      })),
    },
    drafts: many((n) => ({
      id: `d-${n}`,
      kind: 'answer',
      createdAt: n,
      expiresAt: n,
      to: about,
      runId: null,
      excerpt: text,
    })),
    queue: {
      ...many((n) => ({ id: `${n}`, cause: 'post', about, author: null, queuedAt: n, hold: text })),
      verdict: text,
      until: null,
    },
    posts: many((n) => ({
      id: `${n}`,
      author: 'a',
      kind: 'ask',
      ts: n,
      at: n,
      title: text,
      reply: false,
      own: false,
    })),
    log: many((n) => row(n, text)),
  };
}

test('a view is at most 256 KiB as it is sent, whatever it is of: lists give way, newest and most urgent stay', async () => {
  const given = enormous();
  const fitted = fitView(given);
  expect(Buffer.byteLength(JSON.stringify({ view: fitted }))).toBeLessThanOrEqual(MAX_VIEW_BYTES);
  expect(fitted.transcript.tail.at(-1)).toEqual(given.transcript.tail.at(-1));
  expect(fitted.log.rows.at(-1)).toEqual(given.log.rows.at(-1));
  expect(fitted.drafts.rows[0]).toEqual(given.drafts.rows[0]);
  expect(fitted.queue.rows[0]).toEqual(given.queue.rows[0]);
  expect(fitted.posts.total).toBe(1_000_000);
  expect(fitted.queue.verdict).toBe(given.queue.verdict);
});

test('a view that fits is left as it is', () => {
  expect(fitView(EMPTY)).toBe(EMPTY);
});
