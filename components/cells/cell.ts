import { pad, truncate } from '../../src/text/index.ts';
import { graphemesOf } from '../keys/names.ts';
import { isAscii, widthOf } from './width.ts';

/**
 * What a piece of text means on the screen. A theme turns it into a colour; no meaning rests on it alone,
 * there is always a word or a sign as well.
 */
export type Style =
  | 'plain'
  | 'dim'
  | 'bold'
  | 'accent'
  | 'ok'
  | 'warn'
  | 'danger'
  | 'badge'
  | 'warnBadge'
  | 'dangerBadge'
  | 'cursor';

export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One line of the screen. */
export type Row = readonly Span[];

export type Piece = string | Span | Row | null;

export function span(text: string, style: Style = 'plain'): Span {
  return { text, style };
}

/** A row of plain strings, spans and rows; `null` leaves nothing behind. */
export function row(...pieces: readonly Piece[]): Row {
  const spans: Span[] = [];
  for (const piece of pieces) {
    if (piece === null) continue;
    if (typeof piece === 'string') spans.push({ text: piece, style: 'plain' });
    else if ('text' in piece) spans.push(piece);
    else spans.push(...piece);
  }
  return spans;
}

export function textOf(line: Row): string {
  return line.map((piece) => piece.text).join('');
}

export function rowWidth(line: Row): number {
  let width = 0;
  for (const piece of line) width += widthOf(piece.text);
  return width;
}

/** The row in exactly `width` cells: cut with an ellipsis, or filled with spaces. */
export function fitted(line: Row, width: number): Row {
  if (width <= 0) return [];
  const spans: Span[] = [];
  let left = width;
  for (const piece of line) {
    const cells = widthOf(piece.text);
    if (cells <= left) {
      spans.push(piece);
      left -= cells;
      continue;
    }
    const cut = left > 0 ? truncate(piece.text, left) : '';
    if (cut !== '') spans.push({ text: cut, style: piece.style });
    else markCut(spans);
    left -= widthOf(cut);
    break;
  }
  if (left > 0) spans.push({ text: ' '.repeat(left), style: 'plain' });
  return spans;
}

/** The row without its first `cells` cells; of a wide character cut in two a space is left. */
export function slid(line: Row, cells: number): Row {
  if (cells <= 0) return line;
  const spans: Span[] = [];
  let left = cells;
  for (const piece of line) {
    const width = widthOf(piece.text);
    if (width <= left) {
      left -= width;
      continue;
    }
    const text = left > 0 ? withoutCells(piece.text, left) : piece.text;
    spans.push({ text, style: piece.style });
    left = 0;
  }
  return spans;
}

function withoutCells(text: string, cells: number): string {
  if (isAscii(text)) return text.slice(cells);
  let used = 0;
  let from = 0;
  for (const grapheme of graphemesOf(text)) {
    if (used >= cells) break;
    used += widthOf(grapheme);
    from += grapheme.length;
  }
  return ' '.repeat(Math.max(0, used - cells)) + text.slice(from);
}

/** A row that ended exactly at the edge still says that something follows. */
function markCut(spans: Span[]): void {
  const last = spans.pop();
  if (last === undefined) return;
  const cells = widthOf(last.text);
  const kept = truncate(`${last.text}  `, cells);
  spans.push({ text: pad(kept, cells), style: last.style });
}

/** `left` at the left edge and `right` at the right edge; when both do not fitted, the right one gives way. */
export function spread(left: Row, right: Row, width: number): Row {
  const rightWidth = rowWidth(right);
  const leftWidth = rowWidth(left);
  if (leftWidth + rightWidth + 1 > width) return fitted(left, width);
  return [...left, span(' '.repeat(width - leftWidth - rightWidth)), ...right];
}

/** Two blocks of rows side by side, the shorter one filled up. */
export function beside(
  left: readonly Row[],
  leftWidth: number,
  right: readonly Row[],
  rightWidth: number,
): Row[] {
  const height = Math.max(left.length, right.length);
  return Array.from({ length: height }, (_, at) => [
    ...fitted(left[at] ?? [], leftWidth),
    ...fitted(right[at] ?? [], rightWidth),
  ]);
}

/** Exactly `height` rows: cut at the end, or filled with empty ones. */
export function tall(rows: readonly Row[], height: number): Row[] {
  return Array.from({ length: Math.max(0, height) }, (_, at) => rows[at] ?? []);
}

export function sameRow(one: Row, other: Row): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  return one.every((piece, at) => piece.text === other[at]?.text && piece.style === other[at]?.style);
}
