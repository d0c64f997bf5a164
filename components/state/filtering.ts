import { typed } from '../dialogs/small-step.ts';
import type { KeyName } from '../keys/names.ts';
import type { Context } from './context.ts';
import type { FilterDialog } from './dialogs.ts';
import { setList } from './lists.ts';
import type { PanelName } from './places.ts';
import { cursorEntry, put } from './reading.ts';
import type { ScreenState } from './state.ts';

/** The filter works while it is typed. */
export function filterKey(
  state: ScreenState,
  context: Context,
  dialog: FilterDialog,
  key: KeyName,
): ScreenState {
  const field = typed(dialog.field, key) ?? dialog.field;
  const next = { ...state, dialog: { ...dialog, field } };
  // What a person was at stays in sight when the rest goes, and when it comes back.
  const cursor = dialog.panel === 'transcript' ? (cursorEntry(state, context)?.n ?? null) : null;
  return apply(next, dialog.panel, field.text, cursor);
}

/** Enter keeps the filter, Esc takes it away. */
export function filterAction(state: ScreenState, dialog: FilterDialog, action: string): ScreenState {
  const closed = { ...state, dialog: null };
  return action === 'send' ? closed : apply(closed, dialog.panel, '', state.transcript.cursor);
}

function apply(state: ScreenState, panel: PanelName, filter: string, cursor: number | null): ScreenState {
  if (panel !== 'transcript') return setList(state, panel, { filter, top: 0 });
  return state.transcript.position.at === 'end' ? put(state, { filter }) : put(state, { filter, cursor });
}
