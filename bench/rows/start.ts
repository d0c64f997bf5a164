import { join } from 'node:path';
import { interleave, ms, quantile, round } from '../support/measure.ts';
import { commandAgent, dataDirectory } from '../support/program.ts';
import { line, type RowRun } from '../support/row.ts';
import { NOTHING } from '../support/runs.ts';
import { openTerminal } from '../support/terminal.ts';
import { bareNode } from './bridge.ts';

const [COLUMNS, ROWS] = [120, 40];

export const run: RowRun = async ({ program, scratch, quick }) => {
  const dir = dataDirectory(join(scratch, 'd'), commandAgent([NOTHING]));
  const start = async (): Promise<number> => {
    const from = performance.now();
    const terminal = openTerminal(program, dir, COLUMNS, ROWS);
    const at = await terminal.shows('a whole frame', isWhole);
    await terminal.end();
    return at - from;
  };
  const pairs = await interleave(quick ? 3 : 20, start, () => bareNode());
  return [
    line('wats, spawn to its first whole frame', ms(pairs.medianA), {
      beside: `node -e 0: ${ms(pairs.medianB)}`,
      ratio: pairs.ratio,
      figures: {
        frameMs: round(pairs.medianA),
        p95Ms: round(quantile(pairs.a, 0.95)),
        bareMs: round(pairs.medianB),
        starts: pairs.a.length,
      },
    }),
  ];
};

/** From the banner in the first row to the footer in the last one. */
function isWhole(text: string): boolean {
  const rows = text.split('\n');
  return (rows[0] ?? '').startsWith(' wats ') && (rows.at(-1) ?? '').includes('q quit');
}
