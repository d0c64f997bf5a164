import { beside, fitted, type Row, row, span, tall, textOf } from '../cells/cell.ts';
import { drawCompose } from '../dialogs/compose.ts';
import { drawDraft } from '../dialogs/draft-draw.ts';
import { drawHelp } from '../dialogs/help.ts';
import { drawLine } from '../dialogs/line.ts';
import { drawQuit } from '../dialogs/quit.ts';
import { drawSearch } from '../dialogs/search.ts';
import { drawSetup } from '../dialogs/setup.ts';
import { drawBulk, drawReject, drawStop } from '../dialogs/small.ts';
import { drawThread } from '../dialogs/thread-draw.ts';
import { drawWhy } from '../dialogs/why.ts';
import { alertRows } from '../panels/alerts.ts';
import { bannerRows } from '../panels/banner.ts';
import { footerRow } from '../panels/footer.ts';
import { headline } from '../panels/headline.ts';
import { panelRows } from '../panels/panel.ts';
import type { Context } from '../state/context.ts';
import type { ScreenState } from '../state/state.ts';
import { type Layout, layout } from './layout.ts';

/** The whole screen: exactly `size.rows` rows of exactly `size.columns` cells. */
export function screenRows(state: ScreenState, context: Context): Row[] {
  const { view, size, now } = context;
  const placed = layout(view, state, size);
  if (placed.tiny) return tall([tinyRow(context)], size.rows).map((line) => fitted(line, size.columns));
  const rows = [
    ...tall(bannerRows(view, size.columns, placed.banner, now, context.readOnly), placed.banner),
    ...tall(alertRows(view.alerts, size.columns, placed.alerts), placed.alerts),
    ...tall(bodyRows(state, context, placed), placed.body.height),
    bottomRow(state, context),
  ];
  return tall(rows, size.rows).map((line) => fitted(line, size.columns));
}

/** Too small for panels: what a person would want to know, and that more room shows more. */
function tinyRow({ view }: Context): Row {
  return row(span(headline(view), 'bold'), span(' · needs 60×15', 'dim'));
}

function bottomRow(state: ScreenState, context: Context): Row {
  const { dialog } = state;
  if (dialog?.kind !== 'filter') return footerRow(state, context, context.size.columns);
  return row(
    ' ',
    span('find: ', 'bold'),
    dialog.field.text,
    span('▏', 'cursor'),
    span('  ⏎ keep  Esc clear  !not  kind:tool', 'dim'),
  );
}

function bodyRows(state: ScreenState, context: Context, placed: Layout): Row[] {
  const { dialog } = state;
  const { body } = placed;
  if (dialog === null || dialog.kind === 'filter') return panels(state, context, placed);
  const under = () =>
    'back' in dialog && dialog.back?.kind === 'draft'
      ? drawDraft(dialog.back, context, body)
      : panels(state, context, placed);
  const most = body.height;
  switch (dialog.kind) {
    case 'draft':
      return drawDraft(dialog, context, body);
    case 'thread':
      return drawThread(dialog, context, body);
    case 'search':
      return drawSearch(dialog, context.now, body);
    case 'why':
      return drawWhy(dialog, body);
    case 'line':
      return over(under(), drawLine(dialog, body.width, most), body.height);
    case 'help':
      return drawHelp(dialog, state, context, body);
    case 'compose':
      return drawCompose(dialog, context, body);
    case 'reject':
      return over(under(), drawReject(dialog, context, body.width, most), body.height);
    case 'bulk':
      return over(under(), drawBulk(dialog, context, body.width, most), body.height);
    case 'quit':
      return over(under(), drawQuit(dialog, state, context, body.width, most), body.height);
    case 'setup':
      return over(under(), drawSetup(dialog, context, body.width, most), body.height);
    case 'stop':
      return over(under(), drawStop(context, body.width, most), body.height);
    default:
      return dialog satisfies never;
  }
}

/** A sheet in place of the lowest rows. */
function over(under: readonly Row[], sheet: readonly Row[], height: number): Row[] {
  return [...tall(under, Math.max(0, height - sheet.length)), ...sheet].slice(-height);
}

function panels(state: ScreenState, context: Context, placed: Layout): Row[] {
  const [first, ...rest] = placed.boxes.map((box) => ({ box, rows: panelRows(state, context, box) }));
  if (first === undefined) return [];
  const left = rest.filter(({ box }) => box.x === 0).flatMap(({ rows }) => rows);
  const right = rest.filter(({ box }) => box.x > 0);
  const split = right[0]?.box.x;
  if (split === undefined) return [...first.rows, ...left];
  return [
    ...first.rows,
    ...beside(
      left,
      split,
      right.flatMap(({ rows }) => rows),
      placed.body.width - split,
    ),
  ];
}

/** The screen as plain lines, for tests and for saving it. */
export function plainLines(rows: readonly Row[]): string[] {
  return rows.map((line) => textOf(line).trimEnd());
}
