import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type VisibleMode, visible } from '../../src/text/index.ts';
import { ESCAPES, UNSEEN } from '../support/terminal-attacks.ts';

const modes: VisibleMode[] = ['line', 'block'];

/** Everything that does harm or hides, by number: written from the Unicode charts, not from the code under test. */
const HOSTILE: [number, number][] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xe000, 0xf8ff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
  [0xf0000, 0x10ffff],
];
const ALLOWED_IN_CONTEXT = new Set([0x200c, 0x200d, 0xfe0f]);

function isHostile(code: number): boolean {
  return HOSTILE.some(([from, to]) => code >= from && code <= to);
}

/** Strings made mostly of what attacks are made of, in every order. */
const nasty = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...HOSTILE).chain(([a, b]) => fc.integer({ min: a, max: b })) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x10ffff }) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ...[0x200c, 0x200d, 0xfe0f, 0xfe0e, 0x20e3, 0x0d, 0x0a, 0x09, 0x1b],
          ...[0x61, 0x31, 0x301, 0x94d, 0x915, 0x937, 0x645, 0x6cc, 0x9b0, 0x9cd, 0xd4d],
          ...[0x1f3f4, 0xe0067, 0xe007f, 0x1f468, 0x1f469, 0x2764, 0x1f525, 0x1f44d, 0x1f3fd, 0x1f1e9],
          ...[0x1f1ea, 0x26a1, 0x1100, 0x1161, 0x11a8, 0xac00, 0x600, 0x2139, 0x1780, 0x17b4],
        ),
      },
    ),
    { maxLength: 60 },
  )
  .map((codes) => codes.map((code) => String.fromCodePoint(code)).join(''));
const anything = fc.oneof(
  nasty,
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.string({ maxLength: 100 }),
);

describe('visible, whatever comes in', () => {
  test.each(modes)('lets no hostile code point through (%s)', (mode) => {
    fc.assert(
      fc.property(anything, (text) => {
        const codes = [...visible(text, mode)].map((char) => char.codePointAt(0) ?? 0);
        const through = codes.filter(
          (code) => isHostile(code) && !ALLOWED_IN_CONTEXT.has(code) && !(mode === 'block' && code === 0x0a),
        );
        expect(through).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  test('keeps joiners and U+FE0F only beside a letter or a picture', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const chars = [...visible(text, 'line')];
        chars.forEach((char, i) => {
          const before = chars[i - 1] ?? '';
          const after = chars[i + 1] ?? '';
          if (char === '\uFE0F') expect(before).toMatch(/[\p{Extended_Pictographic}0-9#*]/u);
          if (char === '\u200C') expect(before + after).toMatch(/^[\p{L}\p{M}]{2}$/u);
          if (char === '\u200D')
            expect(before + after).toMatch(
              /^([\p{L}\p{M}]{2}|(\p{Extended_Pictographic}|\uFE0F|\p{Emoji_Modifier})\p{Extended_Pictographic})$/u,
            );
        });
      }),
      { numRuns: 3000 },
    );
  });

  test.each(modes)('changes nothing the second time (%s)', (mode) => {
    fc.assert(
      fc.property(anything, (text) => {
        const once = visible(text, mode);
        expect(visible(once, mode)).toBe(once);
      }),
      { numRuns: 5000 },
    );
  });

  test('is well-formed, and one row in line mode', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const row = visible(text, 'line');
        expect(row.isWellFormed()).toBe(true);
        expect(row).not.toMatch(/[\r\n\v\f\u0085\u2028\u2029]/);
      }),
    );
  });

  test('never stacks more than eight marks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '\u0301', '\u0489', '\u200d', '\u20dd', 'क', '्')),
        (parts) => {
          expect(visible(parts.join(''), 'line')).not.toMatch(/\p{M}{9}/u);
        },
      ),
    );
  });

  test.each(modes)('leaves printable ASCII alone (%s)', (mode) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(visible(text, mode)).toBe(text);
      }),
    );
  });

  test('answers for megabytes of the worst text', () => {
    for (const worst of ['\u200b', '\u0301', 'a', '\u200d', '👍', '\u{e0041}', '\x1b[']) {
      expect(visible(worst.repeat(500_000), 'line').length).toBeGreaterThan(5);
    }
  });
});

describe('visible, of texts that attack terminals', () => {
  test.each(Object.entries({ ...ESCAPES, ...UNSEEN }))('nothing is left of what %s', (_, attack) => {
    for (const mode of modes) {
      const codes = [...visible(attack, mode)].map((char) => char.codePointAt(0) ?? 0);
      expect(codes.filter((code) => isHostile(code) && !ALLOWED_IN_CONTEXT.has(code))).toEqual([]);
    }
  });
});

