import type { TextProps } from 'ink';
import type { Style } from './cell.ts';

export type ThemeName = 'auto' | 'light' | 'dark' | 'none';
export type Theme = Readonly<Record<Style, Look>>;
export type Look = Pick<TextProps, 'color' | 'backgroundColor' | 'bold' | 'dimColor' | 'inverse'>;

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
const AUTO: Theme = { ...DARK, warn: { color: 'magenta' } };

/** `NO_COLOR`: bold, dim, inverse and words. */
const NONE: Theme = {
  plain: {},
  dim: { dimColor: true },
  bold: { bold: true },
  accent: {},
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
