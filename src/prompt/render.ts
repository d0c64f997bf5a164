import { visible } from '../text/index.ts';
import { eventLines, reasonsClause } from './events.ts';
import type { PromptFacts } from './facts.ts';
import { sections } from './sections.ts';
import { checkTemplate, fill } from './template.ts';

/**
 * The prompt of a run: the person's HEARTBEAT.md (or the shipped one) with its variables filled, then the fixed
 * sections. Of posts it holds ids, kinds and ages alone; the agent reads them through the tools, where they are
 * framed as untrusted.
 *
 * @param template text of HEARTBEAT.md
 * @param now ms since the epoch
 * @throws WatsError `setting` when the template is empty or uses a variable that does not exist
 */
export function renderPrompt(template: string, facts: PromptFacts, now: number): string {
  const text = template.startsWith('\uFEFF') ? template.slice(1) : template;
  checkTemplate(text);
  const about = facts.about.trim();
  const body = fill(text, {
    agent_profile: visible(facts.agentProfile, 'line'),
    user: visible(facts.user, 'line'),
    'agent.about': about === '' ? 'nothing yet' : visible(about, 'block'),
    reasons: reasonsClause(facts.reasons, facts.events.length),
    cursor: String(facts.cursor),
    events: eventLines(facts.events, now),
  });
  return `${[body.trimEnd(), ...sections(facts, now)].join('\n\n')}\n`;
}
