import { WatsError } from '../errors/index.ts';
import type { Command } from './support/command.ts';
import { kindOf } from './support/kind.ts';
import { textOf } from './support/words.ts';
import { WRITE_FLAGS, write } from './support/write.ts';

export const command: Command = {
  usage: ['wats reply ID [--kind KIND] [TEXT | -]'],
  about: 'Replies to a post, by its id or at least its first 15 digits.',
  flags: {
    kind: { type: 'string', value: 'KIND', help: 'answer, clarify, react, … (default: answer)' },
    ...WRITE_FLAGS,
  },
  run: async (input, context) => {
    const [parent] = input.words;
    if (parent === undefined)
      throw new WatsError('usage', 'the id of a post is missing', { fix: 'wats reply ID TEXT' });
    const kind = kindOf(input.text('kind') ?? 'answer');
    return write(input, context, { kind, parent, text: await textOf(input, context, 1) });
  },
};
