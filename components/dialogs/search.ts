import { type Row, row, span } from '../cells/cell.ts';
import { frame, indent } from '../cells/frame.ts';
import type { Rect } from '../layout/layout.ts';
import { listRows } from '../panels/list.ts';
import { postRow } from '../panels/rows.ts';
import type { SearchDialog } from '../state/dialogs.ts';
import { fieldRow } from './sheet.ts';

/** Rows of the body that are not hits: the frame, the field and the line under it. */
const AROUND = 4;

/** Hits that are on screen at once. */
export function searchHeight(body: Rect): number {
  return Math.max(1, body.height - AROUND);
}

/** The field, and under it the posts that were found. */
export function drawSearch(dialog: SearchDialog, now: number, body: Rect): Row[] {
  const { width, height } = body;
  const current = dialog.field.text.trim() === dialog.shown;
  const look = {
    width: width - 2,
    height: searchHeight(body),
    focused: current,
    selected: dialog.selected,
    top: dialog.top,
  };
  const hits = listRows(dialog.posts, look, (post, cells) => postRow(post, cells, now));
  return frame({
    title: row('Search the swarm'),
    foot: row(span(footOf(dialog), 'dim')),
    rows: [...indent([fieldRow('words: ', dialog.field.text, width), noteOf(dialog, current)]), ...hits],
    width,
    height,
    focused: true,
    seen: { from: dialog.top, to: Math.min(dialog.posts.length, dialog.top + look.height), of: dialog.total },
  });
}

function noteOf(dialog: SearchDialog, current: boolean): Row {
  if (dialog.error !== null) return row(span(dialog.error, 'danger'));
  if (dialog.asked?.offset === 0) return row(span('searching…', 'dim'));
  if (dialog.shown === null)
    return row(span('All words must occur in title or text; kind:ask narrows to a kind.', 'dim'));
  if (!current) return row(span('⏎ searches for this', 'dim'));
  return dialog.posts.length === 0 ? row(span('Nothing found.', 'dim')) : [];
}

function footOf({ shown, posts, total, isMore, selected }: SearchDialog): string {
  if (shown === null || posts.length === 0) return '';
  return `${selected + 1} of ${total}${isMore ? ' or more' : ''}`;
}
