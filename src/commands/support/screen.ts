import { mountScreen } from '../../../components/index.tsx';
import type { Controls } from '../../control/index.ts';
import type { Context } from './command.ts';
import { describeError, print } from './print.ts';
import type { Quitting } from './quit.ts';
import { edit } from './words.ts';

export interface ShowOptions {
  readonly mode: 'daemon' | 'attach';
  readonly theme: 'auto' | 'light' | 'dark' | 'none';
  readonly plain: boolean;
}

/**
 * Shows the live screen until the person quits or somebody asks the daemon to end. A screen that breaks is told of.
 * @returns whether the person wants the daemon to go on in the background
 */
export async function showScreen(
  controls: Controls,
  context: Context,
  quitting: Quitting,
  options: ShowOptions,
): Promise<{ readonly detach: boolean }> {
  let detach = false;
  const noColor = Boolean(context.env['NO_COLOR']);
  const screen = mountScreen({
    controls,
    stdin: context.stdin as NodeJS.ReadStream,
    stdout: context.stdout as NodeJS.WriteStream,
    now: context.now,
    mode: options.mode,
    theme: noColor ? 'none' : options.theme,
    setTitle: true,
    openEditor: (text) => edit(text, context),
    onQuit: (how) => {
      detach = how === 'detach';
      quitting.ask(how === 'drain' ? 'drain' : 'now');
    },
    onError: (error) => {
      print(context.stderr, describeError(error));
      print(
        context.stderr,
        'wats: the screen broke; the daemon goes on. "wats agent attach" shows it again.',
      );
    },
  });
  const how = await Promise.race([quitting.asked, screen.done.then(() => null)]);
  if (how === 'drain' && options.mode === 'daemon') {
    // The screen stays while the run in progress ends, so that the person sees what they wait for.
    await Promise.race([runEnded(controls), quitting.hurried, screen.done]);
  }
  screen.unmount();
  await screen.done;
  return { detach };
}

function runEnded(controls: Controls): Promise<void> {
  const ended = (): boolean => controls.view().run === null || controls.view().run?.state === 'ended';
  if (ended()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = controls.subscribe(() => {
      if (!ended()) return;
      stop();
      resolve();
    });
  });
}
