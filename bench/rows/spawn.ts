import { interleave, median, ms, quantile, round } from '../support/measure.ts';
import { line, type RowRun } from '../support/row.ts';
import { bareRun, idleAgent } from '../support/runs.ts';

export const run: RowRun = async (bench) => {
  const agentRun = await idleAgent(bench);
  const pairs = await interleave(
    bench.quick ? 10 : 200,
    async () => (await agentRun()).storedToSpawned,
    async () => (await bareRun()).spawned,
  );
  const more = median(pairs.a.map((value, n) => value - (pairs.b[n] ?? 0)));
  const p99 = { wats: quantile(pairs.a, 0.99), bare: quantile(pairs.b, 0.99) };
  return [
    line('stored post to spawn returned, p50', ms(pairs.medianA), {
      beside: `bare spawn: ${ms(pairs.medianB)} (+ ${ms(more)})`,
      target: '≤ bare + 10 ms',
      met: more <= 10,
      figures: {
        p50Ms: round(pairs.medianA),
        bareP50Ms: round(pairs.medianB),
        moreMs: round(more),
        runs: pairs.a.length,
      },
    }),
    line('stored post to spawn returned, p99', ms(p99.wats), {
      beside: `bare spawn: ${ms(p99.bare)}`,
      figures: { p99Ms: round(p99.wats), bareP99Ms: round(p99.bare) },
    }),
  ];
};
