import type { GuardianState } from '../daemon/index.ts';
import { WatsError } from '../errors/index.ts';
import { age, excerpt, shortId, visible } from '../text/index.ts';
import { actionOf } from './support/actions.ts';
import type { Command, Context, Input } from './support/command.ts';
import { demandPerson } from './support/person.ts';
import { withDaemon } from './support/place.ts';
import { print, printJson, table, widthOf } from './support/print.ts';

const ACTIONS: Readonly<Record<string, (input: Input, context: Context) => Promise<void>>> = {
  async list(input, context) {
    const state = await ask<GuardianState>('guardian.list', {}, input, context);
    if (input.on('json')) printJson(context, state);
    else show(state, context);
  },

  async add(input, context) {
    await demandPerson('choose who may halt the agent', context);
    const [, key, ...label] = input.words;
    if (key === undefined)
      throw new WatsError('usage', 'the key of the guardian is missing', {
        fix: 'wats guardian add KEY [LABEL]',
      });
    const state = await ask<GuardianState>('guardian.add', { key, label: label.join(' ') }, input, context);
    if (input.on('json')) printJson(context, state);
    else print(context.stdout, state.accept ? 'added: their halt stops your agent' : `added, but ${IGNORED}`);
  },

  async remove(input, context) {
    await demandPerson('choose who may halt the agent', context);
    const [, key] = input.words;
    if (key === undefined)
      throw new WatsError('usage', 'the key of the guardian is missing', { fix: 'wats guardian remove KEY' });
    const state = await ask<GuardianState>('guardian.remove', { key }, input, context);
    if (input.on('json')) printJson(context, state);
    else print(context.stdout, 'removed: their halts, older ones too, no longer stop your agent');
  },

  async halt(input, context) {
    await demandPerson('order a halt', context);
    const reason = input.text('reason') ?? '';
    const halt = await ask<{ id: string; here: boolean }>('guardian.halt', { reason }, input, context);
    if (input.on('json')) {
      printJson(context, halt);
      return;
    }
    print(
      context.stdout,
      `halt ${shortId(halt.id)} is published: it stops the agents of everybody who trusts your key. "wats resume" lifts it`,
    );
    if (!halt.here)
      print(
        context.stderr,
        'An agent of this node goes on: you are no guardian of it. "wats agent pause" pauses it.',
      );
  },
};

const IGNORED = 'halt.accept is off, so no halt stops your agent';

export const command: Command = {
  usage: [
    'wats guardian list',
    'wats guardian add KEY [LABEL]',
    'wats guardian remove KEY',
    'wats guardian halt [--reason TEXT]',
  ],
  about:
    'People whose halt stops your agent at once: its run ends, and nothing of it is published, until they or you resume. ' +
    'With halt, stop the agents of everybody who chose you. All but list need a terminal.',
  flags: {
    reason: { type: 'string', value: 'TEXT', help: 'with halt: why, for those who are stopped' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    const { act } = actionOf('guardian', ACTIONS, input);
    await act(input, context);
    return 0;
  },
};

async function ask<T>(
  name: string,
  args: Record<string, unknown>,
  input: Input,
  context: Context,
): Promise<T> {
  return (await withDaemon(input, context, (client) => client.call(name, args))) as T;
}

function show(state: GuardianState, context: Context): void {
  print(context.stdout, `you: ${state.you}`);
  if (state.guardians.length === 0) print(context.stdout, 'no guardians: nobody but you can stop your agent');
  else {
    const rows = table(
      state.guardians,
      [
        { title: 'guardian', cell: ({ label }) => (label === '' ? '-' : label) },
        { title: 'key', cell: ({ author }) => author },
        { title: 'from', cell: ({ from }) => (from === 'store' ? 'you added' : 'halt.guardians') },
        {
          title: '',
          cell: ({ author }) =>
            state.halts.some((halt) => halt.here && halt.author === author) ? 'HALTED' : '',
        },
      ],
      Math.max(widthOf(context), 110),
    );
    print(context.stdout, rows);
  }
  if (!state.accept) print(context.stderr, `! ${IGNORED}`);
  printHalts(state, context);
}

/** The halts that there are, one line each. */
export function printHalts(state: GuardianState, context: Context): void {
  for (const { id, author, ts, text, here, yours } of state.halts) {
    const label = state.guardians.find((guardian) => guardian.author === author)?.label ?? '';
    const who = yours ? 'you' : label === '' ? author : `${visible(label, 'line')} (${author})`;
    const reason = text.trim() === '' ? '' : `: ${excerpt(text, 120)}`;
    const where = here ? '' : ' (not in force at this node)';
    print(
      context.stdout,
      `halt ${shortId(id)} by ${who}, ${age(ts * 1000, context.now())} ago${where}${reason}`,
    );
  }
}
