import { slicesOf } from './slices.ts';
import type { View } from './view.ts';

/** Bytes of a view as JSON (design page 4, "How it is built"). */
export const MAX_VIEW_BYTES = 256 * 1024;
/** What the braces, the word `view` and the names of its slices take. */
const FRAME_BYTES = 1024;

/** The lists that give way, each with what is left of it when half its rows go: those that a person misses least. */
const HALVES: { readonly [S in Shrinkable]: (slice: View[S]) => View[S] } = {
  // The newest entries come last here …
  log: (log) => ({ ...log, rows: log.rows.slice(halfOf(log.rows)) }),
  transcript: (book) => ({ ...book, tail: book.tail.slice(halfOf(book.tail)) }),
  // … and first, or most urgent first, here.
  posts: firstHalf,
  runs: firstHalf,
  queue: firstHalf,
  drafts: firstHalf,
  paused: firstHalf,
  peers: firstHalf,
};

type Shrinkable = 'log' | 'transcript' | 'posts' | 'runs' | 'queue' | 'drafts' | 'paused' | 'peers';
const SHRINKABLE = Object.keys(HALVES) as readonly Shrinkable[];

/** A view of at most `maxBytes`: whichever list is the largest loses half its rows, until it fits. Totals stay. */
export function fitView(view: View, maxBytes = MAX_VIEW_BYTES): View {
  let fitted = view;
  for (;;) {
    const sizes = [...slicesOf(fitted)].map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) }));
    if (sizes.reduce((sum, { bytes }) => sum + bytes, FRAME_BYTES) <= maxBytes) return fitted;
    const [largest] = sizes.filter(({ name }) => canShrink(fitted, name)).sort((a, b) => b.bytes - a.bytes);
    if (largest === undefined) return fitted;
    fitted = halved(fitted, largest.name as Shrinkable);
  }
}

function canShrink(view: View, name: string): boolean {
  if (!(SHRINKABLE as readonly string[]).includes(name)) return false;
  return name === 'transcript'
    ? view.transcript.tail.length > 0
    : view[name as Exclude<Shrinkable, 'transcript'>].rows.length > 0;
}

function halved<S extends Shrinkable>(view: View, name: S): View {
  return { ...view, [name]: HALVES[name](view[name]) };
}

function firstHalf<T extends { readonly rows: readonly unknown[] }>(window: T): T {
  return { ...window, rows: window.rows.slice(0, window.rows.length - halfOf(window.rows)) };
}

/** At least one, so that every step gets somewhere. */
function halfOf(rows: readonly unknown[]): number {
  return Math.ceil(rows.length / 2);
}
