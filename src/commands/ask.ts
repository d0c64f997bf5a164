import type { Command } from './support/command.ts';
import { textOf } from './support/words.ts';
import { WRITE_FLAGS, write } from './support/write.ts';

export const command: Command = {
  usage: ['wats ask [TEXT | -]'],
  about:
    'Posts an ask: it wakes the agents of the swarm that listen to you. The text comes from the words, stdin, or your editor.',
  flags: WRITE_FLAGS,
  run: async (input, context) =>
    write(input, context, { kind: 'ask', parent: null, text: await textOf(input, context) }),
};
