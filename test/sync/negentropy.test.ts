import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkMessage, Reconciliation, type Row } from '../../src/sync/reconcile/negentropy.ts';

const hex = (id: Uint8Array) => Buffer.from(id).toString('hex');
const inOrder = (rows: Row[]) => rows.sort((a, b) => a.ts - b.ts || Buffer.compare(a.id, b.id));

/** Both sides answer each other until one has nothing to say, as an exchange does. */
function reconcile(left: Row[], right: Row[]) {
  const [a, b] = [new Reconciliation(inOrder(left)), new Reconciliation(inOrder(right))];
  let message: Uint8Array | null = a.initiate();
  let rounds = 0;
  let bytes = 0;
  for (let side = b; message !== null; side = side === a ? b : a, rounds++) {
    if (rounds > 200) throw new Error('no end');
    bytes += message.byteLength;
    message = side.answer(message);
  }
  // What a side has and the other lacks, as far as either learnt.
  return {
    onlyLeft: new Set([...a.have, ...b.need]),
    onlyRight: new Set([...b.have, ...a.need]),
    rounds,
    bytes,
  };
}

test('the library is the version that this fuzz was made for', () => {
  const { version } = JSON.parse(readFileSync('node_modules/nostr-tools/package.json', 'utf8'));
  // After an update: run this file with more runs, then change the number.
  expect(version).toBe('2.25.2');
});

test('two sets learn exactly what differs, whatever the shape', () => {
  const row = fc.record({
    ts: fc.oneof(
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.integer({ min: 1_700_000_000, max: 1_700_000_050 }),
    ),
    id: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  });
  const rows = fc.uniqueArray(row, { maxLength: 400, selector: ({ id }) => hex(id), size: 'max' });
  fc.assert(
    fc.property(
      rows,
      fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
      fc.integer({ min: 0, max: 9 }),
      (all, dice, share) => {
        const [left, right]: [Row[], Row[]] = [[], []];
        const [onlyLeft, onlyRight] = [new Set<string>(), new Set<string>()];
        for (const each of all) {
          const roll = dice.next().value;
          const where = roll > share ? 'both' : roll % 2 === 0 ? 'left' : 'right';
          if (where !== 'right') left.push(each);
          if (where !== 'left') right.push(each);
          if (where === 'left') onlyLeft.add(hex(each.id));
          if (where === 'right') onlyRight.add(hex(each.id));
        }
        const result = reconcile(left, right);
        expect(result.onlyLeft).toEqual(onlyLeft);
        expect(result.onlyRight).toEqual(onlyRight);
      },
    ),
    { numRuns: 200 },
  );
});

test('large sets with many differences agree within 64 rounds, over several frames', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({
    ts: 1_700_000_000 + i,
    id: new Uint8Array(crypto.getRandomValues(Buffer.alloc(32))),
  }));
  const left = rows.filter((_, i) => i % 3 !== 0);
  const right = rows.filter((_, i) => i % 3 !== 1);
  const result = reconcile(left, right);
  expect(result.onlyLeft).toEqual(new Set(rows.filter((_, i) => i % 3 === 1).map(({ id }) => hex(id))));
  expect(result.onlyRight).toEqual(new Set(rows.filter((_, i) => i % 3 === 0).map(({ id }) => hex(id))));
  expect(result.rounds).toBeLessThanOrEqual(64);
  expect(result.bytes).toBeGreaterThan(250_000);
});

test('ids that are views into a shared buffer are read right', () => {
  const pool = crypto.getRandomValues(new Uint8Array(96));
  const rows = [0, 1, 2].map((i) => ({ ts: 5, id: pool.subarray(i * 32, i * 32 + 32) }));
  const own = rows.slice(0, 2).map(({ ts, id }) => ({ ts, id: Uint8Array.from(id) }));
  expect(reconcile(rows, own)).toMatchObject({
    onlyLeft: new Set([hex(pool.subarray(64))]),
    onlyRight: new Set(),
  });
});

test('no bytes of a stranger crash or stall a side, and what it writes itself passes its own check', () => {
  const rows = Array.from({ length: 100 }, (_, i) => ({ ts: 1_000 + i, id: new Uint8Array(32).fill(i) }));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
      const side = new Reconciliation(rows);
      try {
        side.answer(Buffer.concat([Uint8Array.of(0x61), noise]));
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(() => checkMessage(new Reconciliation(rows).initiate())).not.toThrow();
});
