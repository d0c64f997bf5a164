import { excerpt } from '../../src/text/index.ts';
import { type Row, row, span } from '../cells/cell.ts';
import { frame, indent, innerWidth } from '../cells/frame.ts';
import type { Rect } from '../layout/layout.ts';
import { quoted, tag } from '../panels/columns.ts';
import { seenOf } from '../panels/transcript.ts';
import type { Context } from '../state/context.ts';
import type { ThreadDialog } from '../state/dialogs.ts';
import { linesAt } from '../transcript/position.ts';
import { marked, noteRows, threadPages } from './thread-view.ts';

/** A post in full, in its thread; or the turns of a paused one. */
export function drawThread(dialog: ThreadDialog, context: Context, body: Rect): Row[] {
  const { width, height } = body;
  const { posts } = dialog;
  const pages = threadPages(dialog, { columns: width, rows: height }, context.now);
  const lines = dialog.seeking ? [] : linesAt(dialog.position, pages);
  const rows = lines.map(({ n, line, row: drawn }) =>
    marked(drawn, n === dialog.cursor ? (line === 0 ? '▸' : '┊') : ' ', pages.width),
  );
  const waits =
    dialog.error !== null
      ? span(dialog.error, 'danger')
      : span(posts.length === 0 ? 'Loading…' : `Loading… ${posts.length} of ${dialog.total} posts`, 'dim');
  return frame({
    title: titleOf(dialog, width),
    foot: footOf(dialog, lines.at(-1)?.n ?? 0),
    rows: rows.length > 0 ? [...noteRows(dialog, width), ...rows] : indent([row(waits)]),
    width,
    height,
    focused: true,
    seen: seenOf(lines, dialog.total),
  });
}

function titleOf(dialog: ThreadDialog, width: number): Row {
  const root = dialog.posts[0]?.id === dialog.root ? dialog.posts[0] : undefined;
  const many = `${dialog.total} ${dialog.total === 1 ? 'post' : 'posts'}`;
  const id = tag(dialog.root ?? dialog.id);
  const start = dialog.paused === null ? `Thread ${id}` : `Turns of ${id}`;
  const named = dialog.paused?.title ?? (root?.title.trim() === '' ? excerpt(root.text, width) : root?.title);
  const title = quoted(named ?? '', innerWidth(width) - start.length - many.length - 8);
  return row(
    [start, title].filter((part) => part !== '').join(' '),
    dialog.root === null ? null : ` · ${many}`,
  );
}

function footOf(dialog: ThreadDialog, last: number): Row {
  if (dialog.posts.length === 0 || dialog.seeking) return [];
  const below = dialog.total - last - 1;
  const failed = dialog.error === null ? null : row(span(dialog.error, 'danger'), ' · ');
  return row(
    failed,
    span(`post ${dialog.cursor + 1} of ${dialog.total}`, 'dim'),
    below > 0 ? span(` · ${below} more below`, 'dim') : null,
  );
}
