import { WatsError } from '../errors/index.ts';
import type { Command } from './support/command.ts';
import { refuseInsideRun } from './support/person.ts';
import { print, printJson } from './support/print.ts';
import { sendIntent } from './support/write.ts';

export const command: Command = {
  usage: ['wats agent reject ID… [--reason TEXT]'],
  about: 'Rejects drafts. The reason stands in the next prompt of the agent.',
  flags: {
    reason: { type: 'string', value: 'TEXT', help: 'what the agent should know' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    const ids = input.words;
    if (ids.length === 0)
      throw new WatsError('usage', 'the id of a draft is missing', { fix: 'wats agent pending lists them' });
    await refuseInsideRun('decide on drafts', context);
    for (const draft of ids) {
      const result = await sendIntent(input, context, {
        do: 'reject',
        draft,
        reason: input.text('reason') ?? '',
      });
      if (!input.on('json')) print(context.stdout, result.text);
    }
    if (input.on('json'))
      printJson(
        context,
        ids.map((draft) => ({ draft, state: 'rejected' })),
      );
    return 0;
  },
};
