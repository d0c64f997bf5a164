import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thumbOf } from '../../components/cells/frame.ts';

test.each([
  // On screen, of how much, in how many rows: which rows have the bar.
  [0, 10, 100, 10, [0, 1]],
  [90, 100, 100, 10, [9, 10]],
  [45, 55, 100, 10, [5, 6]],
  [0, 50, 100, 10, [0, 5]],
  [50, 100, 100, 10, [5, 10]],
  [1, 11, 100_000, 10, [1, 2]],
  [99_989, 99_999, 100_000, 10, [8, 9]],
])('from %i to %i of %i in %i rows the bar is at %j', (from, to, of, height, rows) => {
  const thumb = thumbOf({ from, to, of }, height);
  expect([thumb.from, thumb.to]).toEqual(rows);
});

test('what is wholly on screen has no bar, nor has a frame of two rows', () => {
  for (const [seen, height] of [
    [{ from: 0, to: 10, of: 10 }, 10],
    [{ from: 0, to: 0, of: 0 }, 10],
    [{ from: 0, to: 2, of: 10 }, 2],
    [null, 10],
  ] as const)
    expect(thumbOf(seen, height)).toEqual({ from: 0, to: 0 });
});

test('the bar touches an edge only where nothing is beyond it, and moves down as one scrolls down', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 60 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 100_000 }),
      (height, shown, hidden) => {
        const of = shown + hidden;
        const at = (from: number) => thumbOf({ from, to: from + shown, of }, height);
        expect(at(0).from).toBe(0);
        expect(at(hidden).to).toBe(height);
        let before = -1;
        for (let step = 0; step <= 20; step += 1) {
          const from = Math.round((hidden * step) / 20);
          const thumb = at(from);
          expect(thumb.from).toBeGreaterThanOrEqual(before);
          expect(thumb.to).toBeLessThanOrEqual(height);
          expect(thumb.to).toBeGreaterThan(thumb.from);
          // With two rows to spare both edges can be told from the middle.
          if (height - (thumb.to - thumb.from) >= 2 && from > 0 && from < hidden) {
            expect(thumb.from).toBeGreaterThan(0);
            expect(thumb.to).toBeLessThan(height);
          }
          before = thumb.from;
        }
      },
    ),
  );
});
