import type { TranscriptEntry } from '../../src/control/index.ts';
import type { Row } from '../cells/cell.ts';
import { endOf, entryAt, type Item, type Shelf } from './book.ts';

/**
 * Where a person reads. `end` follows the newest line. A line is named by its entry, never by its number from the
 * top: what comes in, folds or wraps elsewhere does not move it.
 */
export type Position = { readonly at: 'end' } | Anchor;

export interface Anchor {
  readonly at: 'entry';
  readonly n: number;
  /** Row of the entry that is at the top, out of `of` rows when it was put there. */
  readonly line: number;
  readonly of: number;
}

export const END: Position = { at: 'end' };

/** What scrolling needs to know of a transcript, or of a thread. */
export interface Pages<E extends Item = TranscriptEntry> {
  readonly book: Shelf<E>;
  /** Cells of a row, and rows on screen. */
  readonly width: number;
  readonly height: number;
  /** The rows of one entry as it is now, folded or not; at least one. */
  readonly rows: (entry: E) => readonly Row[];
  /** Entries that a filter leaves out take no row. */
  readonly keep: (entry: E) => boolean;
}

/** One row on screen, with the entry that it belongs to. */
export interface Line {
  readonly n: number;
  readonly line: number;
  readonly of: number;
  readonly row: Row;
}

/** The rows on screen: at most `height`, taken from near the position only. */
export function linesAt<E extends Item>(position: Position, pages: Pages<E>): Line[] {
  if (position.at === 'end') return back(endOf(pages.book), pages.height, pages);
  const lines = forward(position, pages.height, pages);
  if (lines.length >= pages.height) return lines;
  // Short of a screen: fill it from above, so that no emptiness opens below the end.
  return back(endOf(pages.book), pages.height, pages);
}

/** The position `by` rows further down (negative: up). Reaching the end follows it again. */
export function moved<E extends Item>(position: Position, by: number, pages: Pages<E>): Position {
  if (by === 0) return position;
  const shown = linesAt(position, pages);
  const top = shown[0];
  if (top === undefined) return END;
  if (by < 0) {
    const above = back(top.n, -by, pages, top.line);
    return anchor(above[0] ?? top);
  }
  const below = forward({ at: 'entry', n: top.n, line: top.line, of: top.of }, pages.height + by, pages);
  if (below.length < pages.height + by) return atNewest(pages) ? END : anchor(below.at(-pages.height) ?? top);
  const reached = below[by];
  const last = below.at(-1);
  if (reached === undefined || last === undefined) return END;
  const isEnd = last.line === last.of - 1 && next(last.n, pages) === undefined;
  return isEnd && atNewest(pages) ? END : anchor(reached);
}

/** The first line held. */
export function topOf<E extends Item>(pages: Pages<E>): Position {
  const first = next(pages.book.first - 1, pages);
  return first === undefined ? END : { at: 'entry', n: first.n, line: 0, of: 1 };
}

/** The position with an entry's first row at the top, or the end when what follows does not fill the screen. */
export function atEntry<E extends Item>(n: number, pages: Pages<E>): Position {
  const lines = forward({ at: 'entry', n, line: 0, of: 1 }, pages.height + 1, pages);
  return lines.length <= pages.height && atNewest(pages) ? END : { at: 'entry', n, line: 0, of: 1 };
}

/** The position that stays where it is on screen, now that the end is no longer followed. */
export function held<E extends Item>(position: Position, pages: Pages<E>): Position {
  if (position.at === 'entry') return position;
  const top = linesAt(position, pages)[0];
  return top === undefined ? END : anchor(top);
}

/** The next entry after `n` that the filter keeps. */
export function next<E extends Item>(n: number, pages: Pages<E>): E | undefined {
  for (let at = Math.max(n + 1, pages.book.first); at < endOf(pages.book); at += 1) {
    const entry = entryAt(pages.book, at);
    if (entry !== undefined && pages.keep(entry)) return entry;
  }
  return undefined;
}

/** The entry before `n` that the filter keeps. */
export function previous<E extends Item>(n: number, pages: Pages<E>): E | undefined {
  for (let at = Math.min(n, endOf(pages.book)) - 1; at >= pages.book.first; at -= 1) {
    const entry = entryAt(pages.book, at);
    if (entry !== undefined && pages.keep(entry)) return entry;
  }
  return undefined;
}

function atNewest<E extends Item>(pages: Pages<E>): boolean {
  return endOf(pages.book) >= pages.book.total;
}

function anchor(line: Line): Anchor {
  return { at: 'entry', n: line.n, line: line.line, of: line.of };
}

/** Up to `count` rows that end before row `line` of entry `n`, in order. */
function back<E extends Item>(n: number, count: number, pages: Pages<E>, line = 0): Line[] {
  const found: Line[] = [];
  const own = entryAt(pages.book, n);
  if (own !== undefined && line > 0) {
    const lines = linesOf(own, pages);
    for (let at = line - 1; at >= 0 && found.length < count; at -= 1) push(found, lines[at]);
  }
  for (let entry = previous(n, pages); entry !== undefined && found.length < count; ) {
    const lines = linesOf(entry, pages);
    for (let at = lines.length - 1; at >= 0 && found.length < count; at -= 1) push(found, lines[at]);
    entry = previous(entry.n, pages);
  }
  return found.reverse();
}

/** Up to `count` rows from the anchor on. */
function forward<E extends Item>(from: Anchor, count: number, pages: Pages<E>): Line[] {
  const found: Line[] = [];
  const own = entryAt(pages.book, from.n);
  let entry = own !== undefined && pages.keep(own) ? own : next(from.n, pages);
  let skip = 0;
  if (entry !== undefined && entry === own) {
    const rows = linesOf(entry, pages).length;
    skip = from.of === rows ? from.line : Math.floor((from.line / Math.max(1, from.of)) * rows);
  }
  while (entry !== undefined && found.length < count) {
    const lines = linesOf(entry, pages);
    for (let at = skip; at < lines.length && found.length < count; at += 1) push(found, lines[at]);
    skip = 0;
    entry = next(entry.n, pages);
  }
  return found;
}

function linesOf<E extends Item>(entry: E, pages: Pages<E>): Line[] {
  const rows = pages.rows(entry);
  return rows.map((line, at) => ({ n: entry.n, line: at, of: rows.length, row: line }));
}

function push(lines: Line[], line: Line | undefined): void {
  if (line !== undefined) lines.push(line);
}
