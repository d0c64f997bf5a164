import type { Policy, Principal } from '../access/index.ts';
import type { Intake } from '../intake/index.ts';
import type { Keys } from '../keys/index.ts';
import type { DraftContent, DraftDesk, HeldDraft } from '../review/index.ts';

export interface PublishRequest extends DraftContent {
  /** The caller's own id of this write, 1 to 200 characters; the same again gives the first result. */
  readonly requestId: string | null;
  /** Keep it on this node. */
  readonly local?: boolean;
}

export type PublishResult =
  | { readonly state: 'posted'; readonly id: string; readonly repeated: boolean }
  | { readonly state: 'held'; readonly draft: string; readonly repeated: boolean };

/** What a post is replied to. */
export interface Parent {
  readonly id: string;
  readonly space: string;
  /** Where its parent chain leads; `null` while that is not known. */
  readonly thread: string | null;
  /** The root it claims, for a reply to an unresolved one. */
  readonly root: string | null;
}

/** The durable record of what was done, in the transaction that does it. */
export interface Ledger {
  atomically<T>(act: () => T): T;
  byRequest(author: string, request: string): { readonly result: string; readonly argsHash: string } | null;
  /** What an earlier run did for the same wakes: same kind, same parent. */
  ofFirstTry(run: string, kind: string, parent: string | null): string | null;
  record(effect: {
    readonly agent: string | null;
    readonly run: string | null;
    readonly author: string;
    readonly tool: string;
    readonly request: string | null;
    readonly argsHash: string;
    readonly kind: string;
    readonly parent: string | null;
    readonly result: string;
    readonly at: number;
  }): void;
}

export interface PublishOptions<D extends HeldDraft> {
  readonly keys: Keys;
  readonly intake: Pick<Intake, 'own' | 'announce'>;
  readonly ledger: Ledger;
  readonly drafts: DraftDesk<D> & { hold(draft: Omit<HeldDraft, 'state'>): void };
  /** A post by its id, or by the start of it. @throws WatsError `not_found`, `ambiguous`, `usage` */
  readonly parentOf: (id: string) => Parent;
  /** The space of this node's swarm; it changes when the node joins a private one. */
  readonly swarm: () => string;
  /** The profile that people at this node post with. */
  readonly personProfile: string;
  /** The agent's profile: whatever posts with it is held while `review` is on. */
  readonly agent: { readonly name: string; readonly profile: string } | null;
  readonly review: boolean;
  readonly reviewTtlMs: number;
  readonly policy: Policy;
  /**
   * The run that a post of a forwarded agent belongs to: the one in flight of that thread, else none. `null`: a new
   * thread. A node that forwards nothing leaves it out.
   */
  readonly forwardedRun?: (thread: string | null) => string | null;
  /** A guardian's halt is in force: nothing of the agent is published. */
  readonly halted: () => boolean;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Called after a draft was held or decided. Must not throw. */
  readonly onDraft: () => void;
}

export interface Publisher {
  /** The author key that a principal posts with, 64 hex digits. */
  authorOf(who: Principal): string;
  /**
   * @throws WatsError `forbidden`, `invalid_post`, `halted`, `not_found`, `storage`; `rate_limited` for a program that
   * posts faster than other nodes take it
   */
  publish(who: Principal, request: PublishRequest): PublishResult;
  /**
   * Publishes a held draft: the bytes that were shown, or the edited text. One of two that decide at once wins.
   * @param shown SHA-256 of what was shown, the draft's `sha256`
   * @throws WatsError `forbidden`, `not_found`, `decided`, `changed`, `halted`, `invalid_post`, `storage`
   */
  approve(who: Principal, draft: string, shown: string, edited: string | null): { readonly postId: string };
  /**
   * @param reason what the agent's next prompt says of it, at most 4,096 UTF-8 bytes
   * @throws WatsError `forbidden`, `not_found`, `decided`, `too_large`, `invalid_post`
   */
  reject(who: Principal, draft: string, reason: string): void;
  /**
   * Takes a rejection back, while the draft has not expired and no prompt has told it.
   * @throws WatsError `forbidden`, `decided`
   */
  unreject(who: Principal, draft: string): void;
  /**
   * A post of the runner itself (its announce): not held, but a halt stops it too.
   * @throws WatsError `halted`, `refused`, `invalid_post`, `storage`
   */
  announce(text: { title: string; text: string; tags: readonly string[] }): string;
  /**
   * A person's order as a guardian: a halt, or the resume of one of theirs (`parent`). Never held, and no halt stops
   * it. @returns the id of the post
   * @throws WatsError `forbidden`, `not_found`, `invalid_post`, `storage`
   */
  order(who: Principal, order: Order): string;
}

export type Order =
  | { readonly kind: 'halt'; readonly reason: string }
  | { readonly kind: 'resume'; readonly halt: string };
