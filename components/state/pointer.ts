import { clickThread, scrollRows } from '../dialogs/thread-step.ts';
import { layout, type PanelBox } from '../layout/layout.ts';
import { pagesOf } from '../transcript/geometry.ts';
import { linesAt } from '../transcript/position.ts';
import { screenAction } from './actions.ts';
import { type Context, focusOf, listInFocus, selected } from './context.ts';
import type { Stepped } from './events.ts';
import { moveSelection, selectAt } from './lists.ts';
import { put, scrollBy } from './reading.ts';
import type { ScreenState } from './state.ts';

/** Rows that one notch of the wheel scrolls. */
const NOTCH = 3;

/** The wheel scrolls what is in focus; in dialogs it does nothing but scroll a draft. */
export function wheeled(state: ScreenState, context: Context, by: number): Stepped {
  return [wheel(state, context, by), []];
}

function wheel(state: ScreenState, context: Context, by: number): ScreenState {
  const { dialog } = state;
  if (dialog?.kind === 'thread') return scrollRows(state, context, dialog, by * NOTCH);
  if (dialog?.kind === 'why')
    return { ...state, dialog: { ...dialog, scroll: Math.max(0, dialog.scroll + by) } };
  if (dialog?.kind === 'draft') {
    const scroll = dialog.pane === 'draft' ? 'scroll' : 'parentScroll';
    return { ...state, dialog: { ...dialog, [scroll]: Math.max(0, dialog[scroll] + by * NOTCH) } };
  }
  if (dialog !== null) return state;
  const list = listInFocus(state);
  return list === null
    ? scrollBy(state, context, by * NOTCH)
    : moveSelection(state, context, list, by * NOTCH);
}

/** A click focuses a panel and selects its row; one on the row that is selected already opens it. None decides. */
export function clicked(state: ScreenState, context: Context, x: number, y: number): Stepped {
  const placed = layout(context.view, state, context.size);
  const { dialog } = state;
  if (dialog?.kind === 'thread') return [clickThread(state, context, dialog, y - placed.body.y), []];
  if (dialog !== null) return [state, []];
  const box = placed.boxes.find((candidate) => within(candidate, x, y));
  if (box === undefined) return [state, []];
  const focused = state.view === 'overview' ? { ...state, panel: box.panel } : state;
  const line = y - box.y - 1;
  if (box.look === 'line' || line < 0 || line >= box.height - 2) return [focused, []];
  const was = focusOf(state) === box.panel;
  if (box.panel === 'transcript') {
    const { cursor, position } = focused.transcript;
    const hit = linesAt(position, pagesOf(focused, context))[line];
    if (hit === undefined) return [focused, []];
    if (was && hit.n === cursor) return screenAction(focused, context, 'open', 'enter');
    return [put(focused, { cursor: hit.n }), []];
  }
  if (focusOf(focused) !== box.panel) return [focused, []];
  const verdict = box.panel === 'queue' && context.view.queue.verdict !== null ? 1 : 0;
  const at = state.lists[box.panel].top + line - verdict;
  const { rows, index } = selected(focused, context.view, box.panel);
  if (at < 0 || at >= rows.length) return [focused, []];
  if (was && at === index) return screenAction(focused, context, 'open', 'enter');
  return [selectAt(focused, context, box.panel, at), []];
}

function within(box: PanelBox, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}
