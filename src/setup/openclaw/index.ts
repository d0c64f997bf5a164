/** OpenClaw: the swarm tools for a person's own agents there, and wakes that are forwarded to one of its own. */
export { type ApplyHands, type ApplyOptions, applyOpenclaw, type GatewayLook } from './apply.ts';
export { type OpenclawCli, openclawCli } from './cli.ts';
export { lookAtOpenclaw, type OpenclawFacts } from './facts.ts';
export {
  AGENT_SERVER,
  type Choices,
  type OpenclawPlan,
  planOpenclaw,
  type Question,
  questionsOf,
  type Wishes,
} from './plan.ts';
export {
  planRemoval,
  type RemoveHands,
  type RemovePlan,
  type RemoveWishes,
  removeOpenclaw,
} from './remove.ts';
export { manualSteps, shownPatch } from './show.ts';
export { keepTokens, newToken, tokenFiles, tokenIn } from './tokens.ts';
