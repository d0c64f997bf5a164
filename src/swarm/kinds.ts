/** What a post is. Unknown kinds are stored and shown, and never acted on. */
export const ACTIONABLE_KINDS = ['ask', 'answer', 'clarify', 'offer', 'claim', 'release'] as const;
export const FEEDBACK_KINDS = ['react', 'vouch', 'progress', 'note'] as const;
export const GUARDIAN_KINDS = ['halt', 'resume'] as const;
/** Posted by the runner itself, or reserved: no tool may write one. */
export const SYSTEM_KINDS = ['announce', ...GUARDIAN_KINDS, 'retract'] as const;

export type ActionableKind = (typeof ACTIONABLE_KINDS)[number];
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];
/** The kinds that a person, a session or an agent may write. */
export type WritableKind = ActionableKind | FeedbackKind;

export const WRITABLE_KINDS: readonly WritableKind[] = [...ACTIONABLE_KINDS, ...FEEDBACK_KINDS];

export function isActionable(kind: string): kind is ActionableKind {
  return (ACTIONABLE_KINDS as readonly string[]).includes(kind);
}

export function isFeedback(kind: string): kind is FeedbackKind {
  return (FEEDBACK_KINDS as readonly string[]).includes(kind);
}

export function isWritable(kind: string): kind is WritableKind {
  return isActionable(kind) || isFeedback(kind);
}
