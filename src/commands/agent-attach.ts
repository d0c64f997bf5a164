import { connectControl } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Command } from './support/command.ts';
import { dirOf, socketOf } from './support/place.ts';
import { createQuitting } from './support/quit.ts';
import { showScreen } from './support/screen.ts';

export const command: Command = {
  usage: ['wats agent attach'],
  about: 'The live screen of the running daemon, keys included. q closes only the view.',
  flags: { plain: { type: 'boolean', help: 'labelled lines and numbered choices, for screen readers' } },
  async run(input, context) {
    if (!context.stdout.isTTY || !context.stdin.isTTY) {
      throw new WatsError('usage', 'the live screen needs a terminal', {
        fix: 'wats status, or wats agent logs -f',
      });
    }
    const client = await connectControl(socketOf(dirOf(input, context), 'control.sock', context));
    try {
      const controls = await client.watch();
      const quitting = createQuitting();
      void client.closed.then(() => quitting.ask('now'));
      const plain = input.on('plain') || Boolean(context.env['WATS_SCREEN_READER']);
      await showScreen(controls, context, quitting, { mode: 'attach', theme: 'auto', plain });
      return 0;
    } finally {
      client.close();
    }
  },
};
