import { type Row, row, span } from '../cells/cell.ts';
import { tag } from '../panels/columns.ts';
import type { Context } from '../state/context.ts';
import type { BulkDialog, RejectDialog } from '../state/dialogs.ts';
import { fieldRow, paragraph, sheet } from './sheet.ts';

/** Asks why a draft is rejected. */
export function drawReject(dialog: RejectDialog, context: Context, width: number, most: number): Row[] {
  const draft = context.view.drafts.rows.find((found) => found.id === dialog.id);
  const what = draft === undefined ? `draft ${tag(dialog.id)}` : `${draft.kind}: ${draft.excerpt}`;
  return sheet(
    'Reject a draft',
    [
      row(span(what, 'dim')),
      fieldRow('reason: ', dialog.reason.text, width),
      ...paragraph('The agent reads the reason before its next run. It may be empty; u undoes this.', width),
    ],
    width,
    most,
  );
}

/** Lists what is about to be published, and asks for the count. */
export function drawBulk(dialog: BulkDialog, context: Context, width: number, most: number): Row[] {
  const rows = dialog.items.map(({ id }) => {
    const draft = context.view.drafts.rows.find((found) => found.id === id);
    return draft === undefined
      ? row(span(`${tag(id)} is not waiting any more`, 'warn'))
      : row(span('✓ ', 'ok'), `${draft.kind}  `, draft.excerpt);
  });
  const room = Math.max(1, most - 2 - 2);
  const shown =
    rows.length > room
      ? [...rows.slice(0, room - 1), row(span(`… ${rows.length - room + 1} more`, 'dim'))]
      : rows;
  const many = dialog.items.length;
  return sheet(
    `Publish ${many} ${many === 1 ? 'draft' : 'drafts'}`,
    [...shown, [], fieldRow(`type ${many} to publish all of them: `, dialog.typed.text, width)],
    width,
    most,
  );
}

/** Asks before a run is stopped. */
export function drawStop(context: Context, width: number, most: number): Row[] {
  const id = context.view.run?.id ?? '';
  const text = `Stop run ${id}? What it has posted and drafted stays; its wakes count as done.`;
  return sheet('Stop the run', paragraph(text, width), width, most);
}
