import type { ProgramRow, View } from '../../src/control/index.ts';
import type { Row } from '../cells/cell.ts';
import type { Context } from '../state/context.ts';
import type { SetupDialog } from '../state/dialogs.ts';
import type { Stepped } from '../state/events.ts';
import { say } from '../state/notices.ts';
import type { ScreenState } from '../state/state.ts';
import { choiceRows, paragraph, sheet } from './sheet.ts';

export interface SetupChoice {
  /** `null`: none, this node watches only. */
  readonly program: string | null;
  readonly text: string;
}

/** The agent programs that are here, those that are ready first; the last choice is to watch only. */
export function setupChoices(view: View): readonly SetupChoice[] {
  const here = view.programs.filter(({ version }) => version !== null);
  const ready = (row: ProgramRow) => row.fix === null;
  const sorted = [...here.filter(ready), ...here.filter((row) => !ready(row))];
  return [
    ...sorted.map((row) => ({ program: row.name, text: wordsOf(row) })),
    { program: null, text: 'only watch: posts come in, nothing is woken' },
  ];
}

function wordsOf({ name, version, fix, loggedIn }: ProgramRow): string {
  const login = loggedIn === null ? '' : loggedIn ? ', logged in' : ', not logged in';
  return `set up ${name} ${version ?? ''}${login}${fix === null ? '' : ` → ${fix}`}`;
}

export function openSetup(state: ScreenState): Stepped {
  return [{ ...state, dialog: { kind: 'setup', choice: 0 } }, []];
}

export function setupAction(
  state: ScreenState,
  context: Context,
  dialog: SetupDialog,
  action: string,
): Stepped {
  const choices = setupChoices(context.view);
  const at = Math.min(dialog.choice, choices.length - 1);
  if (action === 'up' || action === 'down') {
    const choice = (at + (action === 'down' ? 1 : choices.length - 1)) % choices.length;
    return [{ ...state, dialog: { ...dialog, choice } }, []];
  }
  const closed = { ...state, dialog: null };
  const program = action === 'send' ? (choices[at]?.program ?? null) : null;
  return [closed, program === null ? [] : [{ do: 'command', args: ['setup', program] }]];
}

/** A digit goes to its choice; Enter does it. */
export function setupKey(
  state: ScreenState,
  context: Context,
  dialog: SetupDialog,
  key: string,
): ScreenState {
  const choice = Number(key) - 1;
  if (setupChoices(context.view)[choice] === undefined) return state;
  return { ...state, dialog: { ...dialog, choice } };
}

export function drawSetup(dialog: SetupDialog, context: Context, width: number, most: number): Row[] {
  const choices = setupChoices(context.view);
  const text =
    'It registers wats in the program and makes it run your agent. In this terminal it first shows what it will ' +
    'do, and asks.';
  const rows = choiceRows(
    choices.map((choice) => choice.text),
    Math.min(dialog.choice, choices.length - 1),
  );
  return sheet('Set up an agent', [...paragraph(text, width), [], ...rows], width, most);
}

/** A command of ours has ended: what that means for this screen. */
export function commanded(
  state: ScreenState,
  context: Context,
  args: readonly string[],
  code: number,
): ScreenState {
  const [verb, program] = args;
  if (verb !== 'setup' || program === undefined) return state;
  if (code !== 0) return say(state, context.now, 'info', `${program} was not set up`);
  if (context.mode === 'attach')
    return say(state, context.now, 'ok', `${program} is set up; restart the daemon, and it runs your agent`);
  return { ...state, setUp: program, dialog: { kind: 'quit', choice: 'restart' } };
}
