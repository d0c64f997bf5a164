import { WatsError } from '../errors/index.ts';
import type { Command } from './support/command.ts';
import { withDaemon } from './support/place.ts';
import { print, printJson, table, widthOf } from './support/print.ts';

export const command: Command = {
  usage: ['wats profile list'],
  about: 'The profiles of this node and their author keys. A name seeds a key and never leaves the node.',
  flags: { json: { type: 'boolean', help: 'print JSON instead of text' } },
  async run(input, context) {
    const [action = 'list'] = input.words;
    if (action !== 'list')
      throw new WatsError('usage', `there is no "wats profile ${action}"`, { fix: 'wats profile list' });
    const profiles = (await withDaemon(input, context, (client) => client.call('profiles'))) as {
      author: string;
      profile: string;
    }[];
    if (input.on('json')) printJson(context, profiles);
    else {
      const rows = table(
        profiles,
        [
          { title: 'profile', cell: (row) => row.profile, flex: true },
          { title: 'key', cell: (row) => row.author },
        ],
        widthOf(context),
      );
      print(context.stdout, rows);
    }
    return 0;
  },
};
