import type { PostRow, SearchPage } from '../../src/control/index.ts';
import type { KeyName } from '../keys/names.ts';
import { layout } from '../layout/layout.ts';
import { windowTop } from '../panels/list.ts';
import type { Context } from '../state/context.ts';
import type { SearchDialog } from '../state/dialogs.ts';
import type { Stepped } from '../state/events.ts';
import type { ScreenState } from '../state/state.ts';
import { scrollTo } from './draft-step.ts';
import { searchHeight } from './search.ts';
import { typed } from './small-step.ts';
import { openThread } from './thread-step.ts';

/** Hits further back are not paged to: the daemon looks at no more of them either. */
export const MOST_HITS = 5_000;

export function openSearch(state: ScreenState): ScreenState {
  const dialog: SearchDialog = {
    kind: 'search',
    field: { text: '' },
    shown: null,
    posts: [],
    total: 0,
    isMore: false,
    selected: 0,
    top: 0,
    asked: null,
    error: null,
  };
  return { ...state, dialog };
}

/** A key that is no action types into the field. */
export function searchKey(state: ScreenState, dialog: SearchDialog, key: KeyName): ScreenState {
  const field = typed(dialog.field, key);
  return field === null ? state : { ...state, dialog: { ...dialog, field } };
}

export function searchAction(
  state: ScreenState,
  context: Context,
  dialog: SearchDialog,
  action: string,
): Stepped {
  if (action === 'back') return [{ ...state, dialog: null }, []];
  if (action === 'send') {
    const query = dialog.field.text.trim();
    if (query !== dialog.shown) return ask(state, dialog, query, 0);
    const post = dialog.posts[dialog.selected];
    return post === undefined ? [state, []] : openThread(state, context, post.id, null, dialog);
  }
  const height = heightIn(state, context);
  const to = dialog.selected + scrollTo(action, 0, height, 0);
  const last = dialog.posts.length - 1;
  const at = action === 'top' ? 0 : action === 'bottom' ? last : to;
  return [{ ...state, dialog: { ...dialog, selected: Math.max(0, Math.min(at, last)) } }, []];
}

/** A page came. One that was not asked for last is of another search. */
export function searchArrived(state: ScreenState, query: string, page: SearchPage): ScreenState {
  const dialog = searchOf(state);
  if (dialog?.asked?.query !== query || dialog.asked.offset !== page.offset) return state;
  const fresh = page.offset === 0;
  return withSearch(state, {
    ...dialog,
    shown: query,
    ...withHits(fresh ? [] : dialog.posts, page),
    asked: null,
    error: null,
    ...(fresh ? { selected: 0, top: 0 } : {}),
  });
}

/** The hits that are here with those of a page, and how many there are in all. */
export function withHits(
  before: readonly PostRow[],
  page: SearchPage,
): Pick<SearchDialog, 'posts' | 'total' | 'isMore'> {
  const known = new Set(before.map(({ id }) => id));
  const posts = [...before, ...page.posts.filter(({ id }) => !known.has(id))];
  return {
    posts,
    // Hits that are counted and do not come would be asked for again and again.
    total: page.posts.length === 0 ? posts.length : Math.max(page.total, posts.length),
    isMore: page.posts.length > 0 && page.isMore,
  };
}

export function searchFailed(state: ScreenState, query: string, error: string): ScreenState {
  const dialog = searchOf(state);
  if (dialog?.asked?.query !== query) return state;
  return withSearch(state, {
    ...dialog,
    shown: null,
    asked: null,
    error,
    isMore: false,
    posts: [],
    total: 0,
  });
}

/** Keeps the selected post on screen, and asks for the hits that come next before they are reached. */
export function settleSearch(state: ScreenState, context: Context): Stepped {
  const { dialog } = state;
  if (dialog?.kind !== 'search') return [state, []];
  const height = heightIn(state, context);
  const top = windowTop(dialog, dialog.selected, height, dialog.posts.length);
  const kept = top === dialog.top ? state : { ...state, dialog: { ...dialog, top } };
  const here = dialog.posts.length;
  const more = here < dialog.total || dialog.isMore;
  if (dialog.asked !== null || dialog.shown === null || !more || here >= MOST_HITS) return [kept, []];
  if (here - top > 2 * height) return [kept, []];
  return ask(kept, { ...dialog, top }, dialog.shown, here);
}

function ask(state: ScreenState, dialog: SearchDialog, query: string, offset: number): Stepped {
  const asked = { query, offset };
  return [{ ...state, dialog: { ...dialog, asked, error: null } }, [{ do: 'search', ...asked }]];
}

function heightIn(state: ScreenState, context: Context): number {
  return searchHeight(layout(context.view, state, context.size).body);
}

/** The search, also while a thread that was found is open over it. */
function searchOf({ dialog }: ScreenState): SearchDialog | null {
  if (dialog?.kind === 'search') return dialog;
  return dialog !== null && 'back' in dialog && dialog.back?.kind === 'search' ? dialog.back : null;
}

function withSearch(state: ScreenState, search: SearchDialog): ScreenState {
  const { dialog } = state;
  if (dialog?.kind === 'search') return { ...state, dialog: search };
  if (dialog?.kind !== 'thread') return state;
  return { ...state, dialog: { ...dialog, back: search } };
}
