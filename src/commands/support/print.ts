import type { Writable } from 'node:stream';
import { isWatsError } from '../../errors/index.ts';
import { cellWidth, pad, truncate, visible } from '../../text/index.ts';
import type { Context } from './command.ts';

export function print(stream: Writable, text: string): void {
  stream.write(text.endsWith('\n') ? text : `${text}\n`);
}

export function printJson(context: Context, value: unknown): void {
  print(context.stdout, JSON.stringify(value, null, context.stdout.isTTY ? 2 : 0));
}

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => string;
  readonly align?: 'left' | 'right';
  /** Takes what the others leave. */
  readonly flex?: boolean;
}

/** A table that fits the terminal; 80 columns in a pipe. Cells are made visible: they may hold a stranger's text. */
export function table<T>(rows: readonly T[], columns: readonly Column<T>[], width = 80): string {
  const cells = rows.map((row) => columns.map((column) => visible(column.cell(row), 'line')));
  const natural = columns.map((column, i) =>
    Math.max(cellWidth(column.title), ...cells.map((row) => cellWidth(row[i] ?? ''))),
  );
  const fixed =
    natural.reduce((sum, w, i) => (columns[i]?.flex ? sum : sum + w), 0) + 2 * (columns.length - 1);
  const flexing = columns.filter((column) => column.flex).length;
  const share = flexing === 0 ? 0 : Math.max(10, Math.floor((width - fixed) / flexing));
  const widths = natural.map((w, i) => (columns[i]?.flex ? Math.min(w, share) : w));
  const line = (values: readonly string[]): string =>
    values
      .map((value, i) => pad(truncate(value, widths[i] ?? 0), widths[i] ?? 0, columns[i]?.align ?? 'left'))
      .join('  ')
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...cells.map(line)].join('\n');
}

export function widthOf(context: Context): number {
  return context.stdout.isTTY ? (context.stdout.columns ?? 80) : 80;
}

/** An error for a person: what happened, and what to do on a line of its own. What is no WatsError keeps its stack. */
export function describeError(error: unknown): string {
  if (!isWatsError(error))
    return `wats: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  const first = `wats: ${visible(error.message, 'line')}`;
  return error.fix === undefined ? first : `${first}\n      ${visible(error.fix, 'line')}`;
}
