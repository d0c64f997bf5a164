import { end } from './daemon.ts';
import type { Command } from './support/command.ts';
import { print } from './support/print.ts';
import { createQuitting, onSignals } from './support/quit.ts';
import { SETTING_FLAGS, startDaemon } from './support/start.ts';

/** A background node with nobody attached ends by itself after this. */
const IDLE_MS = 10 * 60_000;

export const command: Command = {
  usage: ['wats node [options]'],
  about:
    'Runs the daemon without a screen and prints one JSON line an occurrence: ids and numbers, never text.',
  flags: {
    background: { type: 'boolean', help: 'never run agents, end when idle', hidden: true },
    ...SETTING_FLAGS,
  },
  async run(input, context) {
    const background = input.on('background');
    const quitting = createQuitting();
    const { daemon } = await startDaemon(input, context, { background, onQuit: quitting.ask });
    const stopListening = onSignals(quitting);
    const idle = background ? daemon.whenIdle(IDLE_MS, () => quitting.ask('now')) : null;
    try {
      if (!background) {
        const line = (value: object): void =>
          print(context.stdout, JSON.stringify({ at: context.now(), ...value }));
        line({ type: 'started', version: context.version, pid: process.pid });
        daemon.onOccurrence((occurrence) => {
          if (occurrence.type !== 'verdict') line(occurrence);
        });
      }
      await end(daemon, quitting);
      return 0;
    } finally {
      idle?.();
      stopListening();
    }
  },
};
