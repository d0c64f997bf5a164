import { expect, test } from 'vitest';
import { interleave, median, pairsOf, quantile } from '../../bench/support/measure.ts';
import { author, searchWord, seeded, signedPosts, unsignedPosts, word } from '../../bench/support/posts.ts';
import { atLeast, atMost, line } from '../../bench/support/row.ts';
import { tableOf } from '../../bench/support/table.ts';
import { encodePost, readPost } from '../../src/swarm/index.ts';

const STREAM = { posts: 1_000, authors: 5, thread: 100, from: 1_700_000_000, to: 1_700_003_600 };

test('the median of an even number of values is the mean of the middle two', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('99 of 100 values do not pass the quantile 0.99', () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect(quantile(values, 0.99)).toBe(99);
  expect(quantile(values, 0.5)).toBe(50);
});

test('a ratio is taken pair by pair, so that a slow moment of the machine falls out', () => {
  // The second pair was measured while something else ran: both took ten times as long.
  expect(pairsOf([2, 20, 2], [1, 10, 1]).ratio).toBe(2);
  // The ratio of the medians would be 3 here.
  expect(pairsOf([1, 3, 30], [1, 1, 10]).ratio).toBe(3);
  expect(pairsOf([2, 6, 30], [1, 3, 10]).ratio).toBe(2);
});

test('the two measured things take turns, and the first pair is not counted', async () => {
  const order: string[] = [];
  const turn = (name: string) => (n: number) => {
    order.push(`${name}${n}`);
    return n + 1;
  };
  const pairs = await interleave(2, turn('a'), turn('b'));
  expect(order).toEqual(['a-1', 'b-1', 'a0', 'b0', 'a1', 'b1']);
  expect(pairs.a).toEqual([1, 2]);
});

test('signed posts are 1 KB replies and roots that the protocol accepts', () => {
  const random = seeded(5);
  const authors = Array.from({ length: 5 }, () => author(random));
  const posts = [...signedPosts(random, authors, { ...STREAM, posts: 200 })];
  for (const post of posts) {
    const bytes = encodePost(post);
    expect(readPost(bytes, STREAM.to)).toMatchObject({ ok: true });
    if (post.parent !== null)
      expect(bytes.byteLength, post.kind).toBe(1_024 + post.kind.length - 'answer'.length);
  }
});

test('every thread has exactly as many posts as asked, and parents come before their replies', () => {
  const posts = [...unsignedPosts(seeded(5), ['a', 'b', 'c', 'd', 'e'], STREAM)];
  const threads = new Map<string, number>();
  const seen = new Set<string>();
  for (const { id, root, parent } of posts) {
    if (parent !== null) expect(seen.has(parent)).toBe(true);
    threads.set(root ?? id, (threads.get(root ?? id) ?? 0) + 1);
    seen.add(id);
  }
  expect(seen.size).toBe(1_000);
  expect([...threads.values()]).toEqual(Array.from({ length: 10 }, () => 100));
});

test('the same seed gives the same posts', () => {
  const draw = (seed: number) => [
    ...unsignedPosts(seeded(seed), ['a', 'b', 'c', 'd', 'e'], { ...STREAM, posts: 20 }),
  ];
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)[0]?.id).not.toBe(draw(2)[0]?.id);
});

test('words of different ranks differ, and searches are for words that posts have', () => {
  const words = new Set(Array.from({ length: 20_000 }, (_, rank) => word(rank)));
  expect(words.size).toBe(20_000);
  const random = seeded(9);
  for (let n = 0; n < 100; n++) expect(words.has(searchWord(random))).toBe(true);
});

test('a missed target is marked in its row and named at the end', () => {
  const machine = { at: '', node: '', system: '', cpu: '', cores: 2, memoryGb: 1, load: [0, 0, 0] };
  const table = tableOf([
    {
      row: 'some',
      seconds: 1,
      machine: { start: machine, end: machine },
      failure: null,
      lines: [
        line('fast thing', '1 ms', atMost(1, 2, ' ms')),
        line('slow thing', '3 ms', atMost(3, 2, ' ms')),
        line('busy thing', '5/s', atLeast(5, 4, '/s')),
        line('mere figure', '7 MB'),
      ],
    },
  ]);
  const rowOf = (what: string) => table.split('\n').find((row) => row.includes(what)) ?? '';
  expect(rowOf('fast thing')).toMatch(/≤ 2 ms\s+ok$/);
  expect(rowOf('slow thing')).toMatch(/≤ 2 ms\s+MISSED$/);
  expect(rowOf('busy thing')).toMatch(/≥ 4\/s\s+ok$/);
  expect(rowOf('mere figure')).toMatch(/7 MB$/);
  expect(table).toContain('2 of 3 targets stand; missed: slow thing');
});
