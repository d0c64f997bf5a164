/**
 * `line`: the result is one row, a newline is shown as `⏎`. `block`: newlines stay, the caller lays out rows.
 */
export type VisibleMode = 'line' | 'block';

/** Marks that may follow one another on one base; more than any script needs, far from what leaves the row. */
const MAX_MARKS = 8;
const TAB = '    ';

/** Negated and without a quantifier: `^[…]*$` overflows V8's stack on a text of some megabytes. */
const NOT_PLAIN_LINE = /[^\x20-\x7e]/;
const NOT_PLAIN_BLOCK = /[^\x20-\x7e\n]/;
/**
 * Letters, digits and punctuation that go out in one piece: most of any text in any language, and none of it
 * begins an emoji unless U+FE0F follows.
 */
const ORDINARY =
  /[[\x20-\x7e\p{L}\p{N}\p{P}]--[\p{Default_Ignorable_Code_Point}\u{1100}-\u{11FF}\u{A960}-\u{A97C}\u{D7B0}-\u{D7FB}]]+(?!\u{FE0F})/vy;

/**
 * What is never shown as it is: category "Other" (controls, format characters and with them every bidirectional
 * control and tag, surrogates, private use, unassigned), whatever fonts leave out (default ignorable: fillers,
 * joiners, variation selectors), and the two separators that some terminals take for a line break.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/v;

/**
 * Whatever shares the cell of the character before it: marks, and the vowels and finals of conjoining Hangul.
 * U+FE0F stays after a pictograph only, so it can't pile up.
 */
const MARK = /[[\p{M}--\u{FE0F}]\u{1160}-\u{11FF}\u{D7B0}-\u{D7FB}]/v;
const HANGUL_INITIAL = /[\u{1100}-\u{115E}\u{A960}-\u{A97C}]/v;

const EMOJI = /\p{RGI_Emoji}/vy;
const TAG = /[\u{E0000}-\u{E007F}]/v;
const PICTOGRAPH = /\p{Extended_Pictographic}/v;

/** Scripts in which U+200C and U+200D choose between forms of a letter. */
const JOINING_SCRIPTS = [
  'Arabic',
  'Syriac',
  'Nko',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
].map((script) => new RegExp(`[\\p{Script=${script}}&&[\\p{L}\\p{M}]]`, 'v'));
const LETTER = /\p{L}/v;

/**
 * A stranger's text, safe for a screen, a log line, a tool result: nothing in it moves the cursor, starts an
 * escape sequence, reorders the row or stays unseen.
 *
 * - Lone surrogates become U+FFFD; a tab becomes four spaces; CR LF counts as one newline.
 * - C0 controls and DEL are shown by their symbols (`␛[31m` for a colour), everything else that can't be seen
 *   by its code point (`⟨U+202E⟩`).
 * - U+FE0F stays after a pictograph, U+200D inside an emoji of Unicode's recommended set, U+200C and U+200D
 *   between two letters of one script that needs them.
 * - Of more than eight marks on one base the rest is counted: `⟨+992 marks⟩`.
 *
 * `visible(visible(x, m), m)` is `visible(x, m)`. Never throws. Plain text comes back as the same string.
 */
export function visible(text: string, mode: VisibleMode): string {
  if (!(mode === 'line' ? NOT_PLAIN_LINE : NOT_PLAIN_BLOCK).test(text)) return text;

  const input = text.toWellFormed();
  // The table of emoji takes 30 ms to load, and says nothing new of an emoji without a joiner or a keycap.
  const sequences = input.includes('\u200D') || input.includes('\u20E3');
  let out = '';
  /** The last code point put out, by which the next one is judged: a second pass then sees what this one saw. */
  let before = '';
  let marks = 0;
  for (let at = 0; at < input.length; ) {
    const whole = ordinaryAt(input, at) ?? (sequences ? emojiAt(input, at) : undefined);
    if (whole !== undefined) {
      out += whole;
      before = lastCodePoint(whole);
      marks = 0;
      at += whole.length;
      continue;
    }

    const char = String.fromCodePoint(input.codePointAt(at) ?? 0xfffd);
    at += char.length;
    if (char === '\r' && input[at] === '\n') continue;

    const shown = show(char, before, input, at, mode);
    if (shown === char && MARK.test(char)) {
      marks += 1;
      if (marks > MAX_MARKS) {
        const run = marksFrom(input, at);
        out += `⟨+${run.count + 1} marks⟩`;
        at = run.end;
        before = '⟩';
        marks = 0;
        continue;
      }
    } else if (shown !== char || !isJoiner(char)) {
      marks = 0;
    }
    out += shown;
    before = shown === char ? char : '⟩';
  }
  return out;
}

/** What stands for one code point; the code point itself when it may stay. */
function show(char: string, before: string, input: string, next: number, mode: VisibleMode): string {
  if (char === '\n') return mode === 'line' ? '⏎' : char;
  if (char === '\t') return TAB;
  if (HANGUL_INITIAL.test(char)) return HANGUL_INITIAL.test(before) ? codePoint(char) : char;
  if (!UNSEEN.test(char)) return char;
  if (char === '\uFE0F' && PICTOGRAPH.test(before)) return char;
  if (isJoiner(char) && joins(before, input, next)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : codePoint(char);
}

function codePoint(char: string): string {
  return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

function isJoiner(char: string): boolean {
  return char === '\u200C' || char === '\u200D';
}

/**
 * A joiner has a letter on one side and a letter or a mark (a virama) of the same script on the other.
 * Two marks are not enough, or joiners would let a run of marks go on for ever.
 */
function joins(before: string, input: string, next: number): boolean {
  const code = input.codePointAt(next);
  if (before === '' || code === undefined) return false;
  const after = String.fromCodePoint(code);
  if (UNSEEN.test(after) || !(LETTER.test(before) || LETTER.test(after))) return false;
  return JOINING_SCRIPTS.some((script) => script.test(before) && script.test(after));
}

function ordinaryAt(input: string, at: number): string | undefined {
  ORDINARY.lastIndex = at;
  return ORDINARY.exec(input)?.[0];
}

function lastCodePoint(text: string): string {
  const low = text.charCodeAt(text.length - 1);
  return text.slice(low >= 0xdc00 && low < 0xe000 ? -2 : -1);
}

/** The recommended emoji that starts here, its joiners and selectors included. Flags spelt in tags don't count. */
function emojiAt(input: string, at: number): string | undefined {
  EMOJI.lastIndex = at;
  const match = EMOJI.exec(input)?.[0];
  return match === undefined || match.length < 2 || TAG.test(match) ? undefined : match;
}

/** The marks that follow, up to the first code point that isn't one. */
function marksFrom(input: string, at: number): { readonly end: number; readonly count: number } {
  let end = at;
  let count = 0;
  while (end < input.length) {
    const char = String.fromCodePoint(input.codePointAt(end) ?? 0);
    if (!MARK.test(char) || UNSEEN.test(char)) break;
    end += char.length;
    count += 1;
  }
  return { end, count };
}
