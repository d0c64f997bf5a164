import { cellWidth, wrapText } from '../../src/text/index.ts';
import { type Row, row, span } from '../cells/cell.ts';
import { frame, indent, innerWidth } from '../cells/frame.ts';
import { graphemesOf } from '../keys/names.ts';

/** A dialog that covers the bottom of the body, full width: as high as its rows, at most `most`. */
export function sheet(title: string, rows: readonly Row[], width: number, most: number): Row[] {
  const height = Math.min(most, rows.length + 2);
  return frame({ title: row(title), rows: indent(rows), width, height, focused: true });
}

/** A paragraph inside a sheet. */
export function paragraph(text: string, width: number): Row[] {
  return wrapText(text, innerWidth(width)).map((line) => row(line));
}

/** A text being typed, with its cursor; the end stays in sight. */
export function fieldRow(label: string, text: string, width: number, active = true): Row {
  const room = Math.max(4, innerWidth(width) - cellWidth(label) - 1);
  const shown = cellWidth(text) <= room ? text : `…${lastCells(text, room - 1)}`;
  return row(span(label, active ? 'bold' : 'dim'), shown, active ? span('▏', 'cursor') : null);
}

/** The longest end of a text that fits in `width` cells. */
function lastCells(text: string, width: number): string {
  let kept = '';
  let used = 0;
  for (const grapheme of graphemesOf(text).toReversed()) {
    used += cellWidth(grapheme);
    if (used > width) break;
    kept = grapheme + kept;
  }
  return kept;
}

/** Choices, one a row, with a mark and a number. */
export function choiceRows(choices: readonly string[], chosen: number): Row[] {
  return choices.map((choice, at) =>
    at === chosen
      ? row(span('▸ ', 'cursor'), span(`${at + 1} ${choice}`, 'bold'))
      : row(`  ${at + 1} ${choice}`),
  );
}
