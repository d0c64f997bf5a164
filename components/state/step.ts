import {
  composeAction,
  composeEdited,
  composeKey,
  composePaste,
  openCompose,
} from '../dialogs/compose-step.ts';
import { draftAction, draftArrived, draftEdited, recheckDraft, settleDraft } from '../dialogs/draft-step.ts';
import { helpChoice, helpKey, helpMove, openHelp } from '../dialogs/help-step.ts';
import {
  searchAction,
  searchArrived,
  searchFailed,
  searchKey,
  settleSearch,
} from '../dialogs/search-step.ts';
import { commanded, setupAction, setupKey } from '../dialogs/setup.ts';
import {
  bulkAction,
  bulkKey,
  insert,
  quitAction,
  quitKey,
  rejectAction,
  typed,
} from '../dialogs/small-step.ts';
import { settleThread, threadAction, threadArrived, threadFailed } from '../dialogs/thread-step.ts';
import { lineAction, whyAction, whyArrived, whyFailed } from '../dialogs/why-step.ts';
import { whyNot } from '../keys/allowed.ts';
import type { Scope } from '../keys/table.ts';
import { withPage } from '../transcript/book.ts';
import { screenAction } from './actions.ts';
import type { Context } from './context.ts';
import type { Event, Stepped } from './events.ts';
import { filterAction, filterKey } from './filtering.ts';
import { settleLists } from './lists.ts';
import { hush, say } from './notices.ts';
import { clicked, wheeled } from './pointer.ts';
import { followView, missingPage, put } from './reading.ts';
import { told } from './results.ts';
import type { Effect, ScreenState } from './state.ts';

/** The one place where the screen's state changes: pure, and the same for the daemon's screen and `attach`. */
export function step(state: ScreenState, event: Event, context: Context): Stepped {
  const [next, effects] = react(state, event, context);
  return settle(next, effects, context);
}

function react(state: ScreenState, event: Event, context: Context): Stepped {
  switch (event.type) {
    case 'key':
      return pressed(state, event.key, event.alone, context);
    case 'paste':
      return [pasted(state, context, event.text), []];
    case 'world':
      return [state, []];
    case 'draft':
      return draftArrived(state, event.id, event.page);
    case 'draftFailed': {
      const { dialog } = state;
      if (dialog?.kind !== 'draft' || dialog.id !== event.id) return [state, []];
      return [{ ...state, dialog: { ...dialog, error: event.text } }, []];
    }
    case 'thread':
      return [threadArrived(state, context, event.id, event.page), []];
    case 'threadFailed':
      return [threadFailed(state, event.id, event.text), []];
    case 'why':
      return [whyArrived(state, context, event.id, event.page), []];
    case 'whyFailed':
      return [whyFailed(state, event.id, event.text), []];
    case 'search':
      return [searchArrived(state, event.query, event.page), []];
    case 'searchFailed':
      return [searchFailed(state, event.query, event.text), []];
    case 'commanded':
      return [commanded(state, context, event.args, event.code), []];
    case 'transcript':
      return [pageArrived(state, event.from, event.page), []];
    case 'transcriptFailed': {
      if (state.transcript.book.runId !== event.runId) return [state, []];
      return [say(state, context.now, 'error', event.text), []];
    }
    case 'result':
      return [told(state, context, event.intent, event.result), []];
    case 'edited': {
      if (event.for === 'compose') return [composeEdited(state, event.text), []];
      return [draftEdited(state, context.now, event.text), []];
    }
    case 'notice':
      return [say(state, context.now, event.tone, event.text), []];
    case 'wheel':
      return wheeled(state, context, event.by);
    case 'click':
      return clicked(state, context, event.x, event.y);
    default:
      return event satisfies never;
  }
}

