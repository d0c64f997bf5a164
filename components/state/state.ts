import type { Intent, TranscriptEntry, View } from '../../src/control/index.ts';
import { type Book, EMPTY_BOOK, withTail } from '../transcript/book.ts';
import { END, type Position } from '../transcript/position.ts';
import type { Dialog, QuitHow } from './dialogs.ts';
import type { ListName, PanelName, ViewName } from './places.ts';

export interface ListState {
  /** The selected row by its key, so that it stays selected wherever it moves. */
  readonly key: string | null;
  /** Where it was: the row that takes its place when it is gone. */
  readonly index: number;
  readonly top: number;
  readonly filter: string;
}

export interface TranscriptState {
  /** `false` while a past run is open. */
  readonly live: boolean;
  readonly book: Book;
  readonly position: Position;
  /** The entry that Enter and `y` act on; `null` is the last on screen. */
  readonly cursor: number | null;
  /** `true` open, `false` folded, absent: as its kind is by default. */
  readonly folds: ReadonlyMap<number, boolean>;
  readonly filter: string;
  /** Lines wrap; else they are cut at the edge, and what is left of `shift` cells is not on screen. */
  readonly wrap: boolean;
  readonly shift: number;
  /** The run's total when its end was left: what came since is new. */
  readonly leftAt: number;
  /** Pages asked for and not here yet, by their first entry. */
  readonly asked: ReadonlySet<number>;
}

/** `half`: most of the body, the others a line each; `full`: all of it. */
export type Zoom = 'normal' | 'half' | 'full';

export interface Notice {
  readonly tone: 'ok' | 'info' | 'error';
  readonly text: string;
  readonly until: number;
}

/** Everything that is only the screen's. Changed by `step` alone. */
export interface ScreenState {
  readonly view: ViewName;
  /** The panel in focus in the overview. */
  readonly panel: PanelName;
  /** How much of the body the panel in focus takes. */
  readonly zoom: Zoom;
  readonly lists: Readonly<Record<ListName, ListState>>;
  readonly transcript: TranscriptState;
  readonly dialog: Dialog | null;
  /** Drafts read to their end, with the hash of what was read. */
  readonly read: ReadonlyMap<string, string>;
  readonly marked: ReadonlySet<string>;
  /** Drafts rejected here, newest last. */
  readonly rejected: readonly string[];
  readonly notice: Notice | null;
  readonly mouse: boolean;
  /** The person asked to quit when the run is done. */
  readonly draining: boolean;
  /** The program that was set up from here: the daemon takes it up when it is restarted. */
  readonly setUp: string | null;
  /** When P was last pressed: a held key is not a decision. */
  readonly lastPublishAt: number | null;
}

/** What the shell does after a step. */
export type Effect =
  | { readonly do: 'send'; readonly intent: Intent }
  | { readonly do: 'draft'; readonly id: string }
  | { readonly do: 'thread'; readonly id: string; readonly after: number }
  | { readonly do: 'why'; readonly id: string }
  | { readonly do: 'search'; readonly query: string; readonly offset: number }
  | { readonly do: 'transcript'; readonly runId: string; readonly from: number; readonly count: number }
  | { readonly do: 'edit'; readonly text: string; readonly for: 'draft' | 'compose' }
  | { readonly do: 'copy'; readonly text: string }
  /** Runs a wats command in the person's terminal. */
  | { readonly do: 'command'; readonly args: readonly string[] }
  | { readonly do: 'save'; readonly what: Saving }
  /** Writes down what the screen shows and what happened last, without the words. */
  | { readonly do: 'dump' }
  | { readonly do: 'mouse'; readonly on: boolean }
  | { readonly do: 'repaint' }
  | { readonly do: 'suspend' }
  | { readonly do: 'quit'; readonly how: Leaving };

/** How a person leaves the screen. */
export type Leaving = Exclude<QuitHow, 'stay'> | 'close';

/** What `^S` writes to a file: a run's transcript from its first entry on, or a text that is on screen. */
export type Saving =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string };

const LIST: ListState = { key: null, index: 0, top: 0, filter: '' };

/** The screen at its start. Drafts that wait are in focus: they are what a person is asked for. */
export function firstState(view: View, mouse = false): ScreenState {
  return {
    view: 'overview',
    panel: view.drafts.total > 0 ? 'drafts' : 'transcript',
    zoom: 'normal',
    lists: {
      drafts: LIST,
      paused: LIST,
      queue: LIST,
      runs: LIST,
      posts: LIST,
      peers: LIST,
      log: LIST,
      settings: LIST,
    },
    transcript: liveTranscript(view),
    dialog: null,
    read: new Map(),
    marked: new Set(),
    rejected: [],
    notice: null,
    mouse,
    draining: false,
    setUp: null,
    lastPublishAt: null,
  };
}

export function liveTranscript(view: View): TranscriptState {
  return { ...pastTranscript(null, 0), live: true, book: withTail(EMPTY_BOOK, view.transcript, false) };
}

/** The transcript of a run that is opened from its beginning's end: its newest entries are fetched first. */
export function pastTranscript(runId: string | null, total: number): TranscriptState {
  return {
    live: false,
    book: { runId, total, first: total, entries: [] },
    position: END,
    cursor: null,
    folds: new Map(),
    filter: '',
    wrap: true,
    shift: 0,
    leftAt: 0,
    asked: new Set(),
  };
}

/** Results and thoughts are folded until a person opens them. */
export function isOpen(transcript: TranscriptState, entry: TranscriptEntry): boolean {
  return transcript.folds.get(entry.n) ?? false;
}