describe('visible, as people see it', () => {
  test.each([
    ['naïve café, Zoë', 'naïve café, Zoë'],
    ['日本語のテキスト。한국어 텍스트', '日本語のテキスト。한국어 텍스트'],
    ['שלום ומה שלומך', 'שלום ומה שלומך'],
    ['price: 5 € – “quoted” … ∑ ≤ →', 'price: 5 € – “quoted” … ∑ ≤ →'],
    ['नमस्ते', 'नमस्ते'],
    ['a\u0301 e\u0302\u0323', 'a\u0301 e\u0302\u0323'],
  ])('text of any language stays as it is: %s', (text, same) => {
    expect(visible(text, 'line')).toBe(same);
  });

  test('shows an escape sequence instead of obeying it', () => {
    expect(visible('\x1b[31mred\x1b[0m', 'line')).toBe('␛[31mred␛[0m');
    expect(visible('\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x07', 'line')).toBe(
      '␛]8;;https://evil.example␛\\here␛]8;;␇',
    );
    expect(visible('\u009b31m', 'line')).toBe('⟨U+009B⟩31m');
  });

  test('shows controls by their symbols', () => {
    expect(visible('\0\b\x7f', 'line')).toBe('␀␈␡');
    expect(visible('50%\r100%', 'block')).toBe('50%␍100%');
  });

  test('a newline is shown in a line, and kept in a block, CR LF once', () => {
    expect(visible('a\nb\r\nc', 'line')).toBe('a⏎b⏎c');
    expect(visible('a\nb\r\nc', 'block')).toBe('a\nb\nc');
    expect(visible('a\u2028b', 'block')).toBe('a⟨U+2028⟩b');
  });

  test('a tab is four spaces', () => {
    expect(visible('\tx', 'block')).toBe('    x');
  });

  test('shows what reorders a row', () => {
    expect(visible('user\u202Etxt.exe\u202C', 'line')).toBe('user⟨U+202E⟩txt.exe⟨U+202C⟩');
    expect(visible('a\u200Fb\u061Cc\u2066d', 'line')).toBe('a⟨U+200F⟩b⟨U+061C⟩c⟨U+2066⟩d');
  });

  test('shows text hidden in tag characters, variation selectors and fillers', () => {
    expect(visible('hi\u{E0041}\u{E0062}', 'line')).toBe('hi⟨U+E0041⟩⟨U+E0062⟩');
    expect(visible('x\uFE00\u{E0100}', 'line')).toBe('x⟨U+FE00⟩⟨U+E0100⟩');
    expect(visible('\u3164\u115F\u00AD\uFEFF\u2060', 'line')).toBe(
      '⟨U+3164⟩⟨U+115F⟩⟨U+00AD⟩⟨U+FEFF⟩⟨U+2060⟩',
    );
    expect(visible('🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}', 'line')).toMatch(
      /^🏴⟨U\+E0067⟩/u,
    );
  });

  test.each(['❤️', '⚡️', '1️⃣', '👨‍👩‍👧‍👦', '🏳️‍🌈', '👍🏽', '🇩🇪', '😀'])('keeps the emoji %s whole', (emoji) => {
    expect(visible(`so ${emoji} so`, 'line')).toBe(`so ${emoji} so`);
  });

  test('a joiner outside an emoji or a script is shown', () => {
    expect(visible('a\u200Db', 'line')).toBe('a⟨U+200D⟩b');
    expect(visible('pay\u200Cpal', 'line')).toBe('pay⟨U+200C⟩pal');
    expect(visible('👍\u200D👍', 'line')).toBe('👍⟨U+200D⟩👍');
    expect(visible('x\uFE0F', 'line')).toBe('x⟨U+FE0F⟩');
    expect(visible('مي\u200C', 'line')).toBe('مي⟨U+200C⟩');
    expect(visible('مي\u200C\u200Cخ', 'line')).toBe('مي⟨U+200C⟩⟨U+200C⟩خ');
  });

  test('a joiner before a letter that is itself unseen is shown', () => {
    expect(visible('ក\u200C\u17B4', 'line')).toBe('ក⟨U+200C⟩⟨U+17B4⟩');
  });

  test.each(['می\u200Cخواهم', 'ක්\u200Dෂ', 'র\u200D্য', 'क्\u200Cष'])(
    'scripts keep the joiners they need: %s',
    (text) => {
      expect(visible(text, 'line')).toBe(text);
    },
  );

  test('counts marks past the eighth', () => {
    expect(visible(`a${'\u0301'.repeat(8)}`, 'line')).toBe(`a${'\u0301'.repeat(8)}`);
    expect(visible(`a${'\u0301'.repeat(1000)}b`, 'line')).toBe(`a${'\u0301'.repeat(8)}⟨+992 marks⟩b`);
  });

  test.each(['', '\u200D'])('counts marks piled on an emoji, whatever else is there', (other) => {
    const piled = visible(`❤\uFE0F${'\u0301'.repeat(9)}${other}`, 'line');
    expect(piled.startsWith(`❤\uFE0F${'\u0301'.repeat(8)}⟨+1 marks⟩`)).toBe(true);
  });

  test('does not let Hangul letters pile up in one cell', () => {
    expect(visible('\u1100\u1161\u11A8', 'line')).toBe('\u1100\u1161\u11A8');
    expect(visible('\u1100\u1100\u1100', 'line')).toBe('\u1100⟨U+1100⟩\u1100');
    expect(visible(`가${'\u1161'.repeat(10)}`, 'line')).toBe(`가${'\u1161'.repeat(8)}⟨+2 marks⟩`);
  });

  test('half of a surrogate pair becomes the replacement character', () => {
    expect(visible('a\uD83Db', 'line')).toBe('a\uFFFDb');
  });
});
