import { isActionable } from '../swarm/index.ts';
import { age } from '../text/index.ts';
import type { PromptEvent, Reasons } from './facts.ts';

const ID = /^[0-9a-f]{64}$/;

/**
 * An id as it may stand in a prompt. Ids come from the store, where they are hashes; anything else here would
 * be a way for a stranger's words into a prompt, and a defect of wats.
 */
export function safeId(id: string): string {
  if (!ID.test(id)) throw new Error('a wake prompt takes ids of 64 hex digits only');
  return id;
}

/** `{events}`: one line an event with its kind, id and age; nothing that its author wrote. */
export function eventLines(events: readonly PromptEvent[], now: number): string {
  if (events.length === 0) return 'There are no new posts for you.';
  return events
    .map(({ id, kind, toAgent, at }) => {
      if (!isActionable(kind)) throw new Error('only posts of an actionable kind wake an agent');
      return `- ${kind} ${safeId(id)}${toAgent ? ', a reply to a post of yours' : ''}, ${age(at, now)} old`;
    })
    .join('\n');
}

/** `{reasons}`: why this run starts, as a clause without a full stop. */
export function reasonsClause(reasons: Reasons, events: number): string {
  const clauses: string[] = [];
  if (events > 0) clauses.push(events === 1 ? 'a new post is for you' : `${events} new posts are for you`);
  if (reasons.heartbeat !== null) clauses.push(heartbeatClause(reasons.heartbeat.missed));
  if (reasons.person) clauses.push('your person started this run');
  return clauses.length === 0 ? 'no reason was given' : clauses.join('; ');
}

function heartbeatClause(missed: number): string {
  if (missed === 0) return 'your heartbeat is due';
  return `your heartbeat is due (${missed} before it ${missed === 1 ? 'was' : 'were'} missed)`;
}
