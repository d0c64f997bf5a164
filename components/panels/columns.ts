import { age, cellWidth, pad, truncate } from '../../src/text/index.ts';
import { type Row, row, type Style, span } from '../cells/cell.ts';

/** A column of a list: drawn in `width` cells, dropped under `from` cells of the whole row. */
export interface Column {
  readonly text: string;
  /** Cells, or `rest` for what the others leave: one column of a row has it. */
  readonly width: number | 'rest';
  /** The narrowest row that still has it: the order in which columns drop. */
  readonly from?: number;
  readonly align?: 'left' | 'right';
  readonly style?: Style;
  /** Free cells before it. */
  readonly gap?: number;
}

/** Columns with two cells between them unless one says otherwise, exactly `width` cells wide. */
export function columnsRow(columns: readonly Column[], width: number): Row {
  const shown = columns.filter((column) => width >= (column.from ?? 0));
  const fixed = shown.reduce((sum, column) => sum + (column.width === 'rest' ? 0 : column.width), 0);
  const gaps = shown.reduce((sum, column, at) => sum + (at === 0 ? 0 : (column.gap ?? 2)), 0);
  const rest = Math.max(0, width - fixed - gaps);
  return row(
    ...shown.flatMap((column, at) => {
      const cells = column.width === 'rest' ? rest : column.width;
      const text = pad(column.text, cells, column.align ?? 'left');
      return [at === 0 ? null : span(' '.repeat(column.gap ?? 2)), span(text, column.style ?? 'plain')];
    }),
  );
}

/** The first four digits of a post's id: enough to tell rows apart, never to name one. */
export function tag(id: string): string {
  return id.slice(0, 4);
}

/** `"title"` in at most `width` cells, the quotes whole. */
export function quoted(title: string, width: number): string {
  if (title === '' || width < 5) return '';
  return cellWidth(title) + 2 <= width ? `"${title}"` : `"${truncate(title, width - 2)}"`;
}

/** How long ago, by the minute: the screen is drawn again once a minute. */
export function since(at: number, now: number): string {
  return now - at < 60_000 ? 'now' : age(at, now);
}

/** The same in a sentence: `just now`, `4m ago`. */
export function ago(at: number, now: number): string {
  return now - at < 60_000 ? 'just now' : `${age(at, now)} ago`;
}
