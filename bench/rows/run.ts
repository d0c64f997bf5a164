import { interleave, median, ms, quantile, round } from '../support/measure.ts';
import { atMost, line, type RowRun } from '../support/row.ts';
import { bareRun, idleAgent } from '../support/runs.ts';

export const run: RowRun = async (bench) => {
  const agentRun = await idleAgent(bench);
  const pairs = await interleave(
    bench.quick ? 10 : 100,
    async () => (await agentRun()).wall,
    async () => (await bareRun()).wall,
  );
  const own = median(pairs.a.map((value, n) => value - (pairs.b[n] ?? 0)));
  return [
    line('wats’ own time on a run that does nothing', ms(own), {
      beside: `the program alone: ${ms(pairs.medianB)}`,
      ...atMost(own, 50, ' ms'),
      figures: {
        ownMs: round(own),
        runP50Ms: round(pairs.medianA),
        runP99Ms: round(quantile(pairs.a, 0.99)),
        bareMs: round(pairs.medianB),
        runs: pairs.a.length,
      },
    }),
  ];
};
