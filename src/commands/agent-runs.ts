import type { RunRow, SpendView } from '../control/index.ts';
import { age, clock, usd } from '../text/index.ts';
import { askOrRead } from './support/asleep.ts';
import type { Command } from './support/command.ts';
import { wholeNumber } from './support/numbers.ts';
import { print, printJson, table, widthOf } from './support/print.ts';

interface Runs {
  readonly total: number;
  readonly runs: readonly (RunRow & { readonly message: string | null })[];
  readonly spend: SpendView | null;
}

export const command: Command = {
  usage: ['wats agent runs [--limit N]'],
  about:
    'Lists runs, newest first, and spend against budget. Costs are the program’s list prices. Needs no daemon.',
  flags: {
    limit: { type: 'string', value: 'N', help: 'at most this many runs (default: 20)' },
    json: { type: 'boolean', help: 'print JSON instead of text' },
  },
  async run(input, context) {
    const limit = wholeNumber(input, 'limit', 20);
    const { answer: found } = await askOrRead<Runs>(input, context, 'runs', { limit });
    if (input.on('json')) {
      printJson(context, found);
      return 0;
    }
    if (found.runs.length === 0) print(context.stderr, 'no runs yet');
    else {
      const rows = table(
        found.runs,
        [
          { title: 'run', cell: (run) => run.id },
          { title: 'when', cell: (run) => age(run.startedAt, context.now()) },
          { title: 'cause', cell: (run) => run.cause },
          { title: 'outcome', cell: (run) => run.outcome },
          {
            title: 'took',
            cell: (run) => (run.durationMs === null ? '-' : clock(run.durationMs)),
            align: 'right',
          },
          { title: 'turns', cell: (run) => String(run.turns ?? '-'), align: 'right' },
          {
            title: 'cost',
            cell: (run) => (run.costMicroUsd === null ? '-' : usd(run.costMicroUsd)),
            align: 'right',
          },
        ],
        widthOf(context),
      );
      print(context.stdout, rows);
    }
    if (found.spend !== null) {
      const { day, month } = found.spend;
      print(
        context.stdout,
        `today ${usd(day.spentMicroUsd)} of ${usd(day.limitMicroUsd)} · month ${usd(month.spentMicroUsd)} of ${usd(month.limitMicroUsd)} (list prices)`,
      );
    }
    return 0;
  },
};
