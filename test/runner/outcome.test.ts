import { expect, test } from 'vitest';
import { conclude, concludeInterrupted } from '../../src/runner/outcome.ts';
import type { Outcome } from '../../src/runtimes/index.ts';
import { ending } from './support/world.ts';

const PRICED = { microUsd: 500_000, runs: 1, unpricedRuns: 0 } as const;
const UNPRICED = { microUsd: 0, runs: 1, unpricedRuns: 1 } as const;

// Design page 3, "Runs, and what becomes of their wakes".
test.each<[Outcome, 'done' | 'second_try' | 'back', boolean]>([
  ['ok', 'done', false],
  ['idle', 'done', false],
  ['max_turns', 'done', false],
  ['max_usd', 'done', false],
  ['refused', 'done', false],
  ['timeout', 'done', false],
  ['stopped', 'done', false],
  ['unknown', 'done', false],
  ['interrupted', 'second_try', false],
  ['stalled', 'second_try', false],
  ['error', 'second_try', false],
  ['auth', 'back', true],
  ['rate_limited', 'back', true],
  ['no_tools', 'back', true],
  ['config', 'back', true],
  ['deferred', 'back', true],
])('after %s the wakes are %s', (outcome, fate, blocks) => {
  const reported = conclude(ending(outcome, { costMicroUsd: 120_000 }), PRICED, 1);
  expect(reported).toMatchObject({ outcome, fate, blocks });
  // What was reported is spent, whatever else happened; what comes back does not count as a run.
  const runs = fate === 'back' ? 0 : 1;
  expect(reported.charge).toEqual({ microUsd: 120_000, runs, unpricedRuns: 0 });
  // Silence costs the cap and a run without a price; what comes back had sent nothing.
  expect(conclude(ending(outcome), PRICED, 1).charge).toEqual(
    fate === 'back'
      ? { microUsd: 0, runs: 0, unpricedRuns: 0 }
      : { microUsd: 500_000, runs: 1, unpricedRuns: 1 },
  );
  expect(conclude(ending(outcome), UNPRICED, 1).charge).toEqual(
    fate === 'back' ? { microUsd: 0, runs: 0, unpricedRuns: 0 } : { microUsd: 0, runs: 1, unpricedRuns: 1 },
  );
});

test('ok without an effect is idle: the agent chose to do nothing', () => {
  expect(conclude(ending('ok'), PRICED, 0)).toMatchObject({ outcome: 'idle', fate: 'done' });
  expect(conclude(ending('ok'), PRICED, 1)).toMatchObject({ outcome: 'ok', fate: 'done' });
  expect(conclude(ending('timeout'), PRICED, 0)).toMatchObject({ outcome: 'timeout' });
});

test('a cost over the cap counts as it was reported', () => {
  expect(conclude(ending('ok', { costMicroUsd: 5_000_000 }), PRICED, 1).charge.microUsd).toBe(5_000_000);
});

test('a run that a dead daemon left counts in full', () => {
  expect(concludeInterrupted(PRICED)).toEqual({
    outcome: 'interrupted',
    fate: 'second_try',
    charge: { microUsd: 500_000, runs: 1, unpricedRuns: 1 },
    blocks: false,
  });
});
