import type { DraftPage } from '../../src/control/index.ts';
import { visible } from '../../src/text/index.ts';
import { layout } from '../layout/layout.ts';
import { type Context, selected } from '../state/context.ts';
import type { DraftDialog } from '../state/dialogs.ts';
import type { Stepped } from '../state/events.ts';
import { selectAt } from '../state/lists.ts';
import { say } from '../state/notices.ts';
import { keyOf } from '../state/rows.ts';
import { saveText } from '../state/saving.ts';
import type { ScreenState } from '../state/state.ts';
import { type DraftView, draftView, lastScroll, paneHeight, showsEnd } from './draft-view.ts';
import { judgePress } from './guard.ts';
import { openReject } from './small-step.ts';

/** Opens a draft and asks for it in full; with `editNow`, its editor comes up when it is here. */
export function openDraft(state: ScreenState, id: string, editNow = false): Stepped {
  const dialog: DraftDialog = {
    kind: 'draft',
    id,
    page: null,
    error: null,
    scroll: 0,
    parentScroll: 0,
    pane: 'draft',
    edited: null,
    ended: false,
    refused: null,
    rechecked: false,
    editNow,
  };
  return [{ ...state, dialog }, [{ do: 'draft', id }]];
}

export function draftArrived(state: ScreenState, id: string, page: DraftPage): Stepped {
  const { dialog } = state;
  if (dialog?.kind !== 'draft' || dialog.id !== id) return [state, []];
  // Other bytes than those read: what was read of them counts for nothing.
  const changed = dialog.page !== null && dialog.page.sha256 !== page.sha256;
  const next: DraftDialog = {
    ...dialog,
    page,
    error: null,
    refused: null,
    editNow: false,
    ...(changed ? { ended: false, edited: null, scroll: 0 } : {}),
  };
  const edit = dialog.editNow ? [{ do: 'edit', text: page.text, for: 'draft' } as const] : [];
  return [{ ...state, dialog: next }, edit];
}

/** What came back from the editor: shown as a diff, to be read to its end before it can be published. */
export function draftEdited(state: ScreenState, now: number, text: string | null): ScreenState {
  const { dialog } = state;
  if (dialog?.kind !== 'draft' || dialog.page === null) return state;
  if (text === null) return say(state, now, 'info', 'the editor gave nothing back: the draft is as it was');
  // Whatever an editor saved, what is shown is what is published.
  const clean = visible(text, 'block').replace(/\n+$/, '');
  if (clean === '') return say(state, now, 'error', 'an empty text cannot be published; x rejects the draft');
  const edited = clean === dialog.page.text.replace(/\n+$/, '') ? null : clean;
  return { ...state, dialog: { ...dialog, edited, ended: false, scroll: 0, pane: 'draft', refused: null } };
}

export function draftAction(state: ScreenState, context: Context, action: string, alone: boolean): Stepped {
  const { dialog } = state;
  if (dialog?.kind !== 'draft') return [state, []];
  const view = viewOf(dialog, state, context);
  switch (action) {
    case 'publish':
      return publish(state, context, alone);
    case 'edit':
      if (dialog.page === null) return [state, []];
      return [state, [{ do: 'edit', text: dialog.edited ?? dialog.page.text, for: 'draft' }]];
    case 'reject':
      return [openReject(state, dialog.id, dialog), []];
    case 'mark':
      return [mark(state, context, dialog.id), []];
    case 'next':
      return neighbour(state, context, 1);
    case 'previous':
      return neighbour(state, context, -1);
    case 'pane':
      if (dialog.page?.parent == null) return [state, []];
      return [{ ...state, dialog: { ...dialog, pane: dialog.pane === 'draft' ? 'parent' : 'draft' } }, []];
    case 'copy':
      return dialog.page === null
        ? [state, []]
        : [state, [{ do: 'copy', text: dialog.edited ?? dialog.page.text }]];
    case 'save': {
      const { page } = dialog;
      if (page === null) return [state, []];
      const text = dialog.edited ?? page.text;
      return [state, saveText(page.id, [page.title, page.tags.join(', '), text])];
    }
    case 'back':
      return [{ ...state, dialog: null }, []];
    default:
      return [view === null ? state : { ...state, dialog: scrolled(dialog, view, action) }, []];
  }
}

/** Marks a draft that was read to its end, or takes the mark away. */
export function mark(state: ScreenState, context: Context, id: string): ScreenState {
  const marked = new Set(state.marked);
  if (marked.delete(id)) return { ...state, marked };
  if (!state.read.has(id))
    return say(
      state,
      context.now,
      'info',
      'only a draft that you opened to its end can be marked: Enter opens it',
    );
  return { ...state, marked: marked.add(id) };
}

