import { wrapText } from '../../src/text/index.ts';
import { type Row, row } from '../cells/cell.ts';
import { innerWidth } from '../cells/frame.ts';
import type { LineDialog } from '../state/dialogs.ts';
import { sheet } from './sheet.ts';

export function lineRows(dialog: LineDialog, width: number): Row[] {
  return wrapText(dialog.text, innerWidth(width)).map((line) => row(line));
}

/** One line of a list in full, over what it was selected in. */
export function drawLine(dialog: LineDialog, width: number, most: number): Row[] {
  const rows = lineRows(dialog, width);
  const from = Math.min(dialog.scroll, Math.max(0, rows.length - (most - 2)));
  return sheet(dialog.title, rows.slice(from), width, most);
}
