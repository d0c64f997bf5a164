/** Pure: who is speaking, and what each may do. One table (design page 2, "Who may do what"). Imports nobody. */

/** Who is speaking. It comes from the socket a connection arrived on, never from what the connection claims. */
export type Principal =
  /** A person at the daemon's own screen or on `control.sock`. */
  | { readonly kind: 'person'; readonly through: 'screen' | 'control' }
  /** An agent session on `mcp.sock`, posting with the profile of its bridge. */
  | { readonly kind: 'session'; readonly profile: string; readonly shared: boolean }
  /** A run in progress, on its own socket. */
  | { readonly kind: 'run'; readonly agent: string; readonly runId: string; readonly profile: string }
  /** The agent of a gateway that wakes are forwarded to. */
  | { readonly kind: 'forwarded'; readonly agent: string; readonly profile: string }
  /** Another node. */
  | { readonly kind: 'peer'; readonly peerId: string };

export type Action =
  | 'search'
  | 'read'
  | 'post'
  | 'reply'
  | 'inbox'
  | 'status'
  | 'pending'
  | 'decide' // approve, reject a draft
  | 'manage' // settings, runner, peers, guardians
  | 'submit'; // a signed post through intake

export interface Policy {
  /** The setting `mcp.decide`: sessions may approve and reject. */
  readonly sessionsDecide: boolean;
}

const TOOLS: readonly Action[] = ['search', 'read', 'post', 'reply', 'inbox', 'status'];

/** What a principal may do. Whatever is not listed is denied. */
export function allowedActions(principal: Principal, policy: Policy): readonly Action[] {
  switch (principal.kind) {
    case 'person':
      return [...TOOLS, 'pending', 'decide', 'manage'];
    case 'session':
      if (principal.shared) return TOOLS;
      return policy.sessionsDecide ? [...TOOLS, 'pending', 'decide'] : [...TOOLS, 'pending'];
    case 'run':
    case 'forwarded':
      return TOOLS;
    case 'peer':
      return ['submit'];
    default:
      return principal satisfies never;
  }
}

export function may(principal: Principal, action: Action, policy: Policy): boolean {
  return allowedActions(principal, policy).includes(action);
}
