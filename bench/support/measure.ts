/** Middle of the values; the mean of the middle two of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('no values to take a median of');
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** The value that a share of all values does not pass: `quantile(values, 0.99)`. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  if (found === undefined) throw new Error('no values to take a quantile of');
  return found;
}

export interface Pairs {
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly medianA: number;
  readonly medianB: number;
  /** Median of a/b, pair by pair: what the machine does besides falls on both of a pair. */
  readonly ratio: number;
}

/** Measures two things in turns: A B A B …, after one unmeasured pair that warms both up. */
export async function interleave(
  count: number,
  a: (n: number) => number | Promise<number>,
  b: (n: number) => number | Promise<number>,
): Promise<Pairs> {
  await a(-1);
  await b(-1);
  const as: number[] = [];
  const bs: number[] = [];
  for (let n = 0; n < count; n++) {
    as.push(await a(n));
    bs.push(await b(n));
  }
  return pairsOf(as, bs);
}

export function pairsOf(a: readonly number[], b: readonly number[]): Pairs {
  const ratio = median(a.map((value, n) => value / (b[n] ?? Number.NaN)));
  return { a, b, medianA: median(a), medianB: median(b), ratio };
}

/** Milliseconds that something synchronous took. */
export function timed(act: () => unknown): number {
  const from = performance.now();
  act();
  return performance.now() - from;
}

/** Milliseconds, with as many digits as they are worth. */
export function ms(value: number): string {
  if (value >= 1_000) return `${(value / 1_000).toFixed(2)} s`;
  if (value >= 10) return `${value.toFixed(1)} ms`;
  return value >= 0.1 ? `${value.toFixed(2)} ms` : `${(value * 1_000).toFixed(1)} µs`;
}

export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const round = (value: number, digits = 3): number => Number(value.toFixed(digits));
