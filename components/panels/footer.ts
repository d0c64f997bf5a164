import { cellWidth } from '../../src/text/index.ts';
import { fitted, type Row, row, rowWidth, span, spread } from '../cells/cell.ts';
import { whyNot } from '../keys/allowed.ts';
import { shownKey } from '../keys/bind.ts';
import type { Action, Scope } from '../keys/table.ts';
import { type Context, isFirstStart, isRunning } from '../state/context.ts';
import type { ScreenState } from '../state/state.ts';

/** Keys that do something now, in the table's order; from the right they drop where there is no room. */
export function footerRow(state: ScreenState, context: Context, width: number): Row {
  if (state.notice !== null && context.now < state.notice.until) return noticeRow(state, width);
  const scope: Scope = state.dialog?.kind ?? 'screen';
  const valid = context.bindings.actions.filter(
    (action) => action.scope === scope && action.word !== null && isValid(action, state, context),
  );
  const pinned = valid
    .filter((action) => action.pinned === true)
    .map((action) => hint(action, state, context));
  const right = row(...pinned.flatMap((part) => [...part, span('  ')]));
  const leaving = state.draining && isRunning(context.view) && state.dialog === null;
  let left: Row = leaving ? row(span(' QUITS WHEN THE RUN ENDS ', 'warnBadge'), '  ') : [];
  for (const action of valid.filter((found) => found.pinned !== true)) {
    const next = row(left, hint(action, state, context), '  ');
    if (rowWidth(next) + rowWidth(right) + 1 > width) break;
    left = next;
  }
  return fitted(row(' ', left, right), width);
}

/** Whether a key of this action would do something. */
function isValid(action: Action, state: ScreenState, context: Context): boolean {
  if (action.named?.(state) === false) return false;
  return whyNot(action, state, context) === null;
}

function hint(action: Action, state: ScreenState, context: Context): Row {
  return row(span(shownKey(action.keys[0] ?? ''), 'accent'), ` ${wordOf(action, state, context)}`);
}

/** The word of a key that does one thing or its opposite. */
function wordOf(action: Action, state: ScreenState, context: Context): string {
  if (action.id === 'screen.pause') return context.view.agent?.paused === true ? 'resume' : 'pause';
  if (action.id === 'screen.quit' && context.mode === 'attach') return 'close';
  if (action.id === 'screen.open' && isFirstStart(state, context.view)) return 'set up';
  if (action.id === 'screen.open' && state.view === 'overview' && state.panel === 'transcript')
    return 'unfold';
  if (action.id === 'screen.approveMarked') return `approve ${state.marked.size} marked`;
  return action.word ?? '';
}

function noticeRow(state: ScreenState, width: number): Row {
  const notice = state.notice;
  if (notice === null) return [];
  const sign = { ok: span('✓ ', 'ok'), info: span('· ', 'dim'), error: span('✗ ', 'danger') }[notice.tone];
  const text = span(notice.text, notice.tone === 'error' ? 'danger' : 'plain');
  const help = row(span('?', 'accent'), ' help ');
  const left = row(' ', sign, text);
  return cellWidth(notice.text) + 14 < width ? spread(left, help, width) : fitted(left, width);
}
