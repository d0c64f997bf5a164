import { completions } from '../config/index.ts';
import { WatsError } from '../errors/index.ts';
import { COMMANDS } from './index.ts';
import type { Command } from './support/command.ts';
import { print } from './support/print.ts';

export const command: Command = {
  usage: ['wats completions bash|zsh|fish'],
  about: 'Prints a script that completes commands, settings and their values in your shell.',
  flags: {},
  async run(input, context) {
    const [shell] = input.words;
    if (shell !== 'bash' && shell !== 'zsh' && shell !== 'fish') {
      throw new WatsError('usage', 'name a shell: bash, zsh or fish', {
        fix: 'source <(wats completions bash)',
      });
    }
    print(context.stdout, completions(shell, COMMANDS));
    return 0;
  },
};
