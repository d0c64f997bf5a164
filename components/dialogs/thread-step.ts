import type { PausedRow, ThreadPage } from '../../src/control/index.ts';
import { layout } from '../layout/layout.ts';
import type { Context } from '../state/context.ts';
import type { Dialog, ThreadDialog, ThreadItem } from '../state/dialogs.ts';
import type { Stepped } from '../state/events.ts';
import { saveText } from '../state/saving.ts';
import type { ScreenState } from '../state/state.ts';
import { atEntry, END, held, type Line, linesAt, moved, type Pages } from '../transcript/position.ts';
import { openCompose } from './compose-step.ts';
import { scrollTo } from './draft-step.ts';
import { isUnfolded, threadPages } from './thread-view.ts';
import { openWhy } from './why-step.ts';

/** Opens a post in its thread; with `paused`, the turns at the thread's end. */
export function openThread(
  state: ScreenState,
  context: Context,
  id: string,
  paused: PausedRow | null = null,
  back: Dialog | null = null,
): Stepped {
  const dialog: ThreadDialog = {
    kind: 'thread',
    id,
    paused,
    replyHelps: replyHelps(context),
    root: null,
    total: 0,
    posts: [],
    seeking: true,
    asked: true,
    newest: newestOf(context),
    position: END,
    cursor: 0,
    folds: new Map(),
    error: null,
    back,
  };
  return [{ ...state, dialog }, [{ do: 'thread', id, after: 0 }]];
}

/** A page came: what is new of it is added, and what was sought is shown once it is here. */
export function threadArrived(
  state: ScreenState,
  context: Context,
  id: string,
  page: ThreadPage,
): ScreenState {
  const { dialog } = state;
  if (dialog?.kind !== 'thread' || dialog.id !== id) return state;
  const { posts, total } = withPosts(dialog.posts, page);
  const next: ThreadDialog = { ...dialog, root: page.root, posts, total, asked: false, error: null };
  if (!dialog.seeking) return { ...state, dialog: next };
  const found = posts.find((post) => post.id === dialog.id);
  const complete = posts.length >= total;
  if (dialog.paused !== null ? !complete : found === undefined && !complete)
    return { ...state, dialog: next };
  const shown: ThreadDialog = { ...next, seeking: false };
  if (dialog.paused !== null || found === undefined)
    return { ...state, dialog: { ...shown, position: END, cursor: Math.max(0, posts.length - 1) } };
  const position = atEntry(found.n, pagesOf(shown, state, context));
  return { ...state, dialog: { ...shown, position, cursor: found.n } };
}

/** The posts that are here with those of a page, and how many there are in all. */
export function withPosts(
  here: readonly ThreadItem[],
  page: ThreadPage,
): { readonly posts: readonly ThreadItem[]; readonly total: number } {
  const last = here.at(-1)?.seq ?? 0;
  const fresh = page.posts.filter((post) => post.seq > last);
  const posts: ThreadItem[] = [...here];
  for (const post of fresh) posts.push({ ...post, n: posts.length });
  // Posts that are counted and do not come would be sought for ever.
  const total = fresh.length === 0 ? posts.length : Math.max(page.total, posts.length);
  return { posts, total };
}

/** The posts as they are saved to a file. */
export function threadParts(posts: readonly ThreadItem[]): readonly string[] {
  return posts.map(({ kind, id, author, title, text }) =>
    [`${kind} ${id} by ${author}`, title, text.trimEnd()].filter((line) => line !== '').join('\n'),
  );
}

/** Whether a reply written here comes from another author than the agent, so that it un-pauses a thread. */
export function replyHelps({ view }: Pick<Context, 'view'>): boolean {
  return view.agent?.profile !== view.node.profile;
}

export function threadFailed(state: ScreenState, id: string, error: string): ScreenState {
  const { dialog } = state;
  if (dialog?.kind !== 'thread' || dialog.id !== id) return state;
  // It stays marked as asked for: the same page is not asked for again and again.
  return { ...state, dialog: { ...dialog, error } };
}

export function threadAction(
  state: ScreenState,
  context: Context,
  dialog: ThreadDialog,
  action: string,
): Stepped {
  const post = dialog.posts[dialog.cursor];
  switch (action) {
    case 'back':
      return [{ ...state, dialog: dialog.back }, []];
    case 'next':
    case 'previous':
      return [
        { ...state, dialog: stepPost(dialog, pagesOf(dialog, state, context), action === 'next' ? 1 : -1) },
        [],
      ];
    case 'open':
      return [
        post === undefined
          ? state
          : { ...state, dialog: toggle(dialog, post, pagesOf(dialog, state, context)) },
        [],
      ];
    case 'reply':
      return [
        post === undefined ? state : openCompose(state, { id: post.id, title: post.title }, dialog),
        [],
      ];
    case 'why':
      if (post === undefined) return [state, []];
      // The way that was come by is gone back, not on.
      if (dialog.back?.kind === 'why' && dialog.back.id === post.id)
        return [{ ...state, dialog: dialog.back }, []];
      return openWhy(state, post.id, dialog);
    case 'copy':
      return [state, post === undefined ? [] : [{ do: 'copy', text: post.text }]];
    case 'copyId':
      return [state, post === undefined ? [] : [{ do: 'copy', text: post.id }]];
    case 'save':
      return [state, saveText(`thread-${dialog.id.slice(0, 8)}`, threadParts(dialog.posts))];
    default:
      return [{ ...state, dialog: scrollThread(dialog, state, context, action) }, []];
  }
}

