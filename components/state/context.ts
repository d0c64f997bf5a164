import type { PostRef, View } from '../../src/control/index.ts';
import type { Bindings } from '../keys/bind.ts';
import type { ListName, PanelName } from './places.ts';
import { allRows, keyOf, type RowOf, rowsIn } from './rows.ts';
import type { ScreenState } from './state.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What a step may know besides the state: all of it plain data. */
export interface Context {
  readonly view: View;
  readonly size: Size;
  /** Ms since the epoch. */
  readonly now: number;
  readonly mode: 'daemon' | 'attach';
  /** Keys that act on the daemon are off. */
  readonly readOnly: boolean;
  /** The daemon ends with this screen: it neither goes on in the background nor starts again. */
  readonly once: boolean;
  /** The state that the terminal shows: the last one whose frame was written. */
  readonly painted: ScreenState | null;
  /** Whether `e` has an editor to open. */
  readonly canEdit: boolean;
  /** Whether a wats command can be run in this terminal. */
  readonly canRun: boolean;
  readonly bindings: Bindings;
}

/** The panel that keys go to. */
export function focusOf(state: ScreenState): PanelName {
  if (state.view === 'overview') return state.panel;
  if (state.view === 'runs' && !state.transcript.live) return 'transcript';
  return state.view;
}

/** The list in focus, or `null` in a transcript. */
export function listInFocus(state: ScreenState): ListName | null {
  const focus = focusOf(state);
  return focus === 'transcript' ? null : focus;
}

/** The selected row of a list and its place among the rows that its filter shows. */
export function selected<K extends ListName>(
  state: ScreenState,
  view: View,
  name: K,
): { readonly row: RowOf[K] | undefined; readonly index: number; readonly rows: readonly RowOf[K][] } {
  const list = state.lists[name];
  const rows = rowsIn(view, name, list.filter);
  const found = list.key === null ? -1 : rows.findIndex((row) => keyOf(name, row) === list.key);
  const index = found >= 0 ? found : Math.max(0, Math.min(list.index, rows.length - 1));
  return { row: rows[index], index, rows };
}

/** Rows that are there at all, filtered or not. */
export function count(view: View, name: ListName): number {
  return allRows(view, name).length;
}

/** The post that the selected row is about, or that the run on screen was woken for. */
export function postInFocus(state: ScreenState, view: View): Pick<PostRef, 'id' | 'title'> | null {
  switch (focusOf(state)) {
    case 'posts':
      return selected(state, view, 'posts').row ?? null;
    case 'queue':
      return selected(state, view, 'queue').row?.about ?? null;
    case 'drafts':
      return selected(state, view, 'drafts').row?.to ?? null;
    case 'paused': {
      const { row } = selected(state, view, 'paused');
      return row === undefined ? null : { id: row.root, title: row.title };
    }
    case 'transcript':
      return view.run?.about ?? null;
    default:
      return null;
  }
}

/** Whether the daemon is away: what is shown is what it last said. */
export function isGone(view: View): boolean {
  return view.alerts.some((alert) => alert.code === 'daemon_gone');
}

/** Whether the transcript panel is in focus and shows how an agent is set up. */
export function isFirstStart(state: ScreenState, view: View): boolean {
  return view.agent === null && focusOf(state) === 'transcript' && state.transcript.book.entries.length === 0;
}

export function isRunning(view: View): boolean {
  return view.run !== null && view.run.state !== 'ended';
}
