/** Pure: HEARTBEAT.md and what goes into it. A wake prompt holds no byte that a stranger chose. */
export type { PromptEvent, PromptFacts, PromptFeedback, PromptRejection, Reasons } from './facts.ts';
export { renderPrompt } from './render.ts';
export { SWARM_SENTENCE } from './sentence.ts';
export { checkTemplate, TEMPLATE_VARIABLES } from './template.ts';
