import { boxOf, layout } from '../layout/layout.ts';
import { windowTop } from '../panels/list.ts';
import { listHeight } from '../panels/panel.ts';
import { type Context, selected } from './context.ts';
import type { ListName } from './places.ts';
import { keyOf } from './rows.ts';
import type { ListState, ScreenState } from './state.ts';

const NAMES: readonly ListName[] = ['drafts', 'paused', 'queue', 'runs', 'posts', 'peers', 'log', 'settings'];

export function setList(state: ScreenState, name: ListName, fields: Partial<ListState>): ScreenState {
  return { ...state, lists: { ...state.lists, [name]: { ...state.lists[name], ...fields } } };
}

/** Selects the row at an index, or the nearest one. */
export function selectAt(state: ScreenState, context: Context, name: ListName, index: number): ScreenState {
  const { rows } = selected(state, context.view, name);
  const at = Math.max(0, Math.min(index, rows.length - 1));
  const row = rows[at];
  return setList(state, name, { index: at, key: row === undefined ? null : keyOf(name, row) });
}

export function moveSelection(state: ScreenState, context: Context, name: ListName, by: number): ScreenState {
  return selectAt(state, context, name, selected(state, context.view, name).index + by);
}

/** Rows of a list that are on screen at once. */
export function heightOf(state: ScreenState, context: Context, name: ListName): number {
  const box = boxOf(layout(context.view, state, context.size), name);
  return box === undefined ? 1 : listHeight(context.view, name, box);
}

/** Keeps each list's selection on a row that is there, and its window around it. */
export function settleLists(state: ScreenState, context: Context): ScreenState {
  const placed = layout(context.view, state, context.size);
  let lists = state.lists;
  for (const name of NAMES) {
    const list = lists[name];
    const { row, rows, index } = selected(state, context.view, name);
    const box = boxOf(placed, name);
    const height = box === undefined ? 1 : listHeight(context.view, name, box);
    // A log that nobody scrolled follows its end.
    const end = name === 'log' && list.key === null;
    const at = end ? Math.max(0, rows.length - 1) : index;
    const top = box === undefined ? list.top : windowTop(list, at, height, rows.length);
    // Where nobody chose a row, the first one stays selected, whichever it is.
    const key = list.key === null || row === undefined ? list.key : keyOf(name, row);
    if (top !== list.top || key !== list.key || at !== list.index)
      lists = { ...lists, [name]: { ...list, top, key, index: at } };
  }
  return lists === state.lists ? state : { ...state, lists };
}
