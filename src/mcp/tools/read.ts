import { z } from 'zod';
import { counted, shortKey } from '../../text/index.ts';
import type { StoredPost, ToolPorts } from '../ports.ts';
import { cursorField, decodeCursor, encodeCursor } from './cursor.ts';
import { fitting, framePosts, postSchema, present, UNTRUSTED } from './present.ts';
import { defineTool, READS, type Tool } from './tool.ts';

/** An id, or a beginning of one that only one post has (design page 2: no fewer than 15 hex digits). */
export const idField = z.string().regex(/^[0-9a-f]{15,64}$/, 'an id: 15 to 64 lower-case hex digits');

export function readTool(): Tool {
  return defineTool({
    name: 'read',
    title: 'Read a thread',
    description:
      'Read a post in full, then its thread in order of arrival, paged. The post asked for comes first.',
    action: 'read',
    annotations: READS,
    input: z.strictObject({
      id: idField.describe('id of any post of the thread'),
      cursor: cursorField.optional().describe('"next" of the same read'),
      limit: z.int().min(1).max(50).default(20),
    }),
    output: z.strictObject({
      untrusted: z.string(),
      id: z.string().describe('full id of the post asked for'),
      root: z.string().nullable().describe('full id of the thread; null while unknown'),
      total: z.int().describe('posts in the thread'),
      posts: z.array(postSchema),
      authors: z.record(z.string(), z.string()).describe('short key to full key'),
      next: z.string().optional(),
    }),
    run(args, { ports, me, marker }) {
      const asked = ports.posts.find(args.id);
      const viewer = { now: ports.node.now(), me };
      const page = pageOf(ports, asked, args.cursor, args.limit);
      const all = page.stored.map((stored) => present(stored, viewer, 'whole'));
      const shown = page.stored.slice(0, fitting(all));
      const posts = all.slice(0, shown.length);
      const next = nextCursor(page, shown, asked);
      return {
        structured: {
          untrusted: UNTRUSTED,
          id: asked.post.id,
          root: page.root,
          total: page.total,
          posts,
          authors: Object.fromEntries(shown.map(({ post }) => [shortKey(post.author), post.author])),
          ...(next && { next }),
        },
        text: [
          heading(asked, page, posts.length),
          framePosts(posts, marker),
          next && `More of the thread: the same read with cursor "${next}".`,
        ]
          .filter(Boolean)
          .join('\n'),
      };
    },
  });
}

interface Page {
  readonly root: string | null;
  readonly total: number;
  readonly isMore?: boolean | undefined;
  readonly after: number;
  /** What may be shown: on the first page the post asked for, then the thread without it. */
  readonly stored: readonly StoredPost[];
  /** The rest of the thread as far as it was looked at, without the post asked for. */
  readonly others: readonly StoredPost[];
}

/** A graft belongs to no thread, an unresolved reply to none yet: they are shown alone. */
function pageOf(ports: ToolPorts, asked: StoredPost, cursor: string | undefined, limit: number): Page {
  const after = decodeCursor('thread', cursor);
  const first = cursor === undefined;
  if (asked.chain === 'graft' || asked.chain === 'unresolved') {
    return { root: null, total: 1, after, stored: first ? [asked] : [], others: [] };
  }
  const root = asked.post.root ?? asked.post.id;
  // Two more than are shown: one may be the post asked for, the other tells whether the thread goes on.
  const { posts, total, isMore } = ports.posts.thread(root, after, limit + 2);
  const others = posts.filter(({ post }) => post.id !== asked.post.id);
  const stored = first ? [asked, ...others] : others;
  return { root, total, isMore, after, stored: stored.slice(0, limit), others };
}

/** Where the thread goes on: after the last post of it that was shown, the one asked for not counted. */
function nextCursor(page: Page, shown: readonly StoredPost[], asked: StoredPost): string | undefined {
  const others = shown.filter(({ post }) => post.id !== asked.post.id);
  if (others.length >= page.others.length) return undefined;
  return encodeCursor('thread', others.at(-1)?.seq ?? page.after);
}

function heading(asked: StoredPost, page: Page, count: number): string {
  switch (asked.chain) {
    case 'graft':
      return 'This reply claims another root than its parents lead to: it belongs to no thread.';
    case 'unresolved':
      return 'Not all parents of this reply are here yet: its thread is not known.';
    default:
      return `${count} ${count === 1 ? 'post' : 'posts'} of a thread of ${counted(page)}.`;
  }
}
