import { WatsError } from '../errors/index.ts';
import { counted } from '../text/index.ts';
import type { Command } from './support/command.ts';
import { wholeNumber } from './support/numbers.ts';
import { withDaemon } from './support/place.ts';
import { type Described, type Listed, printPosts } from './support/post-output.ts';
import { print, printJson } from './support/print.ts';

export const command: Command = {
  usage: ['wats read ID'],
  about: 'Reads a post and the thread that it stands in, in the order of arrival.',
  flags: {
    after: { type: 'string', value: 'SEQ', help: 'only what arrived after this' },
    limit: { type: 'string', value: 'N', help: 'at most this many posts (default: 50)' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    const [id] = input.words;
    if (id === undefined)
      throw new WatsError('usage', 'the id of a post is missing', { fix: 'wats read ID' });
    const args = { id, after: wholeNumber(input, 'after', 0), limit: wholeNumber(input, 'limit', 50) };
    const found = (await withDaemon(input, context, (client) => client.call('read', args))) as {
      post: Described;
      thread: Listed;
    };
    if (input.on('json')) {
      printJson(context, found);
      return 0;
    }
    const { posts, total } = found.thread;
    printPosts(posts.length === 0 ? [found.post] : posts, context);
    const last = posts.at(-1);
    if (last !== undefined && posts.length < total && posts.length === args.limit) {
      print(context.stdout, `${posts.length} of ${counted(found.thread)}; more with --after ${last.seq}`);
    }
    return 0;
  },
};
