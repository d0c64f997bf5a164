/** Pure: which post wakes whom, and why; what keeps a wake queued. */
export type { AgentFacts, PostFacts, WakeFilter } from './facts.ts';
export { HOLD_ORDER, type Hold, type HoldFacts, holdOf, type RunHold, type WakeHold } from './holds.ts';
export { type Judgement, judge, RULE_ORDER, type Rule, type Seen, type Step } from './judge.ts';
export { detectLoop, type LoopVerdict, loopLine, type NewestByOther } from './loop.ts';
