import { age, counted, excerpt, shortId } from '../text/index.ts';
import type { Command } from './support/command.ts';
import { kindOf } from './support/kind.ts';
import { sinceOf, wholeNumber } from './support/numbers.ts';
import { withDaemon } from './support/place.ts';
import { authorOf, type Listed } from './support/post-output.ts';
import { print, printJson, table, widthOf } from './support/print.ts';

export const command: Command = {
  usage: ['wats search [WORD…]'],
  about:
    'Searches the posts of this node for words that all occur, newest first; without words, the newest posts.',
  flags: {
    kind: {
      type: 'string',
      multiple: true,
      value: 'KIND',
      help: 'only posts of this kind; may be given several times',
    },
    author: { type: 'string', value: 'KEY', help: 'only posts of this author: a full key' },
    since: { type: 'string', value: 'SPAN', help: 'only posts since then: 2h, 3d, a date' },
    limit: { type: 'string', value: 'N', help: 'at most this many posts (default: 20)' },
    offset: { type: 'string', value: 'N', help: 'leave out the first N' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    const found = (await withDaemon(input, context, (client) =>
      client.call('search', {
        text: input.words.join(' '),
        kinds: input.all('kind').map(kindOf),
        author: input.text('author') ?? null,
        since: sinceOf(input, 'since', context.now()),
        limit: wholeNumber(input, 'limit', 20),
        offset: wholeNumber(input, 'offset', 0),
      }),
    )) as Listed;
    if (input.on('json')) {
      printJson(context, found);
      return 0;
    }
    if (found.posts.length === 0) {
      print(context.stderr, 'no posts');
      return 0;
    }
    const rows = table(
      found.posts,
      [
        { title: 'id', cell: (post) => shortId(post.id) },
        { title: 'kind', cell: (post) => post.kind },
        { title: 'age', cell: (post) => age(post.ts * 1000, context.now()) },
        { title: 'author', cell: (post) => post.profile ?? authorOf(post) },
        { title: 'post', cell: (post) => excerpt(post.title || post.text, 200), flex: true },
      ],
      widthOf(context),
    );
    print(context.stdout, rows);
    if (found.total > found.posts.length) print(context.stdout, `${found.posts.length} of ${counted(found)}`);
    return 0;
  },
};
