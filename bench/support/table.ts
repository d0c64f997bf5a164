import type { RowReport } from '../run.ts';
import { times } from './measure.ts';
import type { Line } from './row.ts';

const HEAD = ['row', 'what', 'measured', 'beside it', 'ratio', 'target', ''];

/** The reports as a table for people. A target that was missed says so in capitals. */
export function tableOf(reports: readonly RowReport[]): string {
  const rows = reports.flatMap(({ row, lines, failure }) => {
    const found = lines.map((line, n) => cellsOf(n === 0 ? row : '', line));
    return failure === null
      ? found
      : [...found, [row, `FAILED: ${failure.split('\n')[0]}`, '', '', '', '', 'FAILED']];
  });
  const widths = HEAD.map((_, at) => Math.max(...[HEAD, ...rows].map((cells) => cells[at]?.length ?? 0)));
  const draw = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  const notes = reports.flatMap(({ row, lines }) =>
    [...new Set(lines.flatMap((line) => line.notes))].map((note) => `${row}: ${note}`),
  );
  const missed = reports.flatMap(({ lines }) => lines.filter(({ met }) => met === false));
  const asked = reports.flatMap(({ lines }) => lines.filter(({ met }) => met !== null));
  const failed = reports.filter(({ failure }) => failure !== null);
  return [
    draw(HEAD),
    draw(widths.map((width) => '─'.repeat(width))),
    ...rows.map(draw),
    '',
    ...notes,
    ...(notes.length > 0 ? [''] : []),
    `${asked.length - missed.length} of ${asked.length} targets stand` +
      (missed.length > 0 ? `; missed: ${missed.map(({ what }) => what).join('; ')}` : '') +
      (failed.length > 0 ? `; rows that failed: ${failed.map(({ row }) => row).join(', ')}` : ''),
  ].join('\n');
}

function cellsOf(row: string, { what, measured, beside, ratio, target, met }: Line): string[] {
  const verdict = met === null ? '' : met ? 'ok' : 'MISSED';
  return [row, what, measured, beside ?? '', ratio === null ? '' : times(ratio), target ?? '', verdict];
}
