import type { PostPage } from '../../src/control/index.ts';
import { duration, shortKey } from '../../src/text/index.ts';
import { beside, type Row, row, span } from '../cells/cell.ts';
import { frame, indent } from '../cells/frame.ts';
import type { Rect } from '../layout/layout.ts';
import { ago, tag } from '../panels/columns.ts';
import type { Context } from '../state/context.ts';
import type { DraftDialog } from '../state/dialogs.ts';
import { type DraftView, draftView, lastScroll, type Pane, paneHeight } from './draft-view.ts';

/** The whole draft beside, or under, the post that it answers. */
export function drawDraft(dialog: DraftDialog, context: Context, body: Rect): Row[] {
  const { page } = dialog;
  if (page === null) {
    const text = dialog.error ?? 'Loading the draft…';
    return frame({
      title: row(`Draft ${tag(dialog.id)}`),
      rows: [row(' ', span(text, dialog.error === null ? 'dim' : 'danger'))],
      width: body.width,
      height: body.height,
      focused: true,
    });
  }
  const view = draftView(page, dialog.edited, { columns: body.width, rows: body.height });
  const left = page.expiresAt - context.now;
  const expires = left <= 0 ? ' · expired' : ` · expires ${duration(left)}`;
  const draft = framed(
    view.draft,
    dialog.scroll,
    row(
      `Draft: ${page.kind}${page.runId === null ? '' : ` of run ${page.runId}`}`,
      span(expires, left <= 0 ? 'danger' : 'dim'),
    ),
    decision(dialog, view),
    dialog.pane === 'draft',
  );
  if (view.parent === null || page.parent === null) return draft;
  const { parent } = page;
  const above = framed(
    view.parent,
    dialog.parentScroll,
    answersRow(parent, view.side === 'above', context.now),
    place(view.parent, dialog.parentScroll),
    dialog.pane === 'parent',
  );
  if (view.side === 'above') return [...above, ...draft];
  return beside(above, view.parent.width, draft, view.draft.width);
}

/** What the draft answers. The whole id, or where the author has no row of its own, the author. */
function answersRow({ kind, id, at, author, authorName }: PostPage, isShort: boolean, now: number): Row {
  const what = isShort ? `${tag(id)} by ${authorName ?? shortKey(author)}` : shortKey(id);
  return row(`answers ${kind} ${what}`, span(` · ${ago(at, now)}`, 'dim'));
}

function framed(pane: Pane, scroll: number, title: Row, foot: Row, focused: boolean): Row[] {
  const from = Math.min(scroll, lastScroll(pane));
  return frame({
    title,
    foot,
    rows: indent(pane.rows.slice(from, from + paneHeight(pane))),
    width: pane.width,
    height: pane.height,
    focused,
    seen: { from, to: Math.min(pane.rows.length, from + paneHeight(pane)), of: pane.rows.length },
  });
}

/** What stands between the person and publishing, in words. */
function decision(dialog: DraftDialog, view: DraftView): Row {
  if (dialog.page?.state !== 'held') return row(span(`${dialog.page?.state ?? ''} already`, 'warn'));
  if (dialog.refused !== null) return row(span(dialog.refused, 'warn'));
  const where = place(view.draft, dialog.scroll);
  if (!dialog.ended) return row(where, ' · ', span('scroll to the end to publish', 'warn'));
  return row(where, where.length > 0 ? ' · ' : null, span('P publishes this', 'ok'));
}

function place(pane: Pane, scroll: number): Row {
  if (pane.rows.length <= paneHeight(pane)) return [];
  const from = Math.min(scroll, lastScroll(pane));
  return row(span(`line ${from + 1}–${from + paneHeight(pane)} of ${pane.rows.length}`, 'dim'));
}
