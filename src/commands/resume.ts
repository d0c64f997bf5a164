import type { GuardianState } from '../daemon/index.ts';
import { WatsError } from '../errors/index.ts';
import { printHalts } from './guardian.ts';
import type { Command } from './support/command.ts';
import { asked, demandPerson } from './support/person.ts';
import { withDaemon } from './support/place.ts';
import { print, printJson } from './support/print.ts';

interface Resumed {
  readonly published: readonly string[];
  readonly lifted: readonly string[];
  readonly left: readonly unknown[];
}

export const command: Command = {
  usage: ['wats resume [--yes]'],
  about:
    'Lifts halts: one that you ordered is lifted for everybody, by a resume post; one of a guardian only at this node. ' +
    'It shows them and asks. It needs a terminal.',
  flags: {
    yes: { type: 'boolean', short: 'y', help: 'do not ask' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    if (input.words.length > 0) throw new WatsError('usage', `there is a word too many: ${input.words[0]}`);
    await demandPerson('lift a halt', context);
    const json = input.on('json');
    const state = (await withDaemon(input, context, (client) =>
      client.call('guardian.list'),
    )) as GuardianState;
    if (state.halts.length === 0) {
      if (json) printJson(context, { published: [], lifted: [], left: [] });
      else print(context.stdout, 'nothing is halted; "wats agent resume" goes on after a pause');
      return 0;
    }
    if (!json) printHalts(state, context);
    if (!input.on('yes') && !(await asked('lift this?', 'no', context))) {
      print(context.stdout, 'nothing was lifted');
      return 1;
    }
    // Only what was shown is lifted: a halt that came meanwhile was not looked at.
    const halts = state.halts.map(({ id }) => id);
    const resumed = (await withDaemon(input, context, (client) =>
      client.call('resume', { halts }),
    )) as Resumed;
    if (json) printJson(context, resumed);
    else {
      if (resumed.published.length > 0) print(context.stdout, 'lifted for everybody: a resume is published');
      if (resumed.lifted.length > 0) print(context.stdout, 'lifted at this node');
      if (resumed.left.length > 0)
        print(context.stderr, 'another halt came meanwhile; "wats resume" shows it');
    }
    return 0;
  },
};
