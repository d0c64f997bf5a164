import { layout, type PanelBox } from '../layout/layout.ts';
import { pagesOf } from '../transcript/geometry.ts';
import { linesAt } from '../transcript/position.ts';
import { type Context, focusOf, listInFocus } from './context.ts';
import { moveSelection, selectAt } from './lists.ts';
import { put, scrollBy } from './reading.ts';
import type { ScreenState } from './state.ts';

/** Rows that one notch of the wheel scrolls. */
const NOTCH = 3;

/** The wheel scrolls what is in focus; in dialogs it does nothing but scroll a draft. */
export function wheeled(state: ScreenState, context: Context, by: number): ScreenState {
  const { dialog } = state;
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

/** A click focuses a panel and selects its row. It never decides anything. */
export function clicked(state: ScreenState, context: Context, x: number, y: number): ScreenState {
  if (state.dialog !== null) return state;
  const box = layout(context.view, state, context.size).boxes.find((candidate) => within(candidate, x, y));
  if (box === undefined) return state;
  const focused = state.view === 'overview' ? { ...state, panel: box.panel } : state;
  const line = y - box.y - 1;
  if (box.look === 'line' || line < 0) return focused;
  if (box.panel === 'transcript') {
    const hit = linesAt(focused.transcript.position, pagesOf(focused, context))[line];
    return hit === undefined ? focused : put(focused, { cursor: hit.n });
  }
  if (focusOf(focused) !== box.panel) return focused;
  const verdict = box.panel === 'queue' && context.view.queue.verdict !== null ? 1 : 0;
  return selectAt(focused, context, box.panel, state.lists[box.panel].top + line - verdict);
}

function within(box: PanelBox, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}
