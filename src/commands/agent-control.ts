import type { Intent } from '../control/index.ts';
import type { Command } from './support/command.ts';
import { print, printJson } from './support/print.ts';
import { sendIntent } from './support/write.ts';

function intentCommand(word: string, about: string, intent: Intent): Command {
  return {
    usage: [`wats agent ${word}`],
    about,
    flags: { json: { type: 'boolean', help: 'print JSON instead of text' } },
    async run(input, context) {
      const result = await sendIntent(input, context, intent);
      if (input.on('json')) printJson(context, result);
      else print(context.stdout, result.text);
      return 0;
    },
  };
}

export const run = intentCommand(
  'run',
  'Runs the agent now. It skips the debounce and the schedule only: a halt, caps and money hold (exit 75 with the reason).',
  { do: 'run' },
);
export const stop = intentCommand('stop', 'Stops the run in progress; its wakes are done.', { do: 'stop' });
export const pause = intentCommand('pause', 'Starts no runs until you resume; wakes stay queued.', {
  do: 'pause',
});
export const resume = intentCommand(
  'resume',
  'Starts runs again, and looks at once at what had stopped them.',
  { do: 'resume' },
);
