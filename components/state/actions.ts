import { openCompose } from '../dialogs/compose-step.ts';
import { mark, openDraft, scrollTo } from '../dialogs/draft-step.ts';
import { openSearch } from '../dialogs/search-step.ts';
import { openSetup } from '../dialogs/setup.ts';
import { openBulk, openReject } from '../dialogs/small-step.ts';
import { openThread } from '../dialogs/thread-step.ts';
import { openLine, openWhy } from '../dialogs/why-step.ts';
import { setupCommand } from '../panels/first-start.ts';
import { timeOfDay } from '../panels/rows.ts';
import { PAGE } from '../transcript/book.ts';
import { pagesOf } from '../transcript/geometry.ts';
import {
  type Context,
  focusOf,
  isFirstStart,
  isRunning,
  listInFocus,
  postInFocus,
  selected,
} from './context.ts';
import type { Stepped } from './events.ts';
import { heightOf, moveSelection, selectAt, setList } from './lists.ts';
import { say } from './notices.ts';
import { type ListName, OVERVIEW_PANELS, VIEWS, type ViewName } from './places.ts';
import {
  cursorEntry,
  put,
  scrollBy,
  shiftBy,
  stepEntry,
  toBottom,
  toggleFold,
  toggleWrap,
  toTop,
} from './reading.ts';
import { copyOf, type RowOf } from './rows.ts';
import { save } from './saving.ts';
import { liveTranscript, pastTranscript, type ScreenState, type Zoom } from './state.ts';

const ZOOMS: readonly Zoom[] = ['normal', 'half', 'full'];

/** What a key of the screen itself does. `key` tells the arrow from the letter where both move. */
export function screenAction(state: ScreenState, context: Context, action: string, key: string): Stepped {
  const { view, now } = context;
  // The table says where these keys work: wherever the drafts are shown.
  const draft = selected(state, view, 'drafts').row;
  switch (action) {
    case 'approve':
      return draft === undefined ? [state, []] : openDraft(state, draft.id);
    case 'edit':
      return draft === undefined ? [state, []] : openDraft(state, draft.id, true);
    case 'reject':
      return [draft === undefined ? state : openReject(state, draft.id, null), []];
    case 'mark':
      return [draft === undefined ? state : mark(state, context, draft.id), []];
    case 'approveMarked':
      return [openBulk(state, context), []];
    case 'undo':
      return undo(state);
    case 'open':
      return open(state, context);
    case 'panel':
      return [focusPanel(state, 1), []];
    case 'panelBack':
      return [focusPanel(state, -1), []];
    case 'compose':
      return [openCompose(state, null), []];
    case 'reply': {
      const post = postInFocus(state, view);
      return [post === null ? state : openCompose(state, { id: post.id, title: post.title }), []];
    }
    case 'why': {
      const post = postInFocus(state, view);
      return post === null ? [state, []] : openWhy(state, post.id);
    }
    case 'wrap':
      return [toggleWrap(state, context), []];
    case 'shiftLeft':
    case 'shiftRight':
      return [shiftBy(state, context, action === 'shiftRight' ? 1 : -1), []];
    case 'run':
      return [say(state, now, 'info', 'asking for a run…'), [{ do: 'send', intent: { do: 'run' } }]];
    case 'pause':
      return [state, [{ do: 'send', intent: { do: view.agent?.paused === true ? 'resume' : 'pause' } }]];
    case 'stop':
      return [{ ...state, dialog: { kind: 'stop' } }, []];
    case 'filter':
      return [openFilter(state), []];
    case 'next':
    case 'previous':
      return [step(state, context, action === 'next' ? 1 : -1), []];
    case 'copy':
      return copy(state, context);
    case 'save':
      return [state, save(state, context)];
    case 'dump':
      return [state, [{ do: 'dump' }]];
    case 'search':
      return [openSearch(state), []];
    case 'acknowledge':
      return [state, [{ do: 'command', args: ['config', 'ack'] }]];
    case 'zoom':
      return [{ ...state, zoom: ZOOMS[ZOOMS.indexOf(state.zoom) + 1] ?? 'full' }, []];
    case 'unzoom':
      return [{ ...state, zoom: ZOOMS[ZOOMS.indexOf(state.zoom) - 1] ?? 'normal' }, []];
    case 'mouse':
      return mouse(state, now);
    case 'repaint':
      return [state, [{ do: 'repaint' }]];
    case 'suspend':
      return [state, [{ do: 'suspend' }]];
    case 'help':
      return [{ ...state, dialog: { kind: 'help', query: { text: '' }, selected: 0, back: null } }, []];
    case 'quit':
      return quit(state, context, key);
    case 'back':
      return [back(state, context), []];
    default:
      break;
  }
  if (VIEWS.some((name) => name === action)) return [showView(state, context, action as ViewName), []];
  return [scroll(state, context, action, key), []];
}

function scroll(state: ScreenState, context: Context, action: string, key: string): ScreenState {
  const list = listInFocus(state);
  if (list !== null) return scrollList(state, context, list, action);
  if (action === 'top') return toTop(state);
  if (action === 'bottom') return toBottom(state, context);
  // The wheel sends arrows: they scroll. Letters go entry by entry.
  if (key === 'j' || key === 'k') return stepEntry(state, context, key === 'j' ? 1 : -1);
  return scrollBy(state, context, scrollTo(action, 0, pagesOf(state, context).height, 0));
}

function scrollList(state: ScreenState, context: Context, list: ListName, action: string): ScreenState {
  const { rows } = selected(state, context.view, list);
  // At its end a log is followed, as it was in the beginning.
  if (action === 'bottom' && list === 'log') return setList(state, list, { key: null });
  if (action === 'top') return selectAt(state, context, list, 0);
  if (action === 'bottom') return selectAt(state, context, list, rows.length - 1);
  return moveSelection(state, context, list, scrollTo(action, 0, heightOf(state, context, list), 0));
}

