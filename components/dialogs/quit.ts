import type { Row } from '../cells/cell.ts';
import { type Context, isRunning } from '../state/context.ts';
import type { QuitDialog, ScreenState } from '../state/state.ts';
import { choiceRows, paragraph, sheet } from './sheet.ts';

export interface QuitChoice {
  readonly how: 'drain' | 'now' | 'detach' | 'stay';
  readonly text: string;
}

/** What quitting can mean now; the first is the default, and the safe one. */
export function quitChoices(state: ScreenState, { view }: Pick<Context, 'view'>): readonly QuitChoice[] {
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
  return [
    { how: 'drain', text: 'quit' },
    { how: 'detach', text: 'go on in the background, without a screen' },
    { how: 'stay', text: 'stay' },
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
  const { run } = context.view;
  const text =
    isRunning(context.view) && run !== null
      ? `Run ${run.id} is going. What wakes the agent meanwhile is kept.`
      : 'While wats is not running, nothing wakes the agent. Posts and wakes are kept.';
  const choices = quitChoices(state, context);
  const rows = choiceRows(
    choices.map((choice) => choice.text),
    quitIndex(dialog, choices),
  );
  return sheet('Quit', [...paragraph(text, width), [], ...rows], width, most);
}
