import { graphemesOf, type KeyName, oneLine, textOfKey } from '../keys/names.ts';
import type { Context } from '../state/context.ts';
import type { BulkDialog, DraftDialog, Field, RejectDialog } from '../state/dialogs.ts';
import type { Stepped } from '../state/events.ts';
import { say } from '../state/notices.ts';
import type { Effect, ScreenState } from '../state/state.ts';
import { quitChoices, quitIndex } from './quit.ts';

/** Longest text of a one-line field, in characters. */
const MAX_FIELD = 500;

/** A field after a key; `null` when the key is not one that edits. */
export function typed(field: Field, key: KeyName, most = MAX_FIELD): Field | null {
  if (key === 'backspace') return { text: graphemesOf(field.text).slice(0, -1).join('') };
  if (key === 'ctrl-u') return { text: '' };
  if (key === 'ctrl-w') return { text: field.text.replace(/\S*\s*$/, '') };
  const text = textOfKey(key);
  return text === null ? null : insert(field, text, most);
}

/** A field after text was pasted into it: one line of it. */
export function insert(field: Field, text: string, most = MAX_FIELD): Field {
  return { text: (field.text + oneLine(text)).slice(0, most) };
}

export function openReject(state: ScreenState, id: string, back: DraftDialog | null): ScreenState {
  return { ...state, dialog: { kind: 'reject', id, reason: { text: '' }, back } };
}

export function rejectAction(
  state: ScreenState,
  context: Context,
  dialog: RejectDialog,
  action: string,
): Stepped {
  if (action === 'back') return [{ ...state, dialog: dialog.back }, []];
  const marked = new Set(state.marked);
  marked.delete(dialog.id);
  const sent = say({ ...state, dialog: null, marked }, context.now, 'info', 'rejecting…');
  return [
    sent,
    [{ do: 'send', intent: { do: 'reject', draft: dialog.id, reason: dialog.reason.text.trim() } }],
  ];
}

/** Marked drafts that still wait, with the hashes of what was read of them. */
export function openBulk(state: ScreenState, context: Context): ScreenState {
  const items = [...state.marked].flatMap((id) => {
    const sha256 = state.read.get(id);
    const waits = context.view.drafts.rows.some((row) => row.id === id);
    return sha256 !== undefined && waits ? [{ id, sha256 }] : [];
  });
  if (items.length === 0) return say(state, context.now, 'info', 'no marked draft waits any more');
  return { ...state, dialog: { kind: 'bulk', items, typed: { text: '' } } };
}

/** The count counts only when it was typed key by key. */
export function bulkKey(dialog: BulkDialog, key: KeyName, alone: boolean): BulkDialog {
  if (key !== 'backspace' && !(alone && /^\d$/.test(key))) return dialog;
  return { ...dialog, typed: typed(dialog.typed, key) ?? dialog.typed };
}

export function bulkAction(
  state: ScreenState,
  context: Context,
  dialog: BulkDialog,
  action: string,
  alone: boolean,
): Stepped {
  if (action === 'back') return [{ ...state, dialog: null }, []];
  const painted = context.painted?.dialog;
  const shown = painted?.kind === 'bulk' && painted.items === dialog.items;
  if (!alone || !shown || dialog.typed.text !== String(dialog.items.length))
    return [say(state, context.now, 'info', `type ${dialog.items.length}, then press Enter`), []];
  const effects = dialog.items.map(
    ({ id, sha256 }): Effect => ({ do: 'send', intent: { do: 'approve', draft: id, sha256 } }),
  );
  const sent = say({ ...state, dialog: null, marked: new Set() }, context.now, 'info', 'publishing…');
  return [sent, effects];
}

export function quitAction(state: ScreenState, context: Context, action: string): Stepped {
  const { dialog } = state;
  if (dialog?.kind !== 'quit') return [state, []];
  const choices = quitChoices(state, context);
  const index = quitIndex(dialog, choices);
  if (action === 'up' || action === 'down') {
    const at = (index + (action === 'down' ? 1 : choices.length - 1)) % choices.length;
    return [{ ...state, dialog: { kind: 'quit', choice: choices[at]?.how ?? 'stay' } }, []];
  }
  if (action === 'back') return [{ ...state, dialog: null }, []];
  const how = choices[index]?.how ?? 'stay';
  const closed = { ...state, dialog: null };
  if (how === 'stay') return [closed, []];
  const draining = how === 'drain';
  return [{ ...closed, draining }, [{ do: 'quit', how }]];
}

/** A digit goes to its choice; Enter does it. */
export function quitKey(state: ScreenState, context: Context, key: KeyName): ScreenState {
  const choice = quitChoices(state, context)[Number(key) - 1];
  return choice === undefined ? state : { ...state, dialog: { kind: 'quit', choice: choice.how } };
}
