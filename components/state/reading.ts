import type { TranscriptEntry } from '../../src/control/index.ts';
import { rowWidth } from '../cells/cell.ts';
import { endOf, entryAt, KEPT, PAGE, withTail } from '../transcript/book.ts';
import { pagesOf } from '../transcript/geometry.ts';
import { canFold } from '../transcript/lines.ts';
import {
  atEntry,
  END,
  held,
  type Line,
  linesAt,
  moved,
  next,
  type Pages,
  previous,
} from '../transcript/position.ts';
import type { Context } from './context.ts';
import { type Effect, isOpen, liveTranscript, type ScreenState, type TranscriptState } from './state.ts';

/** Scrolls by rows; the entry that keys act on stays the one it was while it is on screen. */
export function scrollBy(state: ScreenState, context: Context, by: number): ScreenState {
  const pages = pagesOf(state, context);
  const { position: from, book } = state.transcript;
  // On its way to older entries, which are not here yet: there is nothing above to scroll to.
  if (by < 0 && from.at === 'entry' && from.n < book.first) return state;
  const position = moved(from, by, pages);
  const lines = linesAt(position, pages);
  return put(state, {
    position,
    cursor: position.at === 'end' ? null : onScreen(state.transcript.cursor, lines),
  });
}

/** To the entry before or after, which is scrolled into sight. */
export function stepEntry(state: ScreenState, context: Context, direction: 1 | -1): ScreenState {
  const pages = pagesOf(state, context);
  const { transcript } = state;
  const lines = linesAt(transcript.position, pages);
  const current = transcript.cursor ?? lines.at(-1)?.n;
  if (current === undefined) return state;
  const own = lines.filter((line) => line.n === current);
  const half = Math.max(1, Math.floor(pages.height / 2));
  if (direction < 0) {
    // An entry that begins above the screen is read upwards before it is left.
    if (own[0] !== undefined && own[0].line > 0) return keepCursor(scrollBy(state, context, -half), current);
    const target = previous(current, pages);
    if (target === undefined) return state;
    const visible = lines.some((line) => line.n === target.n && line.line === 0);
    const position = visible ? held(transcript.position, pages) : atEntry(target.n, pages);
    return put(state, { position, cursor: target.n });
  }
  const last = own.at(-1);
  if (last !== undefined && last.line < last.of - 1)
    return keepCursor(scrollBy(state, context, half), current);
  const target = next(current, pages);
  if (target === undefined)
    return put(state, { position: isNewest(pages) ? END : transcript.position, cursor: null });
  return put(state, { position: showing(target, transcript, lines, pages), cursor: target.n });
}

/** Opens or closes the entry under the cursor; one whose end was left out is fetched in full. */
export function toggleFold(state: ScreenState, context: Context): readonly [ScreenState, readonly Effect[]] {
  const pages = pagesOf(state, context);
  const { transcript } = state;
  const n = cursorEntry(state, context)?.n;
  const entry = n === undefined ? undefined : entryAt(transcript.book, n);
  if (entry === undefined || !canFold(entry, pages.width, transcript.wrap)) return [state, []];
  const open = !isOpen(transcript, entry);
  const folds = new Map(transcript.folds).set(entry.n, open);
  const position = held(transcript.position, pages);
  const after = put(state, {
    folds,
    position: open ? position : onto(entry, position, pages),
    cursor: entry.n,
  });
  const { runId } = transcript.book;
  if (!open || entry.omitted === 0 || runId === null) return [after, []];
  return [after, [{ do: 'transcript', runId, from: entry.n, count: 1 }]];
}

/** Lines wrap, or are cut at the edge and moved sideways; what is at the top stays there. */
export function toggleWrap(state: ScreenState, context: Context): ScreenState {
  const { transcript } = state;
  return put(state, {
    wrap: !transcript.wrap,
    shift: 0,
    position: transcript.position.at === 'end' ? END : held(transcript.position, pagesOf(state, context)),
  });
}

/** Two thirds of the width to a side, as far as there is text on screen. */
export function shiftBy(state: ScreenState, context: Context, direction: 1 | -1): ScreenState {
  const pages = pagesOf(state, context);
  const { position, shift } = state.transcript;
  const longest = Math.max(0, ...linesAt(position, pages).map((line) => rowWidth(line.row)));
  const to = shift + direction * Math.max(1, Math.floor((pages.width * 2) / 3));
  return put(state, {
    shift: Math.max(0, direction > 0 ? Math.min(to, Math.max(shift, longest - pages.width)) : to),
  });
}

/** The entry that Enter and `y` act on. */
export function cursorEntry(state: ScreenState, context: Context): TranscriptEntry | undefined {
  const { transcript } = state;
  const n = transcript.cursor ?? linesAt(transcript.position, pagesOf(state, context)).at(-1)?.n;
  return n === undefined ? undefined : entryAt(transcript.book, n);
}

