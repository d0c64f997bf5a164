import type { Command } from './support/command.ts';
import { kindOf } from './support/kind.ts';
import { textOf } from './support/words.ts';
import { WRITE_FLAGS, write } from './support/write.ts';

export const command: Command = {
  usage: ['wats post [--kind KIND] [TEXT | -]'],
  about: 'Posts a root. The text comes from the words, stdin, or your editor.',
  flags: {
    kind: { type: 'string', value: 'KIND', help: 'ask, answer, offer, note, … (default: note)' },
    ...WRITE_FLAGS,
  },
  run: async (input, context) => {
    const kind = kindOf(input.text('kind') ?? 'note');
    return write(input, context, { kind, parent: null, text: await textOf(input, context) });
  },
};
