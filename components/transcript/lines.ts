import type { TranscriptEntry } from '../../src/control/index.ts';
import { cellWidth, wrapText } from '../../src/text/index.ts';
import { type Row, row, type Style, span } from '../cells/cell.ts';

/** Folded, a result or a thought shows this many lines. */
export const FOLDED_LINES = 3;
/** Text of an entry that is wrapped at most; more of it is in `wats agent logs`. */
const MAX_CHARS = 200_000;

interface Look {
  /** Before the first line. */
  readonly sign: string;
  readonly signStyle: Style;
  readonly textStyle: Style;
  readonly folds: boolean;
}

const LOOKS: Readonly<Record<TranscriptEntry['kind'], Look>> = {
  text: { sign: '● ', signStyle: 'accent', textStyle: 'plain', folds: false },
  thinking: { sign: 'thinks  ', signStyle: 'dim', textStyle: 'dim', folds: true },
  tool_call: { sign: '→ ', signStyle: 'accent', textStyle: 'plain', folds: true },
  tool_result: { sign: '← ', signStyle: 'dim', textStyle: 'dim', folds: true },
  notice: { sign: '· ', signStyle: 'dim', textStyle: 'dim', folds: false },
  error: { sign: '✗ error  ', signStyle: 'danger', textStyle: 'danger', folds: false },
};

interface Cached {
  readonly width: number;
  readonly open: boolean;
  readonly wrapped: boolean;
  readonly rows: readonly Row[];
}

/** Rows are laid out once an entry, width and fold; entries that left the memory take theirs along. */
const cache = new WeakMap<TranscriptEntry, Cached>();

/**
 * The rows of one entry in `width` cells. `open` unfolds it. Not `wrapped`, each of its lines is one row, however
 * long. At least one row.
 */
export function rowsOf(
  entry: TranscriptEntry,
  width: number,
  open: boolean,
  wrapped: boolean,
): readonly Row[] {
  const held = cache.get(entry);
  if (held !== undefined && held.width === width && held.open === open && held.wrapped === wrapped)
    return held.rows;
  const rows = layOut(entry, wrapped ? width : Number.MAX_SAFE_INTEGER, open);
  cache.set(entry, { width, open, wrapped, rows });
  return rows;
}

/** Whether the entry shows less than it has: Enter shows the rest. */
export function canFold(entry: TranscriptEntry, width: number, wrapped: boolean): boolean {
  if (entry.omitted > 0) return true;
  return LOOKS[entry.kind].folds && rowsOf(entry, width, true, wrapped).length > FOLDED_LINES + 1;
}

function layOut(entry: TranscriptEntry, width: number, open: boolean): readonly Row[] {
  const look = LOOKS[entry.kind];
  const label = entry.label === null ? '' : `${entry.label}  `;
  const head = row(
    look.sign === '' ? null : span(look.sign, look.signStyle),
    label === '' ? null : span(label, entry.kind === 'tool_call' ? 'bold' : 'dim'),
  );
  const headWidth = cellWidth(look.sign) + cellWidth(label);
  // A long name leaves the text a line of its own.
  const beside = headWidth <= Math.floor(width / 2);
  const inset = look.sign === '' ? 0 : 2;
  const lines = wrap(entry.text, width, inset, beside ? headWidth : width);
  const rows = lines.map((line, at): Row => {
    if (at === 0) return row(head, beside || head.length === 0 ? span(line, look.textStyle) : null);
    return row(' '.repeat(inset), span(line, look.textStyle));
  });
  return fold(entry, rows, open, look, inset);
}

/** The first line is shorter by its head; the others only by the inset. */
function wrap(text: string, width: number, inset: number, headWidth: number): string[] {
  const whole = text.slice(0, MAX_CHARS).trimEnd();
  const room = Math.max(2, width - inset);
  if (headWidth === 0) return wrapText(whole, room);
  if (headWidth >= width) return ['', ...wrapText(whole, room)];
  const newline = whole.indexOf('\n');
  const firstLine = newline < 0 ? whole : whole.slice(0, newline);
  const rest = newline < 0 ? null : whole.slice(newline + 1);
  const firstRows = wrapText(firstLine, Math.max(2, width - headWidth));
  const start = firstRows[0] ?? '';
  // What did not fit beside the head is wrapped again at the full width.
  const left = firstRows.length > 1 ? firstLine.slice(start.length).trimStart() : null;
  return [
    start,
    ...(left === null ? [] : wrapText(left, room)),
    ...(rest === null ? [] : wrapText(rest, room)),
  ];
}

function fold(
  entry: TranscriptEntry,
  rows: readonly Row[],
  open: boolean,
  look: Look,
  inset: number,
): readonly Row[] {
  const note = (text: string) => row(' '.repeat(inset), span(text, 'dim'));
  const left = entry.omitted > 0 ? `${entry.omitted} more characters` : null;
  if (open || !look.folds || rows.length <= FOLDED_LINES + 1) {
    if (left === null) return rows;
    return [...rows, note(open ? `… ${left} are being fetched` : `▸ ${left}`)];
  }
  const hidden = rows.length - FOLDED_LINES;
  return [...rows.slice(0, FOLDED_LINES), note(`▸ ${hidden} more lines${left === null ? '' : `, ${left}`}`)];
}
