import { fitted, type Row, row, rowWidth, type Style, span, tall } from './cell.ts';

export interface FrameOptions {
  readonly title: Row;
  /** Set into the bottom edge, at its right. */
  readonly foot?: Row;
  readonly rows: readonly Row[];
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** Which part of something longer is on screen, for the bar in the right edge; `null` and all of it have none. */
  readonly seen?: Seen | null;
}

/** From `from` up to `to` of `of`; fractions are fine. */
export interface Seen {
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

/**
 * A box of exactly `width` × `height` cells around rows. The panel in focus has a ▸ before its title besides
 * its colour. At least 4 cells wide and 2 high.
 */
export function frame(options: FrameOptions): Row[] {
  const { width, height, focused } = options;
  const edge: Style = focused ? 'accent' : 'dim';
  const inner = width - 2;
  const title = row(
    span(focused ? '╭▸' : '╭ ', edge),
    focused
      ? options.title.map((piece) => (piece.style === 'plain' ? span(piece.text, 'bold') : piece))
      : options.title,
    ' ',
  );
  const top = edgeLine(title, span('╮', edge), width, edge);
  const foot = options.foot === undefined || rowWidth(options.foot) === 0 ? [] : row(' ', options.foot, ' ');
  const room = inner - rowWidth(foot) - 1;
  const bottom =
    foot.length > 0 && room >= 1
      ? row(span(`╰${'─'.repeat(room)}`, edge), foot, span('─╯', edge))
      : row(span(`╰${'─'.repeat(inner)}╯`, edge));
  const side = span('│', edge);
  const thumb = thumbOf(options.seen ?? null, height - 2);
  const bar = span('┃', edge);
  const body = tall(options.rows, height - 2).map((line, at) =>
    row(side, fitted(line, inner), at >= thumb.from && at < thumb.to ? bar : side),
  );
  return [top, ...body, bottom];
}

/** The rows of the bar: at least one, at the very edge only when nothing is beyond it. */
export function thumbOf(seen: Seen | null, height: number): { readonly from: number; readonly to: number } {
  const none = { from: 0, to: 0 };
  if (seen === null || height < 3) return none;
  const shown = seen.to - seen.from;
  const hidden = seen.of - shown;
  if (!(shown > 0) || hidden <= 0) return none;
  const size = Math.min(height - 1, Math.max(1, Math.round((height * shown) / seen.of)));
  const last = height - size;
  let from = Math.round((last * seen.from) / hidden);
  if (seen.from > 0) from = Math.max(1, from);
  if (seen.to < seen.of) from = Math.min(last - 1, from);
  from = Math.max(0, Math.min(last, from));
  return { from, to: from + size };
}

/**
 * The width left for text inside a frame that keeps one cell free on either side. Two cells at least: a wide character
 * needs them, and what is wrapped for a frame that small is cut by it.
 */
export function innerWidth(width: number): number {
  return Math.max(2, width - 4);
}

/** Rows with one free cell at the left, as they stand inside a frame. */
export function indent(rows: readonly Row[]): Row[] {
  return rows.map((line) => row(' ', line));
}

function edgeLine(start: Row, end: ReturnType<typeof span>, width: number, edge: Style): Row {
  const used = rowWidth(start) + 1;
  if (used > width) return row(fitted(start, width - 1), end);
  return row(start, span('─'.repeat(width - used), edge), end);
}
