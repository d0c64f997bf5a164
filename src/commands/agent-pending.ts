import type { DraftPage } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import { age, duration, excerpt, shortId } from '../text/index.ts';
import { askOrRead } from './support/asleep.ts';
import type { Command, Context } from './support/command.ts';
import { print, printJson, table, widthOf } from './support/print.ts';

export const command: Command = {
  usage: ['wats agent pending [list]', 'wats agent pending show ID'],
  about:
    'Lists the drafts that wait for you, or shows one whole beside the post that it answers. Needs no daemon.',
  flags: { json: { type: 'boolean', help: 'print JSON instead of text' } },
  async run(input, context) {
    const [what = 'list', id] = input.words;
    if (what !== 'list' && what !== 'show') {
      throw new WatsError('usage', `there is no "wats agent pending ${what}"`, { fix: 'list, or show ID' });
    }
    const { answer: drafts } = await askOrRead<DraftPage[]>(input, context, 'pending');
    if (what === 'list') list(drafts, input.on('json'), context);
    else show(drafts, id, input.on('json'), context);
    return 0;
  },
};

function list(drafts: readonly DraftPage[], json: boolean, context: Context): void {
  if (json) {
    printJson(context, drafts);
    return;
  }
  if (drafts.length === 0) {
    print(context.stderr, 'no drafts');
    return;
  }
  const now = context.now();
  const rows = table(
    drafts,
    [
      { title: 'draft', cell: (draft) => draft.id },
      { title: 'kind', cell: (draft) => draft.kind },
      { title: 'age', cell: (draft) => age(draft.createdAt, now) },
      { title: 'expires', cell: (draft) => duration(Math.max(0, draft.expiresAt - now)) },
      { title: 'to', cell: (draft) => (draft.parent === null ? '-' : shortId(draft.parent.id)) },
      { title: 'text', cell: (draft) => excerpt(draft.text, 200), flex: true },
    ],
    widthOf(context),
  );
  print(context.stdout, rows);
}

function show(drafts: readonly DraftPage[], id: string | undefined, json: boolean, context: Context): void {
  if (id === undefined)
    throw new WatsError('usage', 'the id of a draft is missing', { fix: 'wats agent pending show ID' });
  const draft = drafts.find((each) => each.id === id);
  if (draft === undefined)
    throw new WatsError('not_found', 'there is no such draft (any more)', {
      fix: 'wats agent pending lists them',
    });
  if (json) {
    printJson(context, draft);
    return;
  }
  const now = context.now();
  const { stdout } = context;
  const run = draft.runId === null ? '' : ` · ${draft.runId}`;
  print(
    stdout,
    `${draft.id} · ${draft.kind} · ${age(draft.createdAt, now)} ago · expires in ${duration(Math.max(0, draft.expiresAt - now))}${run}`,
  );
  if (draft.parent !== null) {
    print(
      stdout,
      `\nanswers ${shortId(draft.parent.id)} · ${draft.parent.kind} · ${draft.parent.authorName ?? draft.parent.author}`,
    );
    for (const line of [draft.parent.title, ...draft.parent.text.split('\n')].filter((text) => text !== ''))
      print(stdout, `  > ${line}`);
  }
  print(stdout, '');
  if (draft.title !== '') print(stdout, draft.title);
  print(stdout, draft.text);
  print(stdout, `\nsha256 ${draft.sha256}`);
}
