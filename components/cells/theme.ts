import type { Row, Style } from './cell.ts';

export type ThemeName = 'auto' | 'light' | 'dark' | 'none';
export type Theme = Readonly<Record<Style, Look>>;

/** The basic colours in the order of their codes: every terminal has them, light or dark. */
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
type Colour = (typeof COLOURS)[number];

export interface Look {
  readonly color?: Colour;
  readonly backgroundColor?: Colour;
  readonly bold?: boolean;
  readonly dimColor?: boolean;
  readonly inverse?: boolean;
}

/** Text keeps the terminal's own foreground; only the 8 basic colours are used besides it. */
const DARK: Theme = {
  plain: {},
  dim: { dimColor: true },
  bold: { bold: true },
  accent: { color: 'cyan' },
  ok: { color: 'green' },
  warn: { color: 'yellow' },
  danger: { color: 'red', bold: true },
  badge: { inverse: true, bold: true },
  warnBadge: { color: 'black', backgroundColor: 'yellow' },
  dangerBadge: { color: 'white', backgroundColor: 'red', bold: true },
  cursor: { color: 'cyan', bold: true },
};

/** Yellow and cyan cannot be read on white. */
const LIGHT: Theme = {
  ...DARK,
  accent: { color: 'blue' },
  warn: { color: 'magenta' },
  cursor: { color: 'blue', bold: true },
};

/** Readable on both: nothing that a person must read is yellow or cyan. */
const AUTO: Theme = {
  ...DARK,
  accent: { bold: true },
  warn: { color: 'magenta' },
  cursor: { bold: true },
};

/** `NO_COLOR`: bold, dim, inverse and words. */
const NONE: Theme = {
  plain: {},
  dim: { dimColor: true },
  bold: { bold: true },
  accent: { bold: true },
  ok: {},
  warn: { bold: true },
  danger: { bold: true },
  badge: { inverse: true, bold: true },
  warnBadge: { inverse: true },
  dangerBadge: { inverse: true, bold: true },
  cursor: { bold: true },
};

export function themeOf(name: ThemeName): Theme {
  switch (name) {
    case 'dark':
      return DARK;
    case 'light':
      return LIGHT;
    case 'none':
      return NONE;
    case 'auto':
      return AUTO;
    default:
      return name satisfies never;
  }
}

/** A row as the terminal gets it: its pieces, each between the codes that begin and end its look. */
export function ansiOf(line: Row, theme: Theme): string {
  let text = '';
  for (const piece of line) {
    const { open, close } = codesOf(theme[piece.style]);
    text += open + piece.text + close;
  }
  return text;
}

interface Codes {
  readonly open: string;
  readonly close: string;
}

const codes = new WeakMap<Look, Codes>();

function codesOf(look: Look): Codes {
  const known = codes.get(look);
  if (known !== undefined) return known;
  const open: number[] = [];
  const close: number[] = [];
  const put = (on: number, off: number) => {
    open.push(on);
    close.unshift(off);
  };
  if (look.bold === true) put(1, 22);
  if (look.dimColor === true) put(2, 22);
  if (look.inverse === true) put(7, 27);
  if (look.color !== undefined) put(30 + COLOURS.indexOf(look.color), 39);
  if (look.backgroundColor !== undefined) put(40 + COLOURS.indexOf(look.backgroundColor), 49);
  const sequence = (all: readonly number[]) => all.map((code) => `\x1b[${code}m`).join('');
  const made = { open: sequence(open), close: sequence(close) };
  codes.set(look, made);
  return made;
}
