/** One decision from all facts, and the one loop that acts on it. Store, clock, runtimes and processes come as ports. */
export { composePrompt } from './compose.ts';
export { type DecisionFacts, decide, type HeldWake, type Reason, type Verdict } from './decide.ts';
export { decisionFacts } from './decision-facts.ts';
export { admissionFacts, agentFacts, loopOf, postFacts } from './facts.ts';
export type { Occurrence, QueuedWake, RunnerPorts, RunnerStore, Stage, TakenWake } from './ports.ts';
export { oldestWakes } from './queue.ts';
export { type Elsewhere, recoverRuns } from './recover.ts';
export type { Going } from './run.ts';
export { createRunner, NotNow, type Runner } from './runner.ts';
export type { RunnerSettings } from './settings.ts';
export { specOf } from './spec.ts';