export function toTop(state: ScreenState): ScreenState {
  // What failed before is asked for once more.
  return put(state, { position: { at: 'entry', n: 0, line: 0, of: 1 }, cursor: 0, asked: new Set() });
}

/** Follows the end again; of the run that is going now, when another one was held. */
export function toBottom(state: ScreenState, context: Context): ScreenState {
  const { transcript } = state;
  if (!transcript.live) return put(state, { position: END, cursor: null, asked: new Set() });
  if (transcript.book.runId !== context.view.transcript.runId)
    return { ...state, transcript: { ...liveTranscript(context.view), filter: transcript.filter } };
  const book = withTail(transcript.book, context.view.transcript, false);
  return put(state, { book, position: END, cursor: null });
}

/** What the newest view brings. What a person reads stays: also of a run that another one has followed. */
export function followView(state: ScreenState, context: Context): ScreenState {
  const { transcript } = state;
  const window = context.view.transcript;
  if (!transcript.live) return state;
  if (transcript.book.runId !== window.runId && transcript.position.at === 'entry') return state;
  if (transcript.book.runId !== window.runId)
    return { ...state, transcript: { ...liveTranscript(context.view), filter: transcript.filter } };
  const book = withTail(transcript.book, window, transcript.position.at === 'entry');
  return book === transcript.book ? state : { ...state, transcript: { ...transcript, book } };
}

/** The page that is missing on screen, or that a filter has not looked through yet. */
export function missingPage(state: ScreenState, context: Context): Effect | null {
  const { transcript } = state;
  const { book, position } = transcript;
  const { runId } = book;
  if (runId === null || book.total === 0) return null;
  const ask = (from: number): Effect | null => {
    const first = Math.max(0, from);
    return transcript.asked.has(first) ? null : { do: 'transcript', runId, from: first, count: PAGE };
  };
  if (position.at === 'end' && endOf(book) < book.total) return ask(book.total - PAGE);
  if (position.at === 'entry' && position.n < book.first) return ask(position.n);
  const pages = pagesOf(state, context);
  const lines = linesAt(position, pages);
  const nearTop = lines.length < pages.height || (lines[0]?.n ?? 0) - book.first < pages.height;
  const searching = transcript.filter !== '' && book.entries.length < KEPT;
  if (book.first > 0 && (searching || (nearTop && position.at === 'entry') || lines.length < pages.height))
    return ask(book.first - PAGE);
  const nearEnd = endOf(book) - (lines.at(-1)?.n ?? 0) < pages.height;
  return endOf(book) < book.total && nearEnd ? ask(endOf(book)) : null;
}

/** Sets fields of the transcript, and notes when its end was left. */
export function put(state: ScreenState, fields: Partial<TranscriptState>): ScreenState {
  const { transcript } = state;
  const leaves = transcript.position.at === 'end' && fields.position?.at === 'entry';
  const leftAt = leaves ? transcript.book.total : transcript.leftAt;
  return { ...state, transcript: { ...transcript, leftAt, ...fields } };
}

function keepCursor(state: ScreenState, n: number): ScreenState {
  return state.transcript.position.at === 'end' ? state : put(state, { cursor: n });
}

function isNewest(pages: Pages): boolean {
  return endOf(pages.book) >= pages.book.total;
}

/** The nearest entry that is on screen. */
function onScreen(cursor: number | null, lines: readonly Line[]): number | null {
  const first = lines[0]?.n ?? null;
  const last = lines.at(-1)?.n ?? null;
  if (first === null || last === null) return null;
  return cursor === null ? last : Math.min(Math.max(cursor, first), last);
}

/** The position at which the entry is wholly on screen, or its beginning at the top. */
function showing(entry: TranscriptEntry, transcript: TranscriptState, lines: readonly Line[], pages: Pages) {
  const own = lines.filter((line) => line.n === entry.n);
  const last = own.at(-1);
  if (last !== undefined && last.line === last.of - 1) return held(transcript.position, pages);
  for (let by = 1; by <= pages.height; by += 1) {
    const position = moved(transcript.position, by, pages);
    const shown = linesAt(position, pages).filter((line) => line.n === entry.n);
    const end = shown.at(-1);
    if (
      position.at === 'end' ||
      (end !== undefined && (end.line === end.of - 1 || shown.length >= pages.height))
    )
      return position;
  }
  return atEntry(entry.n, pages);
}

/** A closed entry whose beginning was above the screen comes to the top. */
function onto(entry: TranscriptEntry, position: TranscriptState['position'], pages: Pages) {
  return position.at === 'entry' && position.n === entry.n ? atEntry(entry.n, pages) : position;
}