/** Keeps scrolls inside their texts, and notes that the end was on screen. */
export function settleDraft(state: ScreenState, context: Context): ScreenState {
  const { dialog } = state;
  if (dialog?.kind !== 'draft' || dialog.page === null) return state;
  const view = viewOf(dialog, state, context);
  if (view === null) return state;
  const scroll = Math.max(0, Math.min(dialog.scroll, lastScroll(view.draft)));
  const parentScroll = Math.max(
    0,
    Math.min(dialog.parentScroll, view.parent === null ? 0 : lastScroll(view.parent)),
  );
  const ended = dialog.ended || showsEnd({ ...dialog, scroll }, view);
  const { id, sha256 } = dialog.page;
  const readNow = ended && dialog.edited === null && state.read.get(id) !== sha256;
  const read = readNow ? new Map(state.read).set(id, sha256) : state.read;
  if (scroll === dialog.scroll && parentScroll === dialog.parentScroll && ended === dialog.ended && !readNow)
    return state;
  return { ...state, read, dialog: { ...dialog, scroll, parentScroll, ended } };
}

/** An open draft that waits no more is asked for once again: another terminal has decided it, or it has expired. */
export function recheckDraft(state: ScreenState, { view }: Context): Stepped {
  const { dialog } = state;
  if (dialog?.kind !== 'draft' || dialog.rechecked || dialog.page?.state !== 'held') return [state, []];
  const { rows, total } = view.drafts;
  const { id } = dialog;
  if (rows.length < total || rows.some((row) => row.id === id)) return [state, []];
  return [{ ...state, dialog: { ...dialog, rechecked: true } }, [{ do: 'draft', id }]];
}

function publish(state: ScreenState, context: Context, alone: boolean): Stepped {
  const { dialog } = state;
  const verdict = judgePress(state, context.painted, { alone, now: context.now });
  const pressed = { ...state, lastPublishAt: context.now };
  if (dialog?.kind !== 'draft') return [pressed, []];
  if (!verdict.publish) return [{ ...pressed, dialog: { ...dialog, refused: verdict.because } }, []];
  const { draft, sha256, text } = verdict;
  const intent = { do: 'approve', draft, sha256, ...(text === null ? {} : { text }) } as const;
  const marked = new Set(state.marked);
  marked.delete(draft);
  const sent = say({ ...pressed, dialog: null, marked }, context.now, 'info', 'publishing…');
  return [sent, [{ do: 'send', intent }]];
}

function scrolled(dialog: DraftDialog, view: DraftView, action: string): DraftDialog {
  const parent = dialog.pane === 'parent' && view.parent !== null;
  const pane = parent && view.parent !== null ? view.parent : view.draft;
  const height = paneHeight(pane);
  const now = parent ? dialog.parentScroll : dialog.scroll;
  const to = scrollTo(action, now, height, lastScroll(pane));
  const next = Math.max(0, Math.min(to, lastScroll(pane)));
  return { ...dialog, refused: null, ...(parent ? { parentScroll: next } : { scroll: next }) };
}

/** Where a scrolling action leads, in rows. */
export function scrollTo(action: string, now: number, height: number, last: number): number {
  const by: Readonly<Record<string, number>> = {
    up: -1,
    down: 1,
    pageUp: -Math.max(1, height - 1),
    pageDown: Math.max(1, height - 1),
    halfUp: -Math.ceil(height / 2),
    halfDown: Math.ceil(height / 2),
    top: -now,
    bottom: last - now,
  };
  return now + (by[action] ?? 0);
}

function neighbour(state: ScreenState, context: Context, by: 1 | -1): Stepped {
  const { rows, index } = selected(state, context.view, 'drafts');
  const { dialog } = state;
  const at = dialog?.kind === 'draft' ? rows.findIndex((row) => row.id === dialog.id) : index;
  // A draft that was decided meanwhile left its place to the next one.
  const row = at < 0 ? rows[index] : rows[at + by];
  if (row === undefined)
    return [
      say(state, context.now, 'info', by > 0 ? 'that was the last draft' : 'that was the first draft'),
      [],
    ];
  const moved = selectAt(state, context, 'drafts', rows.indexOf(row));
  return openDraft(moved, keyOf('drafts', row));
}

function viewOf(dialog: DraftDialog, state: ScreenState, context: Context): DraftView | null {
  if (dialog.page === null) return null;
  const { body, tiny } = layout(context.view, state, context.size);
  // Nothing of it is on screen in a window that is too small.
  if (tiny) return null;
  return draftView(dialog.page, dialog.edited, { columns: body.width, rows: body.height });
}
