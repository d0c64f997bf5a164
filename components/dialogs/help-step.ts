import type { KeyName } from '../keys/names.ts';
import type { Context } from '../state/context.ts';
import type { Dialog, HelpDialog } from '../state/dialogs.ts';
import type { ScreenState } from '../state/state.ts';
import { helpLines } from './help.ts';
import { typed } from './small-step.ts';

export function openHelp(state: ScreenState, back: Dialog | null): ScreenState {
  return { ...state, dialog: { kind: 'help', query: { text: '' }, selected: 0, back } };
}

/** Typing filters at once. */
export function helpKey(state: ScreenState, dialog: HelpDialog, key: KeyName): ScreenState {
  const query = typed(dialog.query, key);
  return query === null ? state : { ...state, dialog: { ...dialog, query, selected: 0 } };
}

export function helpMove(
  state: ScreenState,
  context: Context,
  dialog: HelpDialog,
  action: string,
): ScreenState {
  if (action === 'back') return { ...state, dialog: dialog.back };
  const last = helpLines(dialog, state, context).length - 1;
  const to = dialog.selected + (action === 'down' ? 1 : -1);
  return { ...state, dialog: { ...dialog, selected: Math.max(0, Math.min(to, last)) } };
}

/** The state without the help, and the key of the chosen line; `null` when it does nothing now. */
export function helpChoice(
  state: ScreenState,
  context: Context,
  dialog: HelpDialog,
): readonly [ScreenState, KeyName | null] {
  const line = helpLines(dialog, state, context)[dialog.selected];
  if (line === undefined || line.unless !== null) return [state, null];
  return [{ ...state, dialog: dialog.back }, line.action.keys[0] ?? null];
}
