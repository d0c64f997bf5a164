import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineCutter } from '../../src/mcp/lines.ts';

function cut(limit: number, chunks: readonly Buffer[]) {
  const lines: string[] = [];
  let tooLong = 0;
  const cutter = new LineCutter(
    limit,
    (line) => lines.push(line),
    () => tooLong++,
  );
  for (const chunk of chunks) cutter.push(chunk);
  return { lines, tooLong };
}

/** Cuts a buffer at random places. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((n) => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
}

test('gives the same lines however the stream is cut into pieces, also inside a character', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll(/[\r\n]/g, ' '));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 20 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      expect(cut(1000, pieces(bytes, cuts)).lines).toEqual(lines);
    }),
  );
});

test('hands over lines up to the limit, and of longer ones nothing but the fact, once each', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(24), { maxLength: 20 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      (lengths, cuts) => {
        const bytes = Buffer.from(lengths.map((n) => `${'x'.repeat(n)}\n`).join(''));
        const { lines, tooLong } = cut(12, pieces(bytes, cuts));
        expect(lines.map((text) => text.length)).toEqual(lengths.filter((n) => n <= 12));
        expect(tooLong).toBe(lengths.filter((n) => n > 12).length);
      },
    ),
  );
});

test('says that a line is too long before its end has come', () => {
  expect(cut(4, [Buffer.from('12345')])).toEqual({ lines: [], tooLong: 1 });
});

test('keeps the beginning of a line for its end and drops a carriage return', () => {
  expect(cut(10, [Buffer.from('ab'), Buffer.from('c\r\nd')]).lines).toEqual(['abc']);
});
