import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  age,
  clock,
  counted,
  duration,
  nearest,
  shortId,
  shortKey,
  shortNode,
  usd,
} from '../../src/text/index.ts';

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

describe('figures', () => {
  test.each([
    [0, '0s'],
    [-5000, '0s'],
    [999, '0s'],
    [14 * SECOND, '14s'],
    [MINUTE - 1, '59s'],
    [4 * MINUTE + 59 * SECOND, '4m'],
    [HOUR - 1, '59m'],
    [23 * HOUR, '23h'],
    [48 * HOUR - 1, '47h'],
    [48 * HOUR, '2d'],
    [400 * 24 * HOUR, '400d'],
  ])('a duration of %i ms is %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  test('an age counts back from now, and a time ahead is no age', () => {
    expect(age(1_000_000, 1_000_000 + 4 * MINUTE)).toBe('4m');
    expect(age(2_000_000, 1_000_000)).toBe('0s');
  });

  test.each([
    [0, '0:00'],
    [14_999, '0:14'],
    [12 * MINUTE + 5 * SECOND, '12:05'],
    [HOUR + 2 * MINUTE + 3 * SECOND, '1:02:03'],
    [-1, '0:00'],
  ])('a clock at %i ms shows %s', (ms, words) => {
    expect(clock(ms)).toBe(words);
  });

  test.each([
    [0, '$0.00'],
    [420_000, '$0.42'],
    [3_100, '$0.0031'],
    [10_000, '$0.01'],
    [9_949, '$0.0099'],
    [9_999, '$0.01'],
    [9_950, '$0.01'],
    [50, '$0.0001'],
    [49, '<$0.0001'],
    [1, '<$0.0001'],
    [14_999, '$0.01'],
    [15_000, '$0.02'],
    [2_000_000, '$2.00'],
    [1_999_999, '$2.00'],
    [123_456_780_000, '$123456.78'],
    [-420_000, '-$0.42'],
  ])('%i micro-dollars are %s', (micro, words) => {
    expect(usd(micro)).toBe(words);
  });

  test('a cost never reads as nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (micro) => {
        expect(usd(micro)).not.toMatch(/^\$0\.0*$/);
      }),
    );
  });
});

test('a short key is 15 hex digits, 60 bits, and so is a short id', () => {
  const hex = '7f3ac21e90b4d1e5'.repeat(4);
  expect(shortKey(hex)).toBe('7f3ac21e90b4d1e');
  expect(shortId(hex)).toBe('7f3ac21e90b4d1e');
});

describe('nearest', () => {
  const words = ['approve', 'pending', 'preview', 'pause', 'run', 'runs', 'agent.max_turns', 'agent.model'];
  test.each([
    ['aprove', 'approve'],
    ['penidng', 'pending'],
    ['APPROVE', 'approve'],
    ['rnu', 'run'],
    ['ran', 'run'],
    ['agnet.max_turn', 'agent.max_turns'],
    ['prev', 'preview'],
    ['agent.max', 'agent.max_turns'],
    ['agent.modle', 'agent.model'],
    ['r', 'run'],
  ])('%s is taken for %s', (typed, meant) => {
    expect(nearest(typed, words)).toBe(meant);
  });

  test.each(['', 'xyz', 'ab', 'completely-different', 'aqprrovve'])('%j is near nothing', (typed) => {
    expect(nearest(typed, words)).toBeUndefined();
  });

  test('a known word is its own nearest', () => {
    fc.assert(
      fc.property(fc.constantFrom(...words), (word) => {
        expect(nearest(word, words)).toBe(word);
      }),
    );
  });
});

test('a node is told apart by what its id does not share with every other', () => {
  expect(shortNode('12D3KooWS74Aa4eKJzXs5rRqkhuMinNasyp1Lcy6RVUVz1RabctD')).toBe('S74Aa4eKJzXs5rR');
  expect(shortNode('QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N')).toBe('QmYyQSo1c1Ym7or');
});

test('a count that stopped early says so', () => {
  expect(counted({ total: 12 })).toBe('12');
  expect(counted({ total: 1000, isMore: true })).toBe('1000+');
});
