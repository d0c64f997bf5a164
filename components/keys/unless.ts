/** Why a key does nothing now, in words; `null` when it does. One condition a name, for the key table. */
import {
  type Context,
  count,
  focusOf,
  isFirstStart,
  listInFocus,
  postInFocus,
  selected,
} from '../state/context.ts';
import type { ScreenState } from '../state/state.ts';
import { READ_ONLY } from './allowed.ts';

/** Whether the selected draft is on screen, so that a key may act on it: whatever panel has the focus. */
export const draftShown = (state: ScreenState, { view }: Context): string | null => {
  if (state.view !== 'overview' && state.view !== 'drafts') return 'only where the drafts are shown';
  return selected(state, view, 'drafts').row === undefined ? 'no draft waits' : null;
};

export const draftSelected = (state: ScreenState, context: Context): string | null =>
  focusOf(state) === 'drafts' ? draftShown(state, context) : 'only in the drafts panel';

export const agentSet = (_: ScreenState, { view }: Context): string | null =>
  view.agent === null ? 'no agent is set up' : null;

const canSetUp = ({ view, readOnly, canRun }: Context): string | null => {
  if (readOnly) return READ_ONLY;
  if (!canRun) return 'wats setup does it, in another terminal';
  return view.programs.some(({ version }) => version !== null) ? null : 'no agent program was found here';
};

export const unacknowledged = (state: ScreenState, { view, canRun }: Context): string | null => {
  if (focusOf(state) !== 'settings') return 'only in the settings';
  if (view.settings.rows.every(({ acknowledged }) => acknowledged === null))
    return 'every safety setting is as you acknowledged it';
  return canRun ? null : 'wats config ack does it, in another terminal';
};

export const canOpen = (state: ScreenState, context: Context): string | null => {
  const focus = focusOf(state);
  if (isFirstStart(state, context.view)) return canSetUp(context);
  if (focus === 'transcript')
    return state.transcript.book.entries.length === 0 ? 'nothing to unfold yet' : null;
  if (focus === 'drafts') return draftSelected(state, context);
  if (focus === 'peers') return 'rows of this panel do not open';
  const { row } = selected(state, context.view, focus);
  if (row === undefined) return 'the list is empty';
  const wake = focus === 'queue' ? selected(state, context.view, 'queue').row : undefined;
  if (wake !== undefined && wake.about === null)
    return `no post is behind it: ${wake.hold ?? 'it starts with the next run'}`;
  return wake === undefined ? null : agentSet(state, context);
};

export const listNotEmpty = (state: ScreenState, { view }: Context): string | null => {
  const list = listInFocus(state);
  if (list !== null) return count(view, list) === 0 ? 'the list is empty' : null;
  return state.transcript.book.entries.length === 0 ? 'the transcript is empty' : null;
};

export const filterSet = (state: ScreenState): string | null => {
  const list = listInFocus(state);
  const filter = list === null ? state.transcript.filter : state.lists[list].filter;
  return filter === '' ? 'no filter is set' : null;
};

export const replyTarget = (state: ScreenState, { view }: Context): string | null =>
  postInFocus(state, view) === null ? 'no post is selected' : null;

export const whyTarget = (state: ScreenState, context: Context): string | null =>
  replyTarget(state, context) ?? agentSet(state, context);

export const inTranscript = (state: ScreenState): string | null =>
  focusOf(state) === 'transcript' ? null : 'only in a transcript';

export const notWrapped = (state: ScreenState): string | null =>
  inTranscript(state) ?? (state.transcript.wrap ? 'long lines wrap: W turns that off' : null);

/** A draft that somebody decided meanwhile can only be read. */
export const stillHeld = ({ dialog }: ScreenState): string | null =>
  dialog?.kind === 'draft' && dialog.page !== null && dialog.page.state !== 'held'
    ? `it is ${dialog.page.state} already`
    : null;

export const loaded =
  (what: 'thread' | 'why') =>
  ({ dialog }: ScreenState): string | null => {
    if (what === 'thread')
      return dialog?.kind === 'thread' && dialog.posts.length === 0 ? 'it is not here yet' : null;
    return dialog?.kind === 'why' && dialog.page === null ? 'it is not here yet' : null;
  };
