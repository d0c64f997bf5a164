import { cellWidth, pad } from '../../src/text/index.ts';
import { type Row, row, span } from '../cells/cell.ts';
import { frame, indent, innerWidth } from '../cells/frame.ts';
import { whyNot } from '../keys/allowed.ts';
import { shownKey } from '../keys/bind.ts';
import type { Action, Scope } from '../keys/table.ts';
import type { Rect } from '../layout/layout.ts';
import { windowTop } from '../panels/list.ts';
import type { Context } from '../state/context.ts';
import type { HelpDialog } from '../state/dialogs.ts';
import type { ScreenState } from '../state/state.ts';

export interface HelpLine {
  readonly action: Action;
  /** Why it does nothing now; `null` when Enter would do it. */
  readonly unless: string | null;
}

/** The keys of what was in focus that match what was typed: by key, word, or sentence. */
export function helpLines(dialog: HelpDialog, state: ScreenState, context: Context): readonly HelpLine[] {
  const scope: Scope = dialog.back?.kind ?? 'screen';
  const under = { ...state, dialog: dialog.back };
  const words = dialog.query.text.toLowerCase().split(/\s+/).filter(Boolean);
  const typed = dialog.query.text.trim();
  const named = (action: Action) => action.keys.some((key) => shownKey(key) === typed);
  const found = context.bindings.actions
    .filter((action) => action.scope === scope)
    .filter((action) => {
      const text = `${action.word ?? ''} ${action.help} ${action.id}`.toLowerCase();
      return words.every((word) => text.includes(word)) || named(action);
    });
  // Who types a key asks for that one.
  return [...found.filter(named), ...found.filter((action) => !named(action))].map((action) => ({
    action,
    unless: whyNot(action, under, context),
  }));
}

export function drawHelp(dialog: HelpDialog, state: ScreenState, context: Context, body: Rect): Row[] {
  const lines = helpLines(dialog, state, context);
  const height = body.height - 2 - 2;
  const top = windowTop(
    { top: dialog.selected - Math.floor(height / 2) },
    dialog.selected,
    height,
    lines.length,
  );
  const from = Math.max(0, top);
  const width = innerWidth(body.width);
  const rows = lines
    .slice(from, from + height)
    .map((line, at) => drawLine(line, from + at === dialog.selected, width));
  const query = row(span('type to find: ', 'dim'), dialog.query.text, span('▏', 'cursor'));
  const below = lines.length - from - height;
  return frame({
    title: row(`Keys ${lines.length}`),
    foot: row(span(below > 0 ? `${below} more below` : 'costs are at list prices · ⏎ does it', 'dim')),
    rows: indent([query, [], ...(rows.length > 0 ? rows : [row(span('No key is about that.', 'dim'))])]),
    width: body.width,
    height: body.height,
    focused: true,
    seen: { from, to: Math.min(lines.length, from + height), of: lines.length },
  });
}

function drawLine({ action, unless }: HelpLine, chosen: boolean, width: number): Row {
  const keys = pad(action.keys.map(shownKey).join(' '), 10);
  const mark = chosen ? span('▸ ', 'cursor') : span('  ');
  if (unless === null)
    return row(mark, span(keys, 'accent'), ' ', span(action.help, chosen ? 'bold' : 'plain'));
  const room = width - 2 - 11;
  const reason = ` · now: ${unless}`;
  const text = cellWidth(action.help) + cellWidth(reason) <= room ? action.help + reason : action.help;
  return row(mark, span(`${keys} ${text}`, 'dim'));
}
