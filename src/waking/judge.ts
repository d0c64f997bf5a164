import { isActionable, isFeedback } from '../swarm/index.ts';
import { type AgentFacts, isAllowed, isIgnoredLocal, type PostFacts } from './facts.ts';

/** The rules of waking in the order in which they are asked (design page 3, "Waking"). */
export const RULE_ORDER = [
  'own', // a post of the agent itself
  'ignore_local', // a post of another profile of this node, with agent.ignore_local
  'allow', // an author who is not in agent.allow, when that is given
  'chain', // a graft; an unresolved reply waits for its chain
  'age', // older by its ts than agent.wake_max_age
  'ask', // an ask of anybody, root or reply
  'reply', // a direct reply of an actionable kind to a post of the agent
  'feedback', // a direct reply of a feedback kind to a post of the agent
  'otherwise', // anything else
] as const;

export type Rule = (typeof RULE_ORDER)[number];
export type Seen = string | number | boolean | null;

/** One rule as it was asked: what it saw, what it compared that to, and whether it decided. */
export interface Step {
  readonly rule: Rule;
  readonly saw: Seen;
  readonly limit: Seen;
  readonly decided: boolean;
}

/**
 * What becomes of a post for one agent. `feedback` wakes nobody and is listed in the next prompt; `later` is
 * judged again when the chain of the post is complete. The trace holds every rule in order; exactly one decided.
 */
export interface Judgement {
  readonly kind: 'wake' | 'feedback' | 'no' | 'later';
  readonly because: { readonly rule: Rule; readonly saw: Seen; readonly limit: Seen };
  readonly trace: readonly Step[];
}

interface Answer {
  readonly saw: Seen;
  readonly limit: Seen;
  /** What the rule says of the post, or `null` when it does not apply. */
  readonly says: Judgement['kind'] | null;
}

/**
 * Judges one post for one agent; the first rule that applies decides. Guardian posts, announces and unknown
 * kinds reach `otherwise`, so that they never wake.
 *
 * @param now ms since the epoch
 */
export function judge(post: PostFacts, agent: AgentFacts, now: number): Judgement {
  const trace: Step[] = [];
  let found: { kind: Judgement['kind']; because: Judgement['because'] } | null = null;
  for (const rule of RULE_ORDER) {
    const { saw, limit, says } = ask(rule, post, agent, now);
    const decided = found === null && says !== null;
    if (found === null && says !== null) found = { kind: says, because: { rule, saw, limit } };
    trace.push({ rule, saw, limit, decided });
  }
  if (found === null) throw new Error('the last rule of waking applies to every post');
  return { ...found, trace };
}

function ask(rule: Rule, post: PostFacts, agent: AgentFacts, now: number): Answer {
  switch (rule) {
    case 'own':
      return { saw: post.author, limit: agent.author, says: post.author === agent.author ? 'no' : null };
    case 'ignore_local':
      return {
        saw: agent.localAuthors.includes(post.author) ? 'a profile of this node' : 'another node',
        limit: agent.ignoreLocal,
        says: isIgnoredLocal(post.author, agent) ? 'no' : null,
      };
    case 'allow': {
      const allowed = isAllowed(post.author, agent);
      return {
        saw: agent.allow === null ? null : allowed,
        limit: agent.allow?.length ?? null,
        says: allowed ? null : 'no',
      };
    }
    case 'chain':
      return {
        saw: post.chain,
        limit: null,
        says: post.chain === 'graft' ? 'no' : post.chain === 'unresolved' ? 'later' : null,
      };
    case 'age': {
      const ageMs = now - post.ts * 1000;
      return { saw: ageMs, limit: agent.maxAgeMs, says: ageMs > agent.maxAgeMs ? 'no' : null };
    }
    case 'ask':
      return { saw: post.kind, limit: 'ask', says: post.kind === 'ask' ? 'wake' : null };
    case 'reply': {
      const kind = kindOfReply(post, agent);
      return { saw: kind, limit: 'actionable', says: kind !== null && isActionable(kind) ? 'wake' : null };
    }
    case 'feedback': {
      const kind = kindOfReply(post, agent);
      return { saw: kind, limit: 'feedback', says: kind !== null && isFeedback(kind) ? 'feedback' : null };
    }
    case 'otherwise':
      return { saw: post.kind, limit: null, says: 'no' };
    default:
      return rule satisfies never;
  }
}

/** The kind of a direct reply to a post of the agent; `null` for every other post. */
function kindOfReply(post: PostFacts, agent: AgentFacts): string | null {
  return post.parentAuthor === agent.author ? post.kind : null;
}
