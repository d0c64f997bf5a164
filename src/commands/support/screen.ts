import {
  type Leaving,
  mountPlain,
  mountScreen,
  type Screen,
  type ThemeName,
} from '../../../components/index.tsx';
import type { Settings } from '../../config/index.ts';
import type { Controls } from '../../control/index.ts';
import { visible } from '../../text/index.ts';
import { askBackground } from './background.ts';
import type { Context } from './command.ts';
import { runHere } from './own-terminal.ts';
import { describeError, print } from './print.ts';
import type { Quitting } from './quit.ts';
import { saveText } from './save-file.ts';
import { edit } from './words.ts';

/** The settings of a screen: of whoever looks at it, also where the daemon is another process. */
export type Looks = Pick<Settings, 'ui.theme' | 'ui.mouse' | 'ui.keys'>;

export const PLAIN_LOOKS: Looks = { 'ui.theme': 'auto', 'ui.mouse': false, 'ui.keys': {} };

export interface ShowOptions {
  readonly mode: 'daemon' | 'attach';
  /** The data directory that the daemon is of. */
  readonly dir: string;
  readonly looks: Looks;
  /** Labelled lines and numbered choices instead of the screen. */
  readonly plain: boolean;
  /** The daemon lives as long as this screen: it cannot go on without it, nor start again. */
  readonly once?: boolean;
  /** Keys that act on the daemon are off. */
  readonly readOnly?: boolean;
  /** Why the daemon would not start again, in a sentence; `null` when it would. */
  readonly notAgain?: () => string | null;
}

/**
 * Shows the live screen until the person quits or somebody asks the daemon to end. A screen that breaks is told of.
 *
 * @returns what the person wants once the daemon has ended: that it goes on in the background, or starts again
 * @throws WatsError `setting` for keys that cannot be bound
 */
export async function showScreen(
  controls: Controls,
  context: Context,
  quitting: Quitting,
  options: ShowOptions,
): Promise<'detach' | 'restart' | null> {
  let next: 'detach' | 'restart' | null = null;
  const shared = {
    controls,
    stdin: context.stdin as NodeJS.ReadStream,
    stdout: context.stdout as NodeJS.WriteStream,
    now: context.now,
    mode: options.mode,
    readOnly: options.readOnly === true,
    once: options.once === true,
    openEditor: (text: string) => edit(text, context),
    runCommand: (args: readonly string[]) => runHere(args, options.dir, context),
    saveFile: (name: string, text: string) => saveText(context.cwd, name, text),
    notAgain: () => {
      const why = options.notAgain?.() ?? null;
      return why === null ? null : visible(why, 'line');
    },
    onQuit: (how: Leaving) => {
      next = how === 'detach' || how === 'restart' ? how : null;
      quitting.ask(how === 'drain' ? 'drain' : 'now');
    },
    onError: (error: unknown) => {
      print(context.stderr, describeError(error));
      if (options.mode === 'daemon') {
        print(
          context.stderr,
          'wats: the screen broke; the daemon goes on. "wats agent attach" shows it again.',
        );
      }
    },
  };
  const theme = options.plain ? 'none' : await themeOf(options.looks['ui.theme'], context);
  const screen: Screen = options.plain
    ? mountPlain(shared)
    : mountScreen({
        ...shared,
        theme,
        mouse: options.looks['ui.mouse'],
        keys: options.looks['ui.keys'],
        setTitle: true,
      });
  const how = await Promise.race([quitting.asked, screen.done.then(() => null)]);
  if (how === 'drain' && options.mode === 'daemon') {
    // The screen stays while the run in progress ends, so that the person sees what they wait for.
    await Promise.race([runEnded(controls), quitting.hurried, screen.done]);
  }
  screen.unmount();
  await screen.done;
  return next;
}

/** The theme; where neither the person nor the environment says which, the terminal is asked. */
async function themeOf(theme: ThemeName, context: Context): Promise<ThemeName> {
  const known = themeFor(theme, context.env);
  return known === 'auto' ? ((await askBackground(context)) ?? known) : known;
}

/** `NO_COLOR` wins; `auto` asks what the terminal says of its background, where it says so. */
export function themeFor(theme: ThemeName, env: NodeJS.ProcessEnv): ThemeName {
  if (env['NO_COLOR']) return 'none';
  const background = env['COLORFGBG']?.split(';').at(-1);
  if (theme !== 'auto' || background === undefined || !/^\d{1,2}$/.test(background)) return theme;
  return background === '7' || background === '15' ? 'light' : 'dark';
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
