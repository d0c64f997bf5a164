import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellWidth, excerpt, pad, truncate, visible, wrapText } from '../../src/text/index.ts';

const segmenter = new Intl.Segmenter('und');
const graphemesOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

/** What reaches a cell: rows that were made visible, with wide, combining, joined and right-to-left characters. */
const pieces = [
  'a',
  'word',
  ' ',
  '  ',
  '日本',
  '한',
  '👍🏽',
  '👨‍👩‍👧‍👦',
  'e\u0301',
  '🇩🇪',
  'क्ष',
  'שלום',
  '1️⃣',
  '\u0301',
  '\u1100',
  '\t',
  '\x1b[1m',
];
const row = fc
  .oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
    fc.string(),
  )
  .map((text) => visible(text, 'line'));
const width = fc.integer({ min: 0, max: 50 });

describe('cellWidth', () => {
  test.each([
    ['', 0],
    ['plain', 5],
    ['日本語', 6],
    ['e\u0301', 1],
    ['👍', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['🇩🇪', 2],
    ['한국', 4],
    ['שלום', 4],
    ['…⏎␛⟨⟩', 5],
  ])('%j takes %i cells', (text, cells) => {
    expect(cellWidth(text)).toBe(cells);
  });
});

describe('truncate', () => {
  test.each([
    ['hello world', 8, 'hello w…'],
    ['hello', 5, 'hello'],
    ['hello', 1, '…'],
    ['hello', 0, ''],
    ['日本語です', 6, '日本…'],
    ['日本語です', 5, '日本…'],
    ['👨‍👩‍👧‍👦👍', 3, '👨‍👩‍👧‍👦…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ])('%j in %i cells is %j', (text, cells, cut) => {
    expect(truncate(text, cells)).toBe(cut);
  });

  test('keeps both ends when cut in the middle', () => {
    expect(truncate('/home/me/project/file.ts', 11, { from: 'middle' })).toBe('/home…le.ts');
    expect(truncate('abcdef', 2, { from: 'middle' })).toBe('a…');
    expect(truncate('日本語日本語', 8, { from: 'middle' })).toBe('日本…語');
    expect(truncate('short', 11, { from: 'middle' })).toBe('short');
  });

  test.each(['end', 'middle'] as const)('is never wider than asked, and whole when it fits (%s)', (from) => {
    fc.assert(
      fc.property(row, width, (text, cells) => {
        const cut = truncate(text, cells, { from });
        expect(cellWidth(cut)).toBeLessThanOrEqual(cells);
        if (cells > 0 && cellWidth(text) <= cells) expect(cut).toBe(text);
        else if (cells > 0) expect(cut).toContain('…');
      }),
      { numRuns: 2000 },
    );
  });

  test('splits no grapheme', () => {
    fc.assert(
      fc.property(row, width, (text, cells) => {
        const cut = truncate(text, cells);
        if (cut === text || cut === '') return;
        const kept = cut.slice(0, -1);
        const whole = graphemesOf(text);
        const starts = new Set(whole.map((_, i) => whole.slice(0, i).join('').length));
        expect(text.startsWith(kept)).toBe(true);
        expect(starts.has(kept.length)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('pad', () => {
  test('fills on the free side', () => {
    expect(pad('ab', 5)).toBe('ab   ');
    expect(pad('ab', 5, 'right')).toBe('   ab');
    expect(pad('ab', 5, 'center')).toBe(' ab  ');
    expect(pad('日本語', 4)).toBe('日… ');
  });

  test('is exactly as wide as asked', () => {
    fc.assert(
      fc.property(row, width, fc.constantFrom('left', 'right', 'center'), (text, cells, align) => {
        expect(cellWidth(pad(text, cells, align))).toBe(cells);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('wrapText', () => {
  test.each([
    ['one two three', 7, ['one two', 'three']],
    ['one two three', 20, ['one two three']],
    ['supercalifragilistic', 8, ['supercal', 'ifragili', 'stic']],
    ['a supercalifragilistic', 8, ['a', 'supercal', 'ifragili', 'stic']],
    ['one\n\ntwo', 10, ['one', '', 'two']],
    ['    indented text here', 12, ['    indented', 'text here']],
    ['日本語の文章', 5, ['日本', '語の', '文章']],
    ['ab日本', 4, ['ab日', '本']],
    ['one       two', 5, ['one', 'two']],
    ['', 5, ['']],
  ])('%j in %i cells', (text, cells, rows) => {
    expect(wrapText(text, cells)).toEqual(rows);
  });

  test('no row is wider than asked, and nothing but spaces is lost', () => {
    const block = fc.array(row, { maxLength: 4 }).map((rows) => rows.join('\n'));
    fc.assert(
      fc.property(block, fc.integer({ min: 2, max: 40 }), (text, cells) => {
        const rows = wrapText(text, cells);
        for (const line of rows) expect(cellWidth(line)).toBeLessThanOrEqual(cells);
        const bare = (value: string) => value.replaceAll(/[ \n]/g, '');
        expect(bare(rows.join(''))).toBe(bare(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('splits a grapheme only when it is wider than a row', () => {
    const conjunct = `${'क्'.repeat(6)}ष`;
    for (const line of wrapText(conjunct, 4)) expect(cellWidth(line)).toBeLessThanOrEqual(4);
    expect(wrapText('👨‍👩‍👧‍👦'.repeat(3), 4)).toEqual(['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦']);
  });

  test('refuses a width that a wide character cannot fit in', () => {
    expect(() => wrapText('x', 1)).toThrow(RangeError);
    expect(() => wrapText('x', Number.NaN)).toThrow(RangeError);
  });
});

describe('excerpt', () => {
  test('is the first line with something on it, made visible and cut', () => {
    expect(excerpt('\n  \n\u2800\n  Use WAL\u202E mode \nsecond', 40)).toBe('Use WAL⟨U+202E⟩ mode');
    expect(excerpt('a long first line\nsecond', 7)).toBe('a long…');
    expect(excerpt(' \n ', 7)).toBe('');
  });

  test('is one visible row whatever comes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), width, (text, cells) => {
        const line = excerpt(text, cells);
        expect(cellWidth(line)).toBeLessThanOrEqual(cells);
        expect(visible(line, 'line')).toBe(line);
      }),
    );
  });
});
