import type { PausedRow } from '../../src/control/index.ts';
import { excerpt, pad, shortKey, wrapText } from '../../src/text/index.ts';
import { fitted, type Row, row, span, spread } from '../cells/cell.ts';
import { innerWidth } from '../cells/frame.ts';
import { ago, columnsRow, since, tag } from '../panels/columns.ts';
import type { Size } from '../state/context.ts';
import type { ThreadDialog, ThreadItem } from '../state/dialogs.ts';
import type { Pages } from '../transcript/position.ts';

/** The thread as it stands in a body of this size now: what scrolling and drawing share. */
export function threadPages(dialog: ThreadDialog, body: Size, now: number): Pages<ThreadItem> {
  const width = innerWidth(body.columns);
  const turns = dialog.paused === null ? null : turnsOf(dialog.posts);
  const drawn = dialog.paused === null ? cached : uncached;
  return {
    book: { total: dialog.total, first: 0, entries: dialog.posts },
    width,
    height: Math.max(1, body.rows - 2 - noteRows(dialog, body.columns).length),
    keep: () => true,
    rows: (post) => {
      const open = isUnfolded(dialog, post);
      return drawn(post, { width, open, now, turn: turns?.get(post.n) ?? null });
    },
  };
}

/** Posts are read in full; the turns of a paused thread are a list until one is unfolded. */
export function isUnfolded(dialog: ThreadDialog, post: ThreadItem): boolean {
  return dialog.folds.get(post.n) ?? dialog.paused === null;
}

/** What a paused thread waits for, above its turns. */
export function noteRows(dialog: ThreadDialog, columns: number): Row[] {
  const { paused } = dialog;
  if (paused === null) return [];
  const text = pausedNote(paused, dialog.replyHelps);
  return [...wrapText(text, innerWidth(columns)).map((line) => row(' ', span(line, 'warn'))), []];
}

/** Who took turns, and what un-pauses the thread. */
export function pausedNote(paused: PausedRow, replyHelps: boolean): string {
  return (
    `The agent and ${paused.author} took ${paused.turns} turns in a row, over the limit of ${paused.limit}: ` +
    'nothing here wakes the agent until somebody else posts.' +
    (replyHelps ? ' Your own reply (R) counts as somebody else.' : '')
  );
}

/**
 * The turns at the thread's end, by the place of each post: consecutive posts of one author are one turn, and a third
 * author ends them, going back. Counted from the first of them.
 */
export function turnsOf(posts: readonly ThreadItem[]): ReadonlyMap<number, number> {
  const authors = new Set<string>();
  let from = posts.length;
  for (let at = posts.length - 1; at >= 0; at -= 1) {
    const author = posts[at]?.author ?? '';
    if (!authors.has(author) && authors.size === 2) break;
    authors.add(author);
    from = at;
  }
  const turns = new Map<number, number>();
  let turn = 0;
  for (let at = from; at < posts.length; at += 1) {
    if (at === from || posts[at]?.author !== posts[at - 1]?.author) turn += 1;
    turns.set(posts[at]?.n ?? at, turn);
  }
  return turns;
}

interface Look {
  readonly width: number;
  readonly open: boolean;
  readonly now: number;
  readonly turn: number | null;
}

interface Cached {
  readonly width: number;
  readonly open: boolean;
  /** Ages are drawn by the minute. */
  readonly minute: number;
  readonly rows: readonly Row[];
}

const cache = new WeakMap<ThreadItem, Cached>();

/** Rows are laid out once a post, width, fold and minute. */
function cached(post: ThreadItem, look: Look): readonly Row[] {
  const minute = Math.floor(look.now / 60_000);
  const held = cache.get(post);
  if (held !== undefined && held.width === look.width && held.open === look.open && held.minute === minute)
    return held.rows;
  const rows = uncached(post, look);
  cache.set(post, { width: look.width, open: look.open, minute, rows });
  return rows;
}

function uncached(post: ThreadItem, look: Look): readonly Row[] {
  if (!look.open) return [foldedRow(post, look)];
  const lines = (text: string, style: 'plain' | 'bold' | 'dim') =>
    text === ''
      ? []
      : wrapText(text, Math.max(2, look.width - 2)).map((line) => row('  ', span(line, style)));
  return [
    headRow(post, look),
    ...lines(chainNote(post), 'dim'),
    ...lines(post.title, 'bold'),
    ...lines(post.tags.length === 0 ? '' : `tags: ${post.tags.join(', ')}`, 'dim'),
    ...lines(post.text.trimEnd(), 'plain'),
    [],
  ];
}

/** Kind, who, when, what it answers; its id at the right. */
function headRow(post: ThreadItem, { width, now, turn }: Look): Row {
  const left = row(
    turn === null ? null : span(`${turn}  `, 'dim'),
    span(post.kind, 'accent'),
    '  ',
    authorOf(post),
    span(` · ${ago(post.at, now)}${post.parent === null ? '' : ` · to ${tag(post.parent)}`}`, 'dim'),
    badgeOf(post),
  );
  return spread(left, row(span(shortKey(post.id), 'dim')), width);
}

function foldedRow(post: ThreadItem, { width, now, turn }: Look): Row {
  const what = post.title.trim() === '' ? excerpt(post.text, width) : post.title;
  const who = post.own ? (post.authorName ?? 'this node') : shortKey(post.author);
  return columnsRow(
    [
      ...(turn === null ? [] : [{ text: String(turn), width: 3, align: 'right', style: 'dim' } as const]),
      { text: who, width: 15, style: post.own ? 'ok' : 'plain' },
      { text: post.kind, width: 8, style: 'accent', from: 48 },
      { text: since(post.at, now), width: 3, align: 'right', style: 'dim', from: 36 },
      { text: what, width: 'rest' },
    ],
    width,
  );
}

function authorOf(post: ThreadItem): Row {
  const key = shortKey(post.author);
  if (!post.own) return row(post.authorName === null ? key : `${post.authorName} · ${key}`);
  return row(span(post.authorName ?? key, 'ok'), span(' (this node)', 'dim'));
}

function badgeOf(post: ThreadItem): Row {
  if (post.chain === 'graft') return row(' ', span(' GRAFT ', 'warnBadge'));
  return post.chain === 'unresolved' ? row(' ', span(' UNRESOLVED ', 'warnBadge')) : [];
}

/** Why a post stands apart from its thread; empty when it does not. */
export function chainNote(post: ThreadItem): string {
  if (post.chain === 'graft')
    return 'It claims a thread that its parents do not lead to. It counts in no thread and wakes nobody.';
  if (post.chain === 'unresolved')
    return 'What it answers has not arrived yet. It is judged when the whole chain is here.';
  return '';
}

/** A row of a thread after its mark, as it stands inside a frame. */
export function marked(line: Row, mark: string, width: number): Row {
  return row(span(pad(mark, 1), 'cursor'), fitted(line, width));
}
