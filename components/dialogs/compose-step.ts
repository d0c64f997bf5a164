import { visible } from '../../src/text/index.ts';
import { graphemesOf, type KeyName, textOfKey } from '../keys/names.ts';
import { layout } from '../layout/layout.ts';
import type { Context } from '../state/context.ts';
import type { ComposeDialog } from '../state/dialogs.ts';
import type { Stepped } from '../state/events.ts';
import { say } from '../state/notices.ts';
import type { ScreenState } from '../state/state.ts';
import { composeHeight, composeText, kindOf, kindsOf } from './compose.ts';
import { insert, typed } from './small-step.ts';

const FIELDS = ['kind', 'title', 'text'] as const;
/** Longest text typed here; longer ones come from an editor. */
export const MAX_TEXT = 20_000;

export function openCompose(
  state: ScreenState,
  parent: ComposeDialog['parent'],
  back: ComposeDialog['back'] = null,
): ScreenState {
  const dialog: ComposeDialog = {
    kind: 'compose',
    parent,
    choice: 0,
    title: { text: '' },
    text: '',
    focus: 'kind',
    scroll: 0,
    error: null,
    back,
  };
  return { ...state, dialog };
}

export function composeAction(
  state: ScreenState,
  context: Context,
  dialog: ComposeDialog,
  action: string,
): Stepped {
  switch (action) {
    case 'back':
      return [{ ...state, dialog: dialog.back }, []];
    case 'field':
      return [withDialog(state, { focus: fieldAfter(dialog, 1) }), []];
    case 'fieldBack':
      return [withDialog(state, { focus: fieldAfter(dialog, -1) }), []];
    case 'left':
    case 'right': {
      if (dialog.focus !== 'kind') return [state, []];
      const many = kindsOf(dialog).length;
      return [
        withDialog(state, { choice: (dialog.choice + (action === 'right' ? 1 : many - 1)) % many }),
        [],
      ];
    }
    case 'edit':
      return [withDialog(state, { focus: 'text' }), [{ do: 'edit', text: dialog.text, for: 'compose' }]];
    case 'pageUp':
    case 'pageDown':
      return [scrollText(state, context, dialog, action), []];
    case 'send':
      return send(state, context, dialog);
    default:
      return [state, []];
  }
}

/** A key that is no action types into the field in focus. */
export function composeKey(state: ScreenState, dialog: ComposeDialog, key: KeyName): ScreenState {
  if (dialog.focus === 'title') {
    const title = typed(dialog.title, key);
    return title === null ? state : withDialog(state, { title });
  }
  if (dialog.focus === 'text') {
    if (key === 'backspace')
      return withDialog(state, { text: graphemesOf(dialog.text).slice(0, -1).join('') });
    const text = textOfKey(key);
    return text === null
      ? state
      : withDialog(state, { text: (dialog.text + text).slice(0, MAX_TEXT), error: null });
  }
  return state;
}

/** Pasted text goes where typed text would; it never posts. */
export function composePaste(state: ScreenState, dialog: ComposeDialog, text: string): ScreenState {
  if (dialog.focus === 'title') return withDialog(state, { title: insert(dialog.title, text) });
  const block = text.replace(/\r\n?/g, '\n');
  return withDialog(state, { focus: 'text', text: (dialog.text + block).slice(0, MAX_TEXT) });
}

export function composeEdited(state: ScreenState, text: string | null): ScreenState {
  if (state.dialog?.kind !== 'compose' || text === null) return state;
  const clean = visible(text, 'block').replace(/\n+$/, '');
  return withDialog(state, { text: clean, scroll: 0, focus: 'text', error: null });
}

function send(state: ScreenState, context: Context, dialog: ComposeDialog): Stepped {
  if (dialog.focus !== 'text') return [withDialog(state, { focus: fieldAfter(dialog, 1) }), []];
  if (dialog.text.trim() === '') return [withDialog(state, { error: 'there is no text yet' }), []];
  // Only what the terminal has shown is posted.
  const shown = context.painted?.dialog;
  if (shown?.kind !== 'compose' || shown.text !== dialog.text) return [state, []];
  const sent = say({ ...state, dialog: dialog.back }, context.now, 'info', 'posting…');
  const intent = {
    do: 'post',
    kind: kindOf(dialog),
    parent: dialog.parent?.id ?? null,
    title: dialog.title.text.trim(),
    text: dialog.text,
    tags: [],
  } as const;
  return [sent, [{ do: 'send', intent }]];
}

function scrollText(
  state: ScreenState,
  context: Context,
  dialog: ComposeDialog,
  action: string,
): ScreenState {
  const { body } = layout(context.view, state, context.size);
  const height = composeHeight(body);
  const last = Math.max(0, composeText(dialog, body.width).length - height);
  const to = dialog.scroll + (action === 'pageDown' ? height : -height);
  return withDialog(state, { scroll: Math.max(0, Math.min(to, last)) });
}

function fieldAfter(dialog: ComposeDialog, by: 1 | -1): ComposeDialog['focus'] {
  return FIELDS[(FIELDS.indexOf(dialog.focus) + by + FIELDS.length) % FIELDS.length] ?? 'kind';
}

function withDialog(state: ScreenState, fields: Partial<ComposeDialog>): ScreenState {
  if (state.dialog?.kind !== 'compose') return state;
  return { ...state, dialog: { ...state.dialog, error: null, ...fields } };
}
