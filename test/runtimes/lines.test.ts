import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLines } from '../../src/runtimes/engine/lines.ts';

function split(chunks: readonly Buffer[], maxBytes = 1 << 20): { lines: string[]; tooLong: number } {
  const lines: string[] = [];
  let tooLong = 0;
  const splitter = splitLines({
    maxBytes,
    onLine: (line) => lines.push(line),
    onTooLong: () => {
      tooLong += 1;
    },
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { lines, tooLong };
}

test('lines are the same however the bytes arrive', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n') && text.isWellFormed());
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 400 })), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
      expect(split(chunks).lines).toEqual(lines);
    }),
  );
});

test('what is left without a newline is a line too', () => {
  expect(split([Buffer.from('one\ntw'), Buffer.from('o')]).lines).toEqual(['one', 'two']);
  expect(split([Buffer.from('one\n')]).lines).toEqual(['one']);
  expect(split([]).lines).toEqual([]);
});

test('a line as long as the limit passes, one byte more is reported once and nothing follows', () => {
  expect(split([Buffer.from('12345\n123456\nx\n')], 5)).toEqual({ lines: ['12345'], tooLong: 1 });
  expect(split([Buffer.from('123'), Buffer.from('456'), Buffer.from('789\nx\n')], 5)).toEqual({
    lines: [],
    tooLong: 1,
  });
  expect(split([Buffer.from('12345\n12345')], 5)).toEqual({ lines: ['12345', '12345'], tooLong: 0 });
});

test('bytes that are not UTF-8 are replaced, not fatal', () => {
  expect(split([Buffer.from([0x61, 0xff, 0x62, 0x0a])]).lines).toEqual(['a\ufffdb']);
});
