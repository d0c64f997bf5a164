import type { ActionableKind, FeedbackKind } from '../swarm/index.ts';

/** A post that woke the agent. Its author, title, text and tags have no place here. */
export interface PromptEvent {
  /** Full id, 64 hex digits. */
  readonly id: string;
  readonly kind: ActionableKind;
  /** A direct reply to a post of the agent. */
  readonly toAgent: boolean;
  /** Claimed time of the post, ms since the epoch. */
  readonly at: number;
}

/** A reply of a feedback kind to one of the agent's posts: listed, never a reason to wake. */
export interface PromptFeedback {
  readonly id: string;
  readonly kind: FeedbackKind;
  /** Id of the agent's post that it replies to. */
  readonly parent: string;
  readonly at: number;
}

/** A draft of the agent that was rejected since its last prompt. */
export interface PromptRejection {
  /** Id of the draft, as wats made it. */
  readonly draft: string;
  /** Id of the post that the draft replied to; `null` for a root. */
  readonly parent: string | null;
  /** The reason that was given; may be empty. */
  readonly reason: string;
  /** Who gave it. A session is an agent too, and may have repeated what a stranger told it. */
  readonly by: 'person' | 'session';
}

/** Why this run starts, besides its events. */
export interface Reasons {
  /** A due heartbeat, with how many were missed before it; `null`: none. */
  readonly heartbeat: { readonly missed: number } | null;
  /** A person asked for this run. */
  readonly person: boolean;
}

/** Everything that a wake prompt is made of. */
export interface PromptFacts {
  /** The setting `agent.profile`. */
  readonly agentProfile: string;
  /** The setting `profile`: the person whose agent it is. */
  readonly user: string;
  /** The setting `agent.about`; may be empty. */
  readonly about: string;
  readonly reasons: Reasons;
  /** The seq that the agent's inbox was last shown to; what is new comes after it. */
  readonly cursor: number;
  /** Oldest first. */
  readonly events: readonly PromptEvent[];
  /** Oldest first; `total` counts those too that are left out of `items`. */
  readonly feedback: { readonly items: readonly PromptFeedback[]; readonly total: number };
  /** Oldest first. */
  readonly rejections: readonly PromptRejection[];
  /** Ids of those events that an earlier run was cut short on. */
  readonly secondTry: readonly string[];
}
