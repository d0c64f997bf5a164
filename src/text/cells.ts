import stringWidth from 'string-width';
import { graphemes, isPrintableAscii } from './graphemes.ts';

const ELLIPSIS = '…';

/**
 * Terminal cells that one row of text takes. The text was made visible before: an escape sequence is not
 * interpreted here, and a newline has no width.
 */
export function cellWidth(text: string): number {
  return isPrintableAscii(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true });
}

/**
 * One row of text in at most `width` cells, with `…` where something was left out: at the end, or in the
 * middle (paths, ids) so that both ends stay readable. Never splits a grapheme. Text that fits comes back as it
 * is; a width of 0 or less gives the empty string.
 */
export function truncate(text: string, width: number, options: { from?: 'end' | 'middle' } = {}): string {
  if (width <= 0) return '';
  if (isPrintableAscii(text)) {
    if (text.length <= width) return text;
    if (options.from !== 'middle') return text.slice(0, width - 1) + ELLIPSIS;
  } else if (options.from !== 'middle') {
    return truncateEnd(text, width);
  }
  return cellWidth(text) <= width ? text : truncateMiddle(text, width);
}

/**
 * Exactly `width` cells: cut as by `truncate`, filled with spaces on the side that `align` leaves free.
 */
export function pad(text: string, width: number, align: 'left' | 'right' | 'center' = 'left'): string {
  const cut = truncate(text, width);
  const free = Math.max(0, width - cellWidth(cut));
  const left = align === 'left' ? 0 : align === 'right' ? free : Math.floor(free / 2);
  return ' '.repeat(left) + cut + ' '.repeat(free - left);
}

/** Stops reading at the first grapheme that doesn't fit: the rest of a long post costs nothing. */
function truncateEnd(text: string, width: number): string {
  let used = 0;
  let kept = 0;
  let length = 0;
  for (const grapheme of graphemes(text)) {
    used += cellWidth(grapheme);
    if (used > width) return text.slice(0, kept) + ELLIPSIS;
    length += grapheme.length;
    if (used < width) kept = length;
  }
  return text;
}

function truncateMiddle(text: string, width: number): string {
  const all = [...graphemes(text)];
  const head = take(all, Math.ceil((width - 1) / 2));
  const tail = take(all.toReversed(), Math.floor((width - 1) / 2));
  return head.join('') + ELLIPSIS + tail.toReversed().join('');
}

/** The longest beginning of a list of graphemes that fits in `width` cells. */
function take(all: readonly string[], width: number): readonly string[] {
  let used = 0;
  const end = all.findIndex((grapheme) => {
    used += cellWidth(grapheme);
    return used > width;
  });
  return end === -1 ? all : all.slice(0, end);
}
