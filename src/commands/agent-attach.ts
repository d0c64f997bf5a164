import type { Settings } from '../config/index.ts';
import { connectControl } from '../control/index.ts';
import { isWatsError, WatsError } from '../errors/index.ts';
import type { Command, Context, Input } from './support/command.ts';
import { dirOf, socketOf } from './support/place.ts';
import { isPlain } from './support/plain.ts';
import { describeError, print } from './support/print.ts';
import { createQuitting } from './support/quit.ts';
import { reconnecting } from './support/reconnect.ts';
import { type Looks, PLAIN_LOOKS, showScreen } from './support/screen.ts';
import { loadFor, placesFor } from './support/start.ts';
import { ringFor } from './support/view-notices.ts';

export const command: Command = {
  usage: ['wats agent attach [--read-only]'],
  about:
    'The live screen of the running daemon, keys included. q closes only the view. When the daemon goes away the view ' +
    'says so, and connects again by itself when it is back.',
  flags: {
    'read-only': { type: 'boolean', help: 'only look: every key that acts on the daemon is off' },
    plain: { type: 'boolean', help: 'labelled lines and numbered choices, for screen readers' },
  },
  async run(input, context) {
    if (!context.stdout.isTTY || !context.stdin.isTTY) {
      throw new WatsError('usage', 'the live screen needs a terminal', {
        fix: 'wats status, or wats agent logs -f',
      });
    }
    const settings = settingsOf(input, context);
    const plain = isPlain(input, context);
    const socket = socketOf(dirOf(input, context), 'control.sock', context);
    const controls = await reconnecting({
      connect: async () => {
        const client = await connectControl(socket);
        try {
          return { controls: await client.watch(), closed: client.closed, close: client.close };
        } catch (error) {
          client.close();
          throw error;
        }
      },
      now: context.now,
      wait: (ms) => new Promise((done) => setTimeout(done, ms).unref()),
    });
    const quiet = settings['agent.notify'] ? ringFor(controls, plain, context) : () => {};
    try {
      const readOnly = input.on('read-only');
      await showScreen(controls, context, createQuitting(), {
        mode: 'attach',
        dir: dirOf(input, context),
        looks: settings,
        plain,
        readOnly,
      });
      return 0;
    } finally {
      quiet();
      controls.close();
    }
  },
};

/** How the person has their screen. A `config.toml` that cannot be read is told of; the daemon is shown all the same. */
function settingsOf(input: Input, context: Context): Looks & Pick<Settings, 'agent.notify'> {
  try {
    return loadFor(placesFor(input, context), new Map(), context).settings;
  } catch (error) {
    if (!isWatsError(error)) throw error;
    print(context.stderr, describeError(error));
    return { ...PLAIN_LOOKS, 'agent.notify': true };
  }
}
