import { explained, type QuitChoice, quitChoices } from '../dialogs/quit.ts';
import { setupChoices } from '../dialogs/setup.ts';
import type { KeyName } from '../keys/names.ts';
import { isRunning } from '../state/context.ts';
import { numbered, type Place } from './choices.ts';
import { type Answer, answer, asking, type Menu, type PlainContext, TOP } from './menu.ts';

type Quit = Extract<Menu, { readonly at: 'quit' }>;
type At<K extends Menu['at']> = Extract<Menu, { readonly at: K }>;

/** Asks how to leave. A view of another process is only closed. */
export function askQuit(from: Menu, context: PlainContext, key: KeyName): Answer {
  if (context.mode === 'attach') return answer(from, ['closing this view'], [{ do: 'quit', how: 'close' }]);
  // Ctrl-C while the run is being finished means: now.
  if (key === 'ctrl-c' && context.memory.draining && isRunning(context.view))
    return answer(from, ['stopping the run'], [{ do: 'quit', how: 'now' }]);
  return asking({ at: 'quit', back: from }, [explained(context.memory, context)]);
}

export const QUIT_PLACE: Place<Quit> = [
  numbered(
    (_, context) => choicesOf(context).map(({ text }) => text),
    (menu, context, index) => {
      const how = choicesOf(context)[index]?.how ?? 'stay';
      if (how === 'stay') return asking(menu.back, ['staying']);
      return answer(TOP, ['quitting'], [{ do: 'quit', how }]);
    },
  ),
  { keys: ['0', 'esc', 'q'], says: 'stays', rare: true, press: (menu) => asking(menu.back, ['staying']) },
];

function choicesOf(context: PlainContext): readonly QuitChoice[] {
  return quitChoices(context.memory, context);
}

export const STOP_PLACE: Place<At<'stop'>> = [
  {
    keys: ['1'],
    says: 'stops it now',
    acts: true,
    press: () => answer(TOP, [], [{ do: 'send', intent: { do: 'stop' } }]),
  },
  { keys: ['0', 'esc', 'q', '2'], says: 'lets it run', press: () => asking(TOP, ['the run goes on']) },
];

/** Sets up one of the agent programs that are here, in this terminal: the command shows what it does, and asks. */
export const SETUP_PLACE: Place<At<'setup'>> = [
  numbered(
    (_, { view }) => setupChoices(view).map(({ text }) => text),
    (_, { view }, index) => {
      const program = setupChoices(view)[index]?.program ?? null;
      if (program === null) return asking(TOP, ['this node only watches']);
      return answer(TOP, [], [{ do: 'command', args: ['setup', program] }]);
    },
    true,
  ),
  { keys: ['0', 'esc', 'q'], says: 'goes back', press: () => asking(TOP, ['nothing is set up']) },
];

/** A command of ours has ended: what that means here. */
export function commanded(menu: Menu, context: PlainContext, args: readonly string[], code: number): Answer {
  const [verb, program] = args;
  if (verb !== 'setup' || program === undefined) return asking(menu);
  if (code !== 0) return asking(TOP, [`${program} was not set up`]);
  if (context.mode === 'attach')
    return asking(TOP, [`${program} is set up; restart the daemon, and it runs your agent`]);
  return {
    ...asking({ at: 'quit', back: TOP }, [explained({ setUp: program }, context)]),
    memory: { setUp: program },
  };
}
