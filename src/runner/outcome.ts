import { type Charge, settle } from '../budget/index.ts';
import type { Ending, Outcome } from '../runtimes/index.ts';

/** What becomes of a run's wakes. */
export type Fate = 'done' | 'second_try' | 'back';

export interface Conclusion {
  readonly outcome: Outcome;
  readonly fate: Fate;
  readonly charge: Charge;
  /** The runner looks at nothing until the thing is mended. */
  readonly blocks: boolean;
}

const FATE: Readonly<Record<Outcome, Fate>> = {
  ok: 'done',
  idle: 'done',
  max_turns: 'done',
  max_usd: 'done',
  refused: 'done',
  timeout: 'done',
  stopped: 'done',
  unknown: 'done',
  interrupted: 'second_try',
  stalled: 'second_try',
  error: 'second_try',
  auth: 'back',
  rate_limited: 'back',
  no_tools: 'back',
  config: 'back',
  deferred: 'back',
};

/**
 * What an ending means for the wakes and the money (design page 3, "Runs, and what becomes of their wakes").
 *
 * @param booked the charge that was booked
 * @param effects how many things the run did through MCP; none makes `ok` an `idle`
 */
export function conclude(ending: Ending, booked: Charge, effects: number): Conclusion {
  const outcome = ending.outcome === 'ok' && effects === 0 ? 'idle' : ending.outcome;
  const fate = FATE[outcome];
  if (fate === 'back') {
    // Nothing was answered: the run does not count, but money that was reported is spent all the same.
    const cost = ending.costMicroUsd ?? 0;
    return { outcome, fate, charge: { microUsd: cost, runs: 0, unpricedRuns: 0 }, blocks: true };
  }
  const priced = booked.unpricedRuns === 0;
  const report =
    ending.costMicroUsd !== null
      ? ({ kind: 'reported', microUsd: ending.costMicroUsd } as const)
      : ({ kind: 'none' } as const);
  return {
    outcome,
    fate,
    charge: settle(priced ? booked : { ...booked, unpricedRuns: 1 }, report),
    blocks: false,
  };
}

/** A run that a dead daemon left: nothing is known of it, so it counts in full. */
export function concludeInterrupted(booked: Charge): Conclusion {
  return {
    outcome: 'interrupted',
    fate: 'second_try',
    charge: settle(booked, { kind: 'none' }),
    blocks: false,
  };
}