/** The wheel, by rows. */
export function scrollRows(
  state: ScreenState,
  context: Context,
  dialog: ThreadDialog,
  by: number,
): ScreenState {
  const pages = pagesOf(dialog, state, context);
  return { ...state, dialog: at(dialog, moved(dialog.position, by, pages), pages) };
}

/** A click selects the post under it; one more folds or unfolds it. `line` counts from the top of the body. */
export function clickThread(
  state: ScreenState,
  context: Context,
  dialog: ThreadDialog,
  line: number,
): ScreenState {
  const pages = pagesOf(dialog, state, context);
  const { body } = layout(context.view, state, context.size);
  const above = body.height - 1 - pages.height;
  const hit = linesAt(dialog.position, pages)[line - above];
  if (hit === undefined) return state;
  const post = dialog.posts[hit.n];
  if (hit.n === dialog.cursor && post !== undefined) return { ...state, dialog: toggle(dialog, post, pages) };
  return { ...state, dialog: { ...dialog, position: held(dialog.position, pages), cursor: hit.n } };
}

/**
 * Keeps the selected post in sight, and asks for the page that is missing: on the way to what is sought, near the
 * end, or since the swarm has a newer post.
 */
export function settleThread(state: ScreenState, context: Context): Stepped {
  const { dialog } = state;
  if (dialog?.kind !== 'thread') return [state, []];
  const pages = pagesOf(dialog, state, context);
  const lines = dialog.seeking ? [] : linesAt(dialog.position, pages);
  const inSight = placed(dialog, dialog.position, lines);
  const kept = inSight.cursor === dialog.cursor ? state : { ...state, dialog: inSight };
  if (dialog.asked) return [kept, []];
  const newest = newestOf(context);
  const more = dialog.posts.length < dialog.total;
  const near = dialog.posts.length - (lines.at(-1)?.n ?? 0) <= lines.length;
  const atEnd = !more && newest !== dialog.newest;
  if (!(more && (dialog.seeking || near)) && !atEnd) return [kept, []];
  const after = dialog.posts.at(-1)?.seq ?? 0;
  return [{ ...kept, dialog: { ...inSight, asked: true, newest } }, [{ do: 'thread', id: dialog.id, after }]];
}

function newestOf({ view }: Context): string | null {
  return view.posts.rows[0]?.id ?? null;
}

function pagesOf(dialog: ThreadDialog, state: ScreenState, context: Context): Pages<ThreadItem> {
  const { body } = layout(context.view, state, context.size);
  return threadPages(dialog, { columns: body.width, rows: body.height }, context.now);
}

function scrollThread(
  dialog: ThreadDialog,
  state: ScreenState,
  context: Context,
  action: string,
): ThreadDialog {
  const pages = pagesOf(dialog, state, context);
  if (action === 'top') return { ...dialog, position: { at: 'entry', n: 0, line: 0, of: 1 }, cursor: 0 };
  if (action === 'bottom') return { ...dialog, position: END, cursor: Math.max(0, dialog.posts.length - 1) };
  return at(dialog, moved(dialog.position, scrollTo(action, 0, pages.height, 0), pages), pages);
}

function at(
  dialog: ThreadDialog,
  position: ThreadDialog['position'],
  pages: Pages<ThreadItem>,
): ThreadDialog {
  return placed(dialog, position, linesAt(position, pages));
}

/** At a position, with the selected post one of those on screen. */
function placed(
  dialog: ThreadDialog,
  position: ThreadDialog['position'],
  lines: readonly Line[],
): ThreadDialog {
  const first = lines[0]?.n;
  const last = lines.at(-1)?.n;
  if (first === undefined || last === undefined) return { ...dialog, position };
  return { ...dialog, position, cursor: Math.min(Math.max(dialog.cursor, first), last) };
}

/** To the post before or after, its beginning in sight. */
function stepPost(dialog: ThreadDialog, pages: Pages<ThreadItem>, by: 1 | -1): ThreadDialog {
  const n = Math.max(0, Math.min(dialog.cursor + by, dialog.posts.length - 1));
  const lines = linesAt(dialog.position, pages);
  if (wholly(n, lines)) return { ...dialog, cursor: n, position: held(dialog.position, pages) };
  return { ...dialog, cursor: n, position: atEntry(n, pages) };
}

function wholly(n: number, lines: readonly Line[]): boolean {
  const own = lines.filter((line) => line.n === n);
  return own[0]?.line === 0 && own.length === own[0].of;
}

function toggle(dialog: ThreadDialog, post: ThreadItem, pages: Pages<ThreadItem>): ThreadDialog {
  const open = !isUnfolded(dialog, post);
  const position = held(dialog.position, pages);
  const own = position.at === 'entry' && position.n === post.n;
  return {
    ...dialog,
    folds: new Map(dialog.folds).set(post.n, open),
    cursor: post.n,
    position: own ? { at: 'entry', n: post.n, line: 0, of: 1 } : position,
  };
}
