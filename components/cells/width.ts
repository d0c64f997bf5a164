import { cellWidth } from '../../src/text/index.ts';

/** Pieces whose width is remembered: some screens full of them. */
const REMEMBERED = 4_000;
const ASCII = /^[\x20-\x7e]*$/;

/** Whether every character is one cell. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

const widths = new Map<string, number>();

/**
 * Cells that a text takes. Wide text is measured by tables, and the same rows are drawn ten times a second: what was
 * measured is remembered.
 */
export function widthOf(text: string): number {
  if (isAscii(text)) return text.length;
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (widths.size >= REMEMBERED) widths.clear();
  const width = cellWidth(text);
  widths.set(text, width);
  return width;
}
