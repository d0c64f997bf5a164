import type { WhyPage } from '../../src/control/index.ts';
import { layout } from '../layout/layout.ts';
import type { Context } from '../state/context.ts';
import type { Dialog, LineDialog, WhyDialog } from '../state/dialogs.ts';
import type { Stepped } from '../state/events.ts';
import type { ScreenState } from '../state/state.ts';
import { scrollTo } from './draft-step.ts';
import { lineRows } from './line.ts';
import { openThread } from './thread-step.ts';
import { decidingRow, whyRows } from './why.ts';

/** Opens the rules that a post went through. */
export function openWhy(state: ScreenState, id: string, back: Dialog | null = null): Stepped {
  const dialog: WhyDialog = { kind: 'why', id, page: null, scroll: 0, error: null, back };
  return [{ ...state, dialog }, [{ do: 'why', id }]];
}

/** The rules came: the one that decides is on screen, however short it is. */
export function whyArrived(state: ScreenState, context: Context, id: string, page: WhyPage): ScreenState {
  const { dialog } = state;
  if (dialog?.kind !== 'why' || dialog.id !== id) return state;
  const shown: WhyDialog = { ...dialog, page, error: null };
  const { body } = layout(context.view, state, context.size);
  const scroll = Math.max(0, decidingRow(shown, body.width) - Math.max(1, body.height - 2) + 1);
  return { ...state, dialog: { ...shown, scroll: dialog.page === null ? scroll : dialog.scroll } };
}

export function whyFailed(state: ScreenState, id: string, error: string): ScreenState {
  const { dialog } = state;
  if (dialog?.kind !== 'why' || dialog.id !== id) return state;
  return { ...state, dialog: { ...dialog, error } };
}

export function whyAction(state: ScreenState, context: Context, dialog: WhyDialog, action: string): Stepped {
  switch (action) {
    case 'back':
      return [{ ...state, dialog: dialog.back }, []];
    case 'open':
      // The thread that it was asked from is below.
      if (dialog.back?.kind === 'thread') return [{ ...state, dialog: dialog.back }, []];
      return openThread(state, context, dialog.id, null, dialog);
    case 'copyId':
      return [state, [{ do: 'copy', text: dialog.id }]];
    default: {
      const { body } = layout(context.view, state, context.size);
      const rows = whyRows(dialog, body.width).length;
      return [
        { ...state, dialog: { ...dialog, scroll: scrolled(action, dialog.scroll, rows, body.height) } },
        [],
      ];
    }
  }
}

/** One line of a list in full. */
export function openLine(state: ScreenState, title: string, text: string): ScreenState {
  return { ...state, dialog: { kind: 'line', title, text, scroll: 0 } };
}

export function lineAction(
  state: ScreenState,
  context: Context,
  dialog: LineDialog,
  action: string,
): Stepped {
  if (action === 'back') return [{ ...state, dialog: null }, []];
  if (action === 'copy') return [state, [{ do: 'copy', text: dialog.text }]];
  const { body } = layout(context.view, state, context.size);
  const rows = lineRows(dialog, body.width).length;
  return [
    { ...state, dialog: { ...dialog, scroll: scrolled(action, dialog.scroll, rows, body.height) } },
    [],
  ];
}

function scrolled(action: string, now: number, rows: number, height: number): number {
  const room = Math.max(1, height - 2);
  const last = Math.max(0, rows - room);
  return Math.max(0, Math.min(scrollTo(action, now, room, last), last));
}