function step(state: ScreenState, context: Context, by: 1 | -1): ScreenState {
  const list = listInFocus(state);
  return list === null ? stepEntry(state, context, by) : moveSelection(state, context, list, by);
}

function undo(state: ScreenState): Stepped {
  const draft = state.rejected.at(-1);
  if (draft === undefined) return [state, []];
  return [state, [{ do: 'send', intent: { do: 'unreject', draft } }]];
}

function open(state: ScreenState, context: Context): Stepped {
  const { view } = context;
  const focus = focusOf(state);
  switch (focus) {
    case 'transcript':
      return isFirstStart(state, context.view) ? openSetup(state) : toggleFold(state, context);
    case 'drafts': {
      const { row } = selected(state, view, focus);
      return row === undefined ? [state, []] : openDraft(state, row.id);
    }
    case 'posts': {
      const { row } = selected(state, view, focus);
      return row === undefined ? [state, []] : openThread(state, context, row.id);
    }
    case 'paused': {
      const { row } = selected(state, view, focus);
      return row === undefined ? [state, []] : openThread(state, context, row.root, row);
    }
    case 'queue': {
      const about = selected(state, view, focus).row?.about ?? null;
      return about === null ? [state, []] : openWhy(state, about.id);
    }
    case 'log': {
      const { row } = selected(state, view, focus);
      return [row === undefined ? state : openLine(state, `${timeOfDay(row.at)} ${row.level}`, row.text), []];
    }
    case 'runs': {
      const { row } = selected(state, view, focus);
      return row === undefined ? [state, []] : openRun(state, context, row.id);
    }
    case 'settings': {
      const { row } = selected(state, view, focus);
      return [row === undefined ? state : openLine(state, row.key, settingText(row)), []];
    }
    case 'peers':
      return [state, []];
    default:
      return focus satisfies never;
  }
}

/** A setting in words. */
function settingText(row: RowOf['settings']): string {
  const from = row.source === 'default' ? 'its default' : row.source;
  const lines = [row.doc, '', `value         ${row.value}`, `from          ${from}`];
  if (row.acknowledged !== null) lines.push(`acknowledged  ${row.acknowledged}`);
  if (row.safety) lines.push('', 'A safety setting: its change is flagged until "wats config ack".');
  return [...lines, '', `To change it: wats config set ${row.key} VALUE, then restart wats.`].join('\n');
}

function openRun(state: ScreenState, { view }: Context, id: string): Stepped {
  if (id === view.transcript.runId)
    return [{ ...state, view: 'overview', panel: 'transcript', transcript: liveTranscript(view) }, []];
  const transcript = { ...pastTranscript(id, 0), asked: new Set([0]) };
  return [{ ...state, transcript }, [{ do: 'transcript', runId: id, from: 0, count: PAGE }]];
}

function focusPanel(state: ScreenState, by: 1 | -1): ScreenState {
  const at = OVERVIEW_PANELS.indexOf(state.panel);
  const many = OVERVIEW_PANELS.length;
  return { ...state, panel: OVERVIEW_PANELS[(at + by + many) % many] ?? 'transcript' };
}

export function showView(state: ScreenState, context: Context, view: ViewName): ScreenState {
  // A past run is part of the runs: leaving them comes back to what is going on.
  const transcript = state.transcript.live ? state.transcript : liveTranscript(context.view);
  return { ...state, view, zoom: 'normal', transcript };
}

function back(state: ScreenState, context: Context): ScreenState {
  const list = listInFocus(state);
  if (list !== null && state.lists[list].filter !== '') return setList(state, list, { filter: '' });
  if (list === null && state.transcript.filter !== '') return put(state, { filter: '' });
  if (!state.transcript.live) return { ...state, transcript: liveTranscript(context.view) };
  if (state.view !== 'overview') return showView(state, context, 'overview');
  return { ...state, zoom: 'normal' };
}

function openFilter(state: ScreenState): ScreenState {
  const panel = focusOf(state);
  const before = panel === 'transcript' ? state.transcript.filter : state.lists[panel].filter;
  return { ...state, dialog: { kind: 'filter', panel, field: { text: before }, before } };
}

function copy(state: ScreenState, context: Context): Stepped {
  const list = listInFocus(state);
  if (list === null) {
    const entry = cursorEntry(state, context);
    if (entry !== undefined) return [state, [{ do: 'copy', text: entry.text }]];
    // The first start shows one command there.
    return [state, context.view.agent === null ? [{ do: 'copy', text: setupCommand(context.view) }] : []];
  }
  const { row } = selected(state, context.view, list);
  if (row === undefined) return [state, []];
  return [state, [{ do: 'copy', text: copyOf(list, row as RowOf[typeof list]) }]];
}

function mouse(state: ScreenState, now: number): Stepped {
  const on = !state.mouse;
  const text = on ? 'clicks are on; m gives selecting back to the terminal' : 'clicks are off';
  return [say({ ...state, mouse: on }, now, 'info', text), [{ do: 'mouse', on }]];
}

function quit(state: ScreenState, context: Context, key: string): Stepped {
  if (context.mode === 'attach') return [state, [{ do: 'quit', how: 'close' }]];
  // Ctrl-C while the run is being finished means: now.
  if (key === 'ctrl-c' && state.draining && isRunning(context.view))
    return [state, [{ do: 'quit', how: 'now' }]];
  return [{ ...state, dialog: { kind: 'quit', choice: state.draining ? 'stay' : 'drain' } }, []];
}
