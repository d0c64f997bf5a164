import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeList,
  decodePick,
  decodeQuery,
  differingDays,
  encodeList,
  encodePick,
  encodeQuery,
  pickDays,
  rootOf,
  surplus,
  tagDays,
} from '../../src/sync/reconcile/days.ts';

const nonce = Buffer.from('0102030405060708', 'hex');
const day = fc.record({
  day: fc.integer({ min: 20_000, max: 20_400 }),
  count: fc.integer({ min: 1, max: 5_000 }),
  fingerprint: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});
const days = fc
  .uniqueArray(day, { selector: (each) => each.day, maxLength: 400 })
  .map((list) => list.sort((a, b) => a.day - b.day));

test('lists, queries and picks come back as they were sent', () => {
  fc.assert(
    fc.property(days, (list) => {
      const tags = tagDays(list, nonce);
      const root = rootOf(tags, nonce);
      expect(decodeList(encodeList(20_000, tags))).toEqual({ sinceDay: 20_000, tags });
      const query = decodeQuery(encodeQuery({ nonce, sinceDay: 20_000, root }));
      expect(query.sinceDay).toBe(20_000);
      expect([query.nonce, query.root].map((bytes) => Buffer.from(bytes))).toEqual([
        nonce,
        Buffer.from(root),
      ]);
      const newestFirst = list.map((each) => each.day).reverse();
      expect(decodePick(encodePick(newestFirst))).toEqual([...newestFirst].reverse());
    }),
    { numRuns: 50 },
  );
});

test('two sides agree on the root if and only if no day differs', () => {
  fc.assert(
    fc.property(days, days, fc.boolean(), (mine, other, isSame) => {
      const theirs = isSame ? mine.map((each) => ({ ...each })) : other;
      const [a, b] = [tagDays(mine, nonce), tagDays(theirs, nonce)];
      const differing = new Set(
        [...mine, ...theirs]
          .map((each) => each.day)
          .filter((d) => {
            const [x, y] = [mine.find((m) => m.day === d), theirs.find((t) => t.day === d)];
            return (
              x?.count !== y?.count ||
              !Buffer.from(x?.fingerprint ?? []).equals(y?.fingerprint ?? Buffer.alloc(1))
            );
          }),
      );
      expect(differingDays(a, b, 0)).toEqual([...differing].sort((x, y) => y - x));
      expect(Buffer.compare(rootOf(a, nonce), rootOf(b, nonce)) === 0).toBe(differing.size === 0);
    }),
    { numRuns: 50 },
  );
});

test('the newest days are picked first, as many as fit, and one at least', () => {
  const tag = Buffer.alloc(8);
  const mine = [1, 2, 3, 4].map((d) => ({ day: d, count: 10 * d, tag }));
  const theirs = [{ day: 4, count: 60, tag }];
  expect(pickDays([4, 3, 2, 1], mine, theirs, 100)).toEqual([4, 3]);
  expect(pickDays([4, 3, 2, 1], mine, theirs, 5)).toEqual([4]);
  expect(pickDays([4, 3, 2, 1], mine, theirs, 1_000)).toEqual([4, 3, 2, 1]);
  expect(surplus([4, 3], mine, theirs)).toBe(20);
});

test('a message that a stranger made up is refused or read, and never takes more than it says', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(0, 1, 2), (noise, kind) => {
      const body = Buffer.concat([Uint8Array.of(kind), noise]);
      for (const decode of [decodeList, decodePick, decodeQuery]) {
        try {
          decode(body);
        } catch (error) {
          expect((error as Error).message).toMatch(/message|number|day/);
        }
      }
    }),
    { numRuns: 1_000 },
  );
  const huge = Buffer.concat([Uint8Array.of(2), Uint8Array.of(0xff, 0x7f)]);
  expect(() => decodePick(huge)).toThrow('limit');
});
