import type { Key } from 'ink';

/**
 * One key press, by name: `up`, `enter`, `ctrl-d`, `alt-x`, `space`, or the grapheme that was typed.
 */
export type KeyName = string;

/** What Ink says of one `useInput` call. */
export type InkKey = Partial<Key>;

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' });

const NAMED: readonly (readonly [keyof Key, KeyName])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['backspace', 'backspace'],
  // Most terminals send DEL for the backspace key; Ink calls it `delete`.
  ['delete', 'backspace'],
];

/**
 * Fast typing arrives as one call (`"yes"`, `"j\r"`): it is several key presses, in order. Terminal reports of a
 * release are none.
 */
export function keysOf(input: string, key: InkKey): KeyName[] {
  if (key.eventType === 'release') return [];
  if (key.tab === true) return [key.shift === true ? 'shift-tab' : 'tab'];
  for (const [flag, name] of NAMED) if (key[flag] === true) return [name];
  if (key.ctrl === true) return input === '' ? [] : [`ctrl-${input === ' ' ? 'space' : input.toLowerCase()}`];
  const names = graphemesOf(input)
    .map(nameOf)
    .filter((name) => name !== '');
  return key.meta === true ? names.map((name) => `alt-${name}`) : names;
}

export function graphemesOf(text: string): string[] {
  return [...SEGMENTER.segment(text)].map(({ segment }) => segment);
}

/** The printable text of a key, or `null` when it has none. */
export function textOfKey(name: KeyName): string | null {
  if (name === 'space') return ' ';
  return graphemesOf(name).length === 1 ? name : null;
}

/** What of a pasted or edited text may stand in a one-line field: its newlines become spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').replace(/\t/g, ' ');
}

function nameOf(grapheme: string): KeyName {
  switch (grapheme) {
    case '\r':
    case '\n':
    case '\r\n':
      return 'enter';
    case '\t':
      return 'tab';
    case ' ':
      return 'space';
    case '\x1b':
      return 'esc';
    case '\x7f':
    case '\b':
      return 'backspace';
    default:
      break;
  }
  const code = grapheme.codePointAt(0) ?? 0;
  // Control characters 1–26 in a chunk are the letters of their Ctrl keys.
  if (code < 0x20) return code >= 1 && code <= 26 ? `ctrl-${String.fromCharCode(code + 96)}` : '';
  return grapheme;
}
