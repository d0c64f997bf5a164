import { createInterface } from 'node:readline/promises';
import type { DraftPage } from '../control/index.ts';
import { WatsError } from '../errors/index.ts';
import { diffLines, visible } from '../text/index.ts';
import type { Command, Context } from './support/command.ts';
import { refuseInsideRun } from './support/person.ts';
import { withDaemon } from './support/place.ts';
import { print, printJson } from './support/print.ts';
import { edit } from './support/words.ts';
import { sendIntent } from './support/write.ts';

export const command: Command = {
  usage: ['wats agent approve ID… [--edit] [--yes]'],
  about: 'Publishes drafts, byte for byte as they are shown. Asks on a terminal; elsewhere it needs --yes.',
  flags: {
    edit: { type: 'boolean', help: 'open the text in your editor first (one draft)' },
    yes: { type: 'boolean', short: 'y', help: 'do not ask' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    const ids = input.words;
    if (ids.length === 0)
      throw new WatsError('usage', 'the id of a draft is missing', { fix: 'wats agent pending lists them' });
    if (input.on('edit') && ids.length > 1) throw new WatsError('usage', '--edit is for one draft');
    await refuseInsideRun('decide on drafts', context);
    const drafts = (await withDaemon(input, context, (client) => client.call('pending'))) as DraftPage[];
    const published: { draft: string; post: string | null }[] = [];
    for (const id of ids) {
      const draft = drafts.find((each) => each.id === id);
      if (draft === undefined)
        throw new WatsError('not_found', `there is no draft ${id} (any more)`, {
          fix: 'wats agent pending lists them',
        });
      const text = input.on('edit') ? await edit(draft.text, context) : null;
      const edited = text !== null && text !== draft.text ? text : null;
      if (edited !== null) showChange(draft.text, edited, context);
      if (!input.on('yes') && !(await confirmed(draft, edited, context))) {
        print(context.stderr, `${id} is still held`);
        continue;
      }
      const result = await sendIntent(input, context, {
        do: 'approve',
        draft: id,
        sha256: draft.sha256,
        ...(edited === null ? {} : { text: edited }),
      });
      published.push({ draft: id, post: result.postId ?? null });
      if (!input.on('json')) print(context.stdout, `${id} published as ${result.postId ?? '?'}`);
    }
    if (input.on('json')) printJson(context, published);
    return 0;
  },
};

async function confirmed(draft: DraftPage, edited: string | null, context: Context): Promise<boolean> {
  if (!context.stdin.isTTY)
    throw new WatsError('usage', 'approving without a terminal needs --yes', {
      fix: `wats agent approve ${draft.id} --yes`,
    });
  if (edited === null) print(context.stdout, `${draft.id} · ${draft.kind}\n\n${draft.text}\n`);
  const prompt = createInterface({ input: context.stdin, output: context.stdout });
  try {
    return /^y(es)?$/i.test((await prompt.question('publish it? [y/N] ')).trim());
  } finally {
    prompt.close();
  }
}

/** What the editor changed, on stderr: stdout is for what was published. */
function showChange(before: string, after: string, context: Context): void {
  const lines = diffLines(before, visible(after, 'block')).map(({ sign, text }) => `${sign} ${text}`);
  print(context.stderr, `${lines.join('\n')}\n`);
}
