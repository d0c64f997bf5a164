import type { WritableKind } from '../../src/swarm/index.ts';
import { wrapText } from '../../src/text/index.ts';
import { type Row, row, span } from '../cells/cell.ts';
import { frame, indent, innerWidth } from '../cells/frame.ts';
import { shownKey } from '../keys/bind.ts';
import type { Rect } from '../layout/layout.ts';
import { quoted, tag } from '../panels/columns.ts';
import type { Context } from '../state/context.ts';
import type { ComposeDialog } from '../state/dialogs.ts';
import { fieldRow } from './sheet.ts';

/** What a person starts a thread with, and what a reply is, the most usual first. */
const ROOT_KINDS: readonly WritableKind[] = ['ask', 'offer', 'note', 'progress'];
const REPLY_KINDS: readonly WritableKind[] = [
  'answer',
  'clarify',
  'ask',
  'note',
  'claim',
  'release',
  'progress',
  'react',
  'vouch',
  'offer',
];

export function kindsOf(dialog: Pick<ComposeDialog, 'parent'>): readonly WritableKind[] {
  return dialog.parent === null ? ROOT_KINDS : REPLY_KINDS;
}

export function kindOf(dialog: ComposeDialog): WritableKind {
  return kindsOf(dialog)[dialog.choice] ?? 'note';
}

/** Rows of the text that are on screen at once. */
export function composeHeight(body: Rect): number {
  return Math.max(1, body.height - 2 - 6);
}

export function composeText(dialog: ComposeDialog, width: number): string[] {
  return wrapText(dialog.text, innerWidth(width));
}

export function drawCompose(dialog: ComposeDialog, context: Context, body: Rect): Row[] {
  const { width } = body;
  const lines = composeText(dialog, width);
  const height = composeHeight(body);
  const shown = lines.slice(dialog.scroll, dialog.scroll + height);
  const editKey = shownKey(context.bindings.of('compose.edit')?.keys[0] ?? 'ctrl-e');
  const text =
    dialog.text === ''
      ? dialog.focus === 'text'
        ? [row(span('▏', 'cursor'))]
        : [
            row(
              span(
                context.canEdit ? `${editKey} writes it in your editor, or type it here` : 'type it here',
                'dim',
              ),
            ),
          ]
      : shown.map((line, at) =>
          row(
            line,
            dialog.focus === 'text' && dialog.scroll + at === lines.length - 1 ? span('▏', 'cursor') : null,
          ),
        );
  const title =
    dialog.parent === null
      ? 'New post'
      : `Reply to ${tag(dialog.parent.id)} ${quoted(dialog.parent.title, Math.max(8, width - 24))}`;
  return frame({
    title: row(title),
    foot: footOf(dialog, lines.length, height),
    rows: indent([
      kindRow(dialog),
      [],
      fieldRow('title ', dialog.title.text, width, dialog.focus === 'title'),
      [],
      row(span('text', dialog.focus === 'text' ? 'bold' : 'dim')),
      ...text,
    ]),
    width,
    height: body.height,
    focused: true,
  });
}

function kindRow(dialog: ComposeDialog): Row {
  const active = dialog.focus === 'kind';
  return row(
    span('kind  ', active ? 'bold' : 'dim'),
    ...kindsOf(dialog).map((kind, at) =>
      at === dialog.choice ? span(`[${kind}] `, active ? 'cursor' : 'bold') : span(`${kind} `, 'dim'),
    ),
  );
}

function footOf(dialog: ComposeDialog, lines: number, height: number): Row {
  if (dialog.error !== null) return row(span(dialog.error, 'warn'));
  if (dialog.focus === 'text' && dialog.text !== '') return row(span('⏎ posts it as you, at once', 'ok'));
  return lines > height ? row(span(`${lines} lines`, 'dim')) : [];
}
