import type { Row } from '../cells/cell.ts';
import { type Context, isRunning } from '../state/context.ts';
import type { QuitDialog, QuitHow } from '../state/dialogs.ts';
import type { ScreenState } from '../state/state.ts';
import { choiceRows, paragraph, sheet } from './sheet.ts';

export interface QuitChoice {
  readonly how: QuitHow;
  readonly text: string;
}

/** What quitting can mean now; the first is the default, and the safe one. */
export function quitChoices(
  state: Pick<ScreenState, 'draining' | 'setUp'>,
  { view, once }: Pick<Context, 'view' | 'once'>,
): readonly QuitChoice[] {
  if (state.draining && isRunning(view))
    return [
      { how: 'stay', text: 'keep waiting for the run to finish' },
      { how: 'now', text: 'stop the run and quit' },
    ];
  if (isRunning(view))
    return [
      { how: 'drain', text: 'let the run finish, then quit' },
      { how: 'now', text: 'stop the run and quit' },
      { how: 'stay', text: 'stay' },
    ];
  const quit = { how: 'drain', text: 'quit' } as const;
  const stay = { how: 'stay', text: 'stay' } as const;
  if (once) return [quit, stay];
  const stale = state.setUp !== null || view.alerts.some(({ code }) => code === 'config');
  return [
    quit,
    { how: 'detach', text: 'go on in the background, without a screen' },
    ...(stale ? [{ how: 'restart', text: 'start again, with the settings as they are now' } as const] : []),
    stay,
  ];
}

/** Where the chosen one stands; the default when it is no choice any more. */
export function quitIndex(dialog: QuitDialog, choices: readonly QuitChoice[]): number {
  return Math.max(
    0,
    choices.findIndex((choice) => choice.how === dialog.choice),
  );
}

export function drawQuit(
  dialog: QuitDialog,
  state: ScreenState,
  context: Context,
  width: number,
  most: number,
): Row[] {
  const choices = quitChoices(state, context);
  const rows = choiceRows(
    choices.map((choice) => choice.text),
    quitIndex(dialog, choices),
  );
  return sheet('Quit', [...paragraph(explained(state, context), width), [], ...rows], width, most);
}

/** What leaving means now, in a sentence. */
export function explained(state: Pick<ScreenState, 'setUp'>, { view }: Pick<Context, 'view'>): string {
  if (isRunning(view) && view.run !== null)
    return `Run ${view.run.id} is going. What wakes the agent meanwhile is kept.`;
  if (state.setUp !== null)
    return `${state.setUp} is set up. It runs your agent once wats has started again.`;
  return 'While wats is not running, nothing wakes the agent. Posts and wakes are kept.';
}
