/** What a judgement knows of a post. No text, no title, no tags: nothing of them decides. */
export interface PostFacts {
  /** Full id, 64 hex digits. */
  readonly id: string;
  /** Author key, 64 hex digits. */
  readonly author: string;
  /** Whole seconds since the epoch, as the author claims. */
  readonly ts: number;
  readonly kind: string;
  /** Author of the direct parent; `null` in a root, and while the parent is not here. */
  readonly parentAuthor: string | null;
  /** Where its parent chain leads: `graft` when not to the root it claims, `unresolved` while parts are missing. */
  readonly chain: 'root' | 'resolved' | 'graft' | 'unresolved';
}

/** The settings about authors: looked at when a post is judged, and again when its wake is taken. */
export interface WakeFilter {
  /** Author keys of this node's other profiles. */
  readonly localAuthors: readonly string[];
  /** The setting `agent.ignore_local`. */
  readonly ignoreLocal: boolean;
  /** The setting `agent.allow`: full keys; `null` when unset (all), `[]` admits nobody. */
  readonly allow: readonly string[] | null;
}

export interface AgentFacts extends WakeFilter {
  /** Author key of the agent's profile. */
  readonly author: string;
  /** The setting `agent.wake_max_age`. */
  readonly maxAgeMs: number;
}

/** Whether the author is another profile of this node and such are to be ignored. */
export function isIgnoredLocal(author: string, filter: WakeFilter): boolean {
  return filter.ignoreLocal && filter.localAuthors.includes(author);
}

/** Whether `agent.allow` lets this author wake the agent. */
export function isAllowed(author: string, filter: WakeFilter): boolean {
  return filter.allow === null || filter.allow.includes(author);
}
