import { createHash } from 'node:crypto';
import type { Principal } from '../../../src/access/index.ts';
import { WatsError } from '../../../src/errors/index.ts';
import type {
  DraftSummary,
  NodeStatus,
  PublishRequest,
  PublishResult,
  SearchQuery,
  StoredPost,
  ToolPorts,
} from '../../../src/mcp/index.ts';
import type { Post } from '../../../src/swarm/index.ts';

export const NOW = 1_800_000_000_000;

/** A key or an id that a reader recognises: the letters of a word as hex, filled up. */
export function hex64(word: string): string {
  return createHash('sha256').update(word).digest('hex');
}

/** An in-memory house behind the tools: a list of posts, a list of drafts, and switches for what a test needs. */
export class FakeHouse {
  readonly posts: StoredPost[] = [];
  readonly drafts: DraftSummary[] = [];
  readonly published: { who: Principal; request: PublishRequest }[] = [];
  readonly decided: { who: Principal; draft: string; what: string }[] = [];
  readonly #results = new Map<string, PublishResult>();
  review = false;
  sessionsDecide = true;
  halted = false;
  /** Set: publishing fails with it. */
  refusal: WatsError | undefined;
  unacknowledged: string[] = [];
  /** Set: `search` answers with it, so that a test can hold calls open. */
  onSearch: ((query: SearchQuery) => ReturnType<ToolPorts['posts']['search']>) | undefined;
  onStatus: (() => void) | undefined;

  add(post: Partial<Post> & { text: string }, chain?: StoredPost['chain']): StoredPost {
    const seq = this.posts.length + 1;
    const parent = post.parent ?? null;
    const stored: StoredPost = {
      seq,
      chain: chain ?? (parent === null ? 'root' : 'resolved'),
      post: {
        v: 1,
        space: 'open',
        author: hex64('alice'),
        ts: NOW / 1000 - 300,
        kind: parent === null ? 'ask' : 'answer',
        root: parent === null ? null : (this.posts.find((p) => p.post.id === parent)?.post.root ?? parent),
        title: '',
        tags: [],
        id: hex64(`post ${seq}`),
        sig: '0'.repeat(128),
        ...post,
        parent,
      },
    };
    this.posts.push(stored);
    return stored;
  }

  readonly ports: ToolPorts = {
    posts: {
      find: (id) => {
        const [found, second] = this.posts.filter((stored) => stored.post.id.startsWith(id));
        if (found === undefined)
          throw new WatsError('not_found', `no post starts with ${id}`, { fix: 'Search for it.' });
        if (second !== undefined) throw new WatsError('ambiguous', `several posts start with ${id}`);
        return found;
      },
      thread: (root, after, limit) => {
        const all = this.posts.filter(
          ({ post, chain }) =>
            (post.id === root || post.root === root) && chain !== 'graft' && chain !== 'unresolved',
        );
        return { posts: all.filter(({ seq }) => seq > after).slice(0, limit), total: all.length };
      },
      search: (query) => {
        if (this.onSearch) return this.onSearch(query);
        const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
        const all = this.posts
          .filter(({ post }) =>
            words.every((word) => `${post.title} ${post.text}`.toLowerCase().includes(word)),
          )
          .filter(({ post }) => query.kinds.length === 0 || query.kinds.includes(post.kind))
          .filter(({ post }) => query.author === null || query.author === post.author)
          .filter(({ post }) => query.since === null || post.ts >= query.since)
          .toReversed();
        return { posts: all.slice(query.offset, query.offset + query.limit), total: all.length };
      },
      inbox: (author, after, limit) => {
        const mine = new Set(
          this.posts.filter(({ post }) => post.author === author).map(({ post }) => post.id),
        );
        const all = this.posts.filter(
          ({ post, seq }) =>
            seq > after && post.author !== author && (post.kind === 'ask' || mine.has(post.parent ?? '')),
        );
        return { posts: all.slice(0, limit), total: all.length };
      },
      newestSeq: () => this.posts.length,
    },
    publishing: {
      authorOf: (who) => hex64('profile' in who ? who.profile : who.kind),
      publish: (who, request) => {
        if (this.refusal) throw this.refusal;
        if (this.halted)
          throw new WatsError('halted', 'a guardian halted publishing', { fix: 'Wait for a resume.' });
        const before = request.requestId === null ? undefined : this.#results.get(request.requestId);
        if (before) return { ...before, repeated: true };
        this.published.push({ who, request });
        const result: PublishResult = this.review
          ? { state: 'held', draft: `d-${this.published.length}`, repeated: false }
          : { state: 'posted', id: hex64(`published ${this.published.length}`), repeated: false };
        if (request.requestId !== null) this.#results.set(request.requestId, result);
        return result;
      },
    },
    review: {
      pending: () => this.drafts,
      approve: (who, draft, sha256) => {
        const held = this.drafts.find(({ id }) => id === draft);
        if (held === undefined) throw new WatsError('not_found', `no draft ${draft}`);
        if (held.sha256 !== sha256) throw new WatsError('changed', `${draft} is not what was shown`);
        this.decided.push({ who, draft, what: 'approved' });
        return { postId: hex64(draft) };
      },
      reject: (who, draft, reason) => {
        this.decided.push({ who, draft, what: `rejected: ${reason}` });
      },
    },
    node: {
      status: (): NodeStatus => {
        this.onStatus?.();
        return {
          version: '1.2.3',
          nodeId: '12D3KooWnode',
          space: 'open',
          posts: this.posts.length,
          peersConnected: 1,
          peersKnown: 2,
          agent: { profile: 'me-agent', runtime: 'claude', access: 'locked', review: true },
          pendingDrafts: this.drafts.length,
          unacknowledged: this.unacknowledged,
          halted: this.halted,
        };
      },
      now: () => NOW,
      sessionsDecide: () => this.sessionsDecide,
    },
  };
}
