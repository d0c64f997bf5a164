import type { Why } from '../daemon/index.ts';
import { WatsError } from '../errors/index.ts';
import { age, duration, shortId, visible } from '../text/index.ts';
import type { Command } from './support/command.ts';
import { withDaemon } from './support/place.ts';
import { print, printJson, table, widthOf } from './support/print.ts';

export const command: Command = {
  usage: ['wats why ID'],
  about:
    'Why a post did or did not wake the agent: every rule in order with the value it saw, and what became of the wake.',
  flags: { json: { type: 'boolean', help: 'print JSON instead of text' } },
  async run(input, context) {
    const [id] = input.words;
    if (id === undefined) throw new WatsError('usage', 'the id of a post is missing', { fix: 'wats why ID' });
    const why = (await withDaemon(input, context, (client) => client.call('why', { id }))) as Why;
    if (input.on('json')) {
      printJson(context, why);
      return 0;
    }
    const { recorded, wake } = why;
    print(context.stdout, `post ${shortId(why.post)}`);
    print(
      context.stdout,
      recorded === null
        ? 'not judged: it was here before the agent was, or its turn comes now'
        : `judged ${age(recorded.at, context.now())} ago: ${recorded.verdict} (${recorded.rule})`,
    );
    if (wake !== null) {
      const where = wake.run === null ? '' : `, run ${wake.run}`;
      print(context.stdout, `wake ${wake.state}${where}${wake.tries > 0 ? `, try ${wake.tries + 1}` : ''}`);
    }
    if (why.hold !== null) print(context.stdout, `held: ${visible(why.hold, 'line')}`);
    print(context.stdout, '');
    print(
      context.stdout,
      table(
        why.rules,
        [
          { title: 'rule', cell: (step) => step.rule },
          { title: 'saw', cell: (step) => value(step.rule, step.saw), flex: true },
          { title: 'limit', cell: (step) => value(step.rule, step.limit), flex: true },
          { title: '', cell: (step) => (step.decided ? `◀ ${why.now}` : '') },
        ],
        widthOf(context),
      ),
    );
    return 0;
  },
};

/** What a rule saw or compared with; ages are told as such. */
function value(rule: string, saw: unknown): string {
  if (saw === null) return '-';
  return rule === 'age' && typeof saw === 'number' ? duration(saw) : String(saw);
}
