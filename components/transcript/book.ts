import type { TranscriptEntry, TranscriptPage, TranscriptWindow } from '../../src/control/index.ts';

/** How many entries stay in memory: the file is the store, this is a window of it. */
export const KEPT = 4_000;
/** How many older entries one page asks for. */
export const PAGE = 200;

/** Something with a place in an order without gaps. */
export interface Item {
  readonly n: number;
}

/** Items that the screen holds of an order: without gaps, from `first` on. */
export interface Shelf<E extends Item> {
  /** How many there are, here or not. */
  readonly total: number;
  readonly first: number;
  readonly entries: readonly E[];
}

/** The entries of one run that the screen holds. */
export interface Book extends Shelf<TranscriptEntry> {
  readonly runId: string | null;
}

export const EMPTY_BOOK: Book = { runId: null, total: 0, first: 0, entries: [] };

/**
 * The newest window of a view, added to what is held. Where both do not meet, `hold` says which is kept: what a
 * person is reading, or the newest.
 */
export function withTail(book: Book, window: TranscriptWindow, hold: boolean): Book {
  const tail = window.tail;
  const first = tail[0];
  if (book.runId !== window.runId || first === undefined || window.total < book.total)
    return { runId: window.runId, total: window.total, first: first?.n ?? window.total, entries: tail };
  const end = endOf(book);
  const apart = first.n > end || first.n < book.first || book.entries.length === 0;
  if (apart && !(hold && book.entries.length > 0))
    return { ...book, total: window.total, first: first.n, entries: tail };
  const full = hold && first.n + tail.length - book.first > KEPT * 1.5;
  if (apart || full) return { ...book, total: window.total };
  const entries = [...book.entries.slice(0, first.n - book.first)];
  for (const entry of tail) entries.push(settled(entryAt(book, entry.n), entry));
  return shorten({ ...book, total: window.total, entries });
}

/**
 * A page of older or newer entries, or of one entry in full. One that does not touch what is held replaces it when
 * `jump` says so, and is dropped otherwise.
 */
export function withPage(book: Book, page: TranscriptPage, jump: boolean): Book {
  if (book.runId !== page.runId) return book;
  const total = Math.max(book.total, page.total);
  const from = page.entries[0]?.n;
  if (from === undefined) return { ...book, total };
  const to = from + page.entries.length;
  const end = endOf(book);
  if (book.entries.length === 0) return { ...book, total, first: from, entries: page.entries };
  if (to < book.first || from > end)
    return jump ? { ...book, total, first: from, entries: page.entries } : { ...book, total };
  const before = book.entries.slice(0, Math.max(0, from - book.first));
  const after = book.entries.slice(Math.max(0, to - book.first));
  const entries = [...before, ...page.entries, ...after];
  const first = Math.min(book.first, from);
  if (entries.length <= KEPT * 1.5) return { ...book, total, first, entries };
  // What is far from the page goes.
  if (from < book.first) return { ...book, total, first, entries: entries.slice(0, KEPT) };
  const drop = entries.length - KEPT;
  return { ...book, total, first: first + drop, entries: entries.slice(drop) };
}

export function entryAt<E extends Item>(book: Shelf<E>, n: number): E | undefined {
  return book.entries[n - book.first];
}

/** One past the last entry held. */
export function endOf(book: Shelf<Item>): number {
  return book.first + book.entries.length;
}

/**
 * Entries do not change: the one held stays (with the rows cached for it), also when it was fetched in full and the
 * window has only its beginning.
 */
function settled(held: TranscriptEntry | undefined, fresh: TranscriptEntry): TranscriptEntry {
  if (held === undefined || held.kind !== fresh.kind) return fresh;
  return held.omitted < fresh.omitted || held.text === fresh.text ? held : fresh;
}

function shorten(book: Book): Book {
  // Half at a time, so that not every entry of a long run copies the list.
  if (book.entries.length <= KEPT * 1.5) return book;
  const drop = book.entries.length - KEPT;
  return { ...book, first: book.first + drop, entries: book.entries.slice(drop) };
}
