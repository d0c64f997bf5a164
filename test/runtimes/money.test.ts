import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalUsd, microUsd } from '../../src/runtimes/engine/money.ts';

test('dollars become micro-dollars, rounded up', () => {
  expect(microUsd(0)).toBe(0);
  expect(microUsd(0.009)).toBe(9000);
  expect(microUsd(0.0000001)).toBe(1);
  expect(microUsd(0.1 + 0.2)).toBe(300_000);
  expect(microUsd(1.0000004)).toBe(1_000_001);
});

test('what is no amount is no amount', () => {
  for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1_000_001, '1', null, undefined, {}])
    expect(microUsd(bad)).toBeNull();
});

test('a cap handed to a program as decimal dollars is exact', () => {
  expect(decimalUsd(400_000)).toBe('0.4');
  expect(decimalUsd(20_000)).toBe('0.02');
  expect(decimalUsd(1)).toBe('0.000001');
  expect(decimalUsd(2_000_000)).toBe('2');
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), (micro) => {
      expect(microUsd(Number(decimalUsd(micro)))).toBe(micro);
    }),
  );
});
