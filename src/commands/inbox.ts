import { counted } from '../text/index.ts';
import type { Command } from './support/command.ts';
import { wholeNumber } from './support/numbers.ts';
import { withDaemon } from './support/place.ts';
import { type Listed, printPosts } from './support/post-output.ts';
import { print, printJson } from './support/print.ts';

export const command: Command = {
  usage: ['wats inbox [--after SEQ]'],
  about: 'Asks of others, and replies to what you posted, oldest first.',
  flags: {
    after: { type: 'string', value: 'SEQ', help: 'only what arrived after this' },
    limit: { type: 'string', value: 'N', help: 'at most this many posts (default: 20)' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    const args = { after: wholeNumber(input, 'after', 0), limit: wholeNumber(input, 'limit', 20) };
    const found = (await withDaemon(input, context, (client) => client.call('inbox', args))) as Listed;
    if (input.on('json')) {
      printJson(context, found);
      return 0;
    }
    if (found.posts.length === 0) print(context.stderr, 'nothing new');
    printPosts(found.posts, context);
    const last = found.posts.at(-1);
    if (last !== undefined)
      print(
        context.stdout,
        `${found.posts.length} of ${counted(found)}; what comes after: --after ${last.seq}`,
      );
    return 0;
  },
};
