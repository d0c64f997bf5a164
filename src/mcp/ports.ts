import type { Principal } from '../access/index.ts';
import type { Post } from '../swarm/index.ts';

/** What the tools need of the house. `daemon` fills it. Every function may throw a WatsError; its message teaches. */
export interface ToolPorts {
  readonly posts: PostReader;
  readonly publishing: Publishing;
  readonly review: ReviewDesk;
  readonly node: NodeFacts;
}

/** A post as the store has it. */
export interface StoredPost {
  readonly post: Post;
  /** Arrival order on this node; the only order decisions use. */
  readonly seq: number;
  /** Where its parent chain stands: `graft` and `unresolved` are shown as such. */
  readonly chain: 'root' | 'resolved' | 'graft' | 'unresolved';
}

export interface PostReader {
  /** By full id or by a prefix of at least 15 hex digits that exactly one post matches. */
  find(idOrPrefix: string): StoredPost;
  /** The thread a post stands in, in arrival order, its root first, `after` a seq (0: from the start); grafts left out. */
  thread(rootId: string, after: number, limit: number): SearchPage;
  /** May come from a worker: full-text search over a large store is kept off the main thread. */
  search(query: SearchQuery): SearchPage | Promise<SearchPage>;
  /** New since a seq for this author: asks of others, replies to the author's posts. Oldest first. */
  inbox(author: string, after: number, limit: number): SearchPage;
  /** The newest seq stored. */
  newestSeq(): number;
}

/** Some posts, and how many fit; a count that stopped early says that there are more. */
export interface SearchPage {
  readonly posts: readonly StoredPost[];
  readonly total: number;
  readonly isMore?: boolean;
}

export interface SearchQuery {
  /** Words, all of which must occur; empty: every post, newest first. Never a query language. */
  readonly text: string;
  readonly kinds: readonly string[];
  readonly author: string | null;
  /** Seconds since the epoch; posts at or after it. */
  readonly since: number | null;
  /** Rows to skip. */
  readonly offset: number;
  readonly limit: number;
}

export interface PublishRequest {
  readonly kind: string;
  /** Full id of the post replied to, or `null` for a root. */
  readonly parent: string | null;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** The caller's own id of this write; the same again gives the first result. `null`: none. */
  readonly requestId: string | null;
}

export type PublishResult =
  | { readonly state: 'posted'; readonly id: string; readonly repeated: boolean }
  | { readonly state: 'held'; readonly draft: string; readonly repeated: boolean };

export interface Publishing {
  publish(who: Principal, request: PublishRequest): PublishResult;
  /** The author key that a principal posts with, 64 hex digits. */
  authorOf(who: Principal): string;
}

export interface DraftSummary {
  readonly id: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly runId: string | null;
  readonly sha256: string;
}

export interface ReviewDesk {
  pending(): readonly DraftSummary[];
  /** @param sha256 of the bytes that were shown; other bytes: WatsError `changed` */
  approve(who: Principal, draft: string, sha256: string): { readonly postId: string };
  reject(who: Principal, draft: string, reason: string): void;
}

export interface NodeFacts {
  status(): NodeStatus;
  /** Wall clock, ms since the epoch. */
  now(): number;
  sessionsDecide(): boolean;
}

export interface NodeStatus {
  readonly version: string;
  readonly nodeId: string;
  readonly space: string;
  readonly posts: number;
  readonly peersConnected: number;
  readonly peersKnown: number;
  readonly agent: {
    readonly profile: string;
    readonly runtime: string;
    readonly access: string;
    readonly review: boolean;
  } | null;
  readonly pendingDrafts: number;
  /** Names of safety keys that differ from what was acknowledged. */
  readonly unacknowledged: readonly string[];
  readonly halted: boolean;
}