function pressed(before: ScreenState, key: string, alone: boolean, context: Context): Stepped {
  const { dialog } = before;
  const scope: Scope = dialog?.kind ?? 'screen';
  const action = context.bindings.find(scope, key);
  // Another key in between: a P that was held has been let go.
  const same = action?.id === 'draft.publish' || before.lastPublishAt === null;
  const state = hush(same ? before : forgetPress(before));
  const name = action?.id.slice(scope.length + 1);
  if (action !== undefined && name !== undefined) {
    const why = whyNot(action, state, context);
    if (why !== null) return [say(state, context.now, 'info', why), []];
  }
  if (dialog === null) return name === undefined ? [state, []] : screenAction(state, context, name, key);
  switch (dialog.kind) {
    case 'draft':
      if (name === 'help') return [openHelp(state, dialog), []];
      if (name === 'reply') {
        const parent = dialog.page?.parent ?? null;
        return [
          parent === null ? state : openCompose(state, { id: parent.id, title: parent.title }, dialog),
          [],
        ];
      }
      if (name === 'repaint') return screenAction(state, context, name, key);
      return name === undefined ? [state, []] : draftAction(state, context, name, alone);
    case 'thread':
    case 'why':
      if (name === undefined) return [state, []];
      if (name === 'help') return [openHelp(state, dialog), []];
      if (name === 'repaint') return screenAction(state, context, name, key);
      return dialog.kind === 'thread'
        ? threadAction(state, context, dialog, name)
        : whyAction(state, context, dialog, name);
    case 'search':
      return name === undefined
        ? [searchKey(state, dialog, key), []]
        : searchAction(state, context, dialog, name);
    case 'line':
      return name === undefined ? [state, []] : lineAction(state, context, dialog, name);
    case 'reject': {
      if (name !== undefined) return rejectAction(state, context, dialog, name);
      const reason = typed(dialog.reason, key);
      return [reason === null ? state : { ...state, dialog: { ...dialog, reason } }, []];
    }
    case 'bulk':
      if (name !== undefined) return bulkAction(state, context, dialog, name, alone);
      return [{ ...state, dialog: bulkKey(dialog, key, alone) }, []];
    case 'quit':
      return name === undefined ? [quitKey(state, context, key), []] : quitAction(state, context, name);
    case 'setup':
      return name === undefined
        ? [setupKey(state, context, dialog, key), []]
        : setupAction(state, context, dialog, name);
    case 'stop': {
      const closed = { ...state, dialog: null };
      return name === 'send'
        ? [closed, [{ do: 'send', intent: { do: 'stop' } }]]
        : [name === 'back' ? closed : state, []];
    }
    case 'help':
      if (name === 'send') return chosen(state, context);
      return [name === undefined ? helpKey(state, dialog, key) : helpMove(state, context, dialog, name), []];
    case 'compose':
      return name === undefined
        ? [composeKey(state, dialog, key), []]
        : composeAction(state, context, dialog, name);
    case 'filter':
      return [
        name === undefined ? filterKey(state, context, dialog, key) : filterAction(state, dialog, name),
        [],
      ];
    default:
      return dialog satisfies never;
  }
}

/** Enter in the help: the help goes, and the key that the line stands for is pressed. Never the one that publishes. */
function chosen(state: ScreenState, context: Context): Stepped {
  const { dialog } = state;
  if (dialog?.kind !== 'help') return [state, []];
  const [closed, key] = helpChoice(state, context, dialog);
  return key === null ? [closed, []] : pressed(closed, key, false, context);
}

/** Pasted text is text: it goes into a field, or nowhere. */
function pasted(state: ScreenState, context: Context, text: string): ScreenState {
  const { dialog } = state;
  switch (dialog?.kind) {
    case 'reject':
      return { ...state, dialog: { ...dialog, reason: insert(dialog.reason, text) } };
    case 'search':
      return { ...state, dialog: { ...dialog, field: insert(dialog.field, text) } };
    case 'help':
      return { ...state, dialog: { ...dialog, query: insert(dialog.query, text), selected: 0 } };
    case 'compose':
      return composePaste(state, dialog, text);
    case 'filter':
      return filterKey(state, context, { ...dialog, field: insert(dialog.field, text) }, '');
    default:
      return say(state, context.now, 'info', 'pasted text does nothing here');
  }
}

function pageArrived(state: ScreenState, from: number, page: Parameters<typeof withPage>[1]): ScreenState {
  const { transcript } = state;
  if (transcript.book.runId !== page.runId) return state;
  const asked = new Set(transcript.asked);
  asked.delete(from);
  const last = page.entries.at(-1)?.n ?? -1;
  const { position } = transcript;
  const wanted = position.at === 'end' ? last >= page.total - 1 : position.n >= from && position.n <= last;
  return put(state, { asked, book: withPage(transcript.book, page, wanted) });
}

/** What must hold after every step, whatever changed: the view, the size, the state. */
function settle(state: ScreenState, effects: readonly Effect[], context: Context): Stepped {
  let next = settleDraft(settleLists(followView(state, context), context), context);
  next = forget(next, context);
  const [checked, drafts] = recheckDraft(next, context);
  const [threaded, posts] = settleThread(checked, context);
  const [searched, hits] = settleSearch(threaded, context);
  const more = [...drafts, ...posts, ...hits];
  const all = more.length === 0 ? effects : [...effects, ...more];
  const missing = missingPage(searched, context);
  if (missing?.do !== 'transcript') return [searched, all];
  const asked = new Set(searched.transcript.asked).add(missing.from);
  return [put(searched, { asked }), [...all, missing]];
}

/** Drops the marks of drafts that no longer wait. */
function forget(state: ScreenState, { view }: Context): ScreenState {
  if (state.marked.size === 0) return state;
  const waiting = new Set(view.drafts.rows.map((row) => row.id));
  const marked = [...state.marked].filter((id) => waiting.has(id));
  return marked.length === state.marked.size ? state : { ...state, marked: new Set(marked) };
}

/** Another key ends a press of P, and with it what the frame said of that press: it offers P again in plain words. */
function forgetPress(state: ScreenState): ScreenState {
  const { dialog } = state;
  const draft = dialog?.kind === 'draft' ? { ...dialog, refused: null } : dialog;
  return { ...state, lastPublishAt: null, dialog: draft };
}
