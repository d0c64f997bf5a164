import { cellWidth } from './cells.ts';
import { graphemes, isPrintableAscii } from './graphemes.ts';

/** A run of spaces, or a stretch that is only broken when it is wider than a row. */
interface Piece {
  readonly parts: readonly Part[];
  readonly width: number;
  readonly space: boolean;
}

interface Part {
  readonly text: string;
  readonly width: number;
}

/**
 * Rows of at most `width` cells (at least 2). Breaks at newlines, at spaces (those at the break are left out,
 * indentation stays), around wide characters, and inside a word only when it is longer than a row. Graphemes
 * stay whole unless one alone is wider than a row. The text was made visible before. Empty text is one empty row.
 *
 * @throws RangeError for a width under 2, which a wide character could not fit in
 */
export function wrapText(text: string, width: number): string[] {
  if (!(width >= 2)) throw new RangeError(`wrapText needs a width of at least 2 cells, not ${width}`);
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  if (line.length <= width && isPrintableAscii(line)) return [line];

  const rows: string[] = [];
  let row = '';
  let used = 0;
  /** Spaces that are only put out when something follows them on the same row. */
  let gap: Piece | undefined;
  const next = () => {
    rows.push(row);
    row = '';
    used = 0;
  };
  const put = (part: Part) => {
    if (used + part.width > width) next();
    row += part.text;
    used += part.width;
  };
  for (const piece of pieces(line, width)) {
    if (piece.space) {
      gap = piece;
      continue;
    }
    if (gap !== undefined) {
      const indentation = rows.length === 0 && row === '';
      if (indentation || used + gap.width + piece.width <= width) gap.parts.forEach(put);
      else next();
      gap = undefined;
    }
    if (used > 0 && used + piece.width > width) next();
    piece.parts.forEach(put);
  }
  rows.push(row);
  return rows;
}

/** Runs of spaces, runs of narrow graphemes, and every wide grapheme by itself. */
function pieces(line: string, width: number): Piece[] {
  const found: Piece[] = [];
  let parts: Part[] = [];
  let kind: 'space' | 'word' | undefined;
  const close = () => {
    if (parts.length > 0)
      found.push({ parts, width: parts.reduce((sum, part) => sum + part.width, 0), space: kind === 'space' });
    parts = [];
  };
  for (const part of partsOf(line, width)) {
    const next = part.text === ' ' ? 'space' : 'word';
    if (next !== kind || part.width > 1) close();
    kind = next;
    parts.push(part);
    if (part.width > 1) close();
  }
  close();
  return found;
}

function* partsOf(line: string, width: number): Generator<Part> {
  if (isPrintableAscii(line)) {
    for (const char of line) yield { text: char, width: 1 };
    return;
  }
  for (const grapheme of graphemes(line)) {
    const cells = cellWidth(grapheme);
    if (cells <= width) yield { text: grapheme, width: cells };
    else for (const char of grapheme) yield { text: char, width: cellWidth(char) };
  }
}
