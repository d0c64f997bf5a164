import { textOf } from '../cells/cell.ts';
import { drawRow } from '../panels/panel.ts';
import { type Context, listInFocus, selected } from './context.ts';
import type { Effect, Saving, ScreenState } from './state.ts';

/** Cells of a row in a file: nothing that a panel has room for is cut there. */
const FILE_WIDTH = 240;

/** What `^S` writes: the whole transcript in focus, or the rows of the list, those that its filter shows. */
export function save(state: ScreenState, context: Context): readonly Effect[] {
  const list = listInFocus(state);
  if (list === null) {
    const { runId } = state.transcript.book;
    return runId === null ? [] : [saved({ kind: 'run', runId })];
  }
  const { rows } = selected(state, context.view, list);
  const lines = rows.map((row) => textOf(drawRow(list, row, FILE_WIDTH, state, context)).trimEnd());
  return [saved({ kind: 'text', name: list, text: lines.join('\n') })];
}

/** A text that a dialog shows. */
export function saveText(name: string, parts: readonly string[]): readonly Effect[] {
  return [saved({ kind: 'text', name, text: parts.filter((part) => part !== '').join('\n\n') })];
}

const saved = (what: Saving): Effect => ({ do: 'save', what });
