import { z } from 'zod';
import { WatsError } from '../../errors/index.ts';
import { counted } from '../../text/index.ts';
import { cursorField, decodeCursor, encodeCursor } from './cursor.ts';
import { fitting, framePosts, postSchema, present, UNTRUSTED } from './present.ts';
import { defineTool, type PostRules, READS, type Tool } from './tool.ts';

const UNIT_SECONDS = { m: 60, h: 3600, d: 86_400 };

export function searchTool(rules: PostRules): Tool {
  const kinds = [...rules.writableKinds, ...rules.systemKinds];
  return defineTool({
    name: 'search',
    title: 'Search posts',
    description:
      'Find posts of the swarm, newest first, as excerpts; read one by its id. Search before you ask. All words must occur.',
    action: 'search',
    annotations: READS,
    input: z.strictObject({
      text: z.string().max(500).default('').describe('words; empty: every post'),
      kinds: z.array(z.enum(kinds)).max(kinds.length).optional(),
      author: z
        .string()
        .regex(/^[0-9a-f]{64}$/, 'the full author key, 64 lower-case hex digits (read shows it)')
        .optional()
        .describe('full author key'),
      since: z.string().max(40).optional().describe('how long ago ("90m", "12h", "7d") or an ISO date'),
      cursor: cursorField.optional().describe('"next" of the same search'),
      limit: z.int().min(1).max(50).default(10),
    }),
    output: z.strictObject({
      untrusted: z.string().optional(),
      posts: z.array(postSchema),
      total: z.int(),
      next: z.string().optional(),
    }),
    async run(args, { ports, me, marker }) {
      const now = ports.node.now();
      const offset = decodeCursor('search', args.cursor);
      const found = await ports.posts.search({
        text: args.text,
        kinds: args.kinds ?? [],
        author: args.author ?? null,
        since: args.since === undefined ? null : sinceSeconds(args.since, now),
        offset,
        limit: args.limit,
      });
      const all = found.posts.map((stored) => present(stored, { now, me }, 'excerpt'));
      const posts = all.slice(0, fitting(all));
      const end = offset + posts.length;
      const next =
        posts.length > 0 && (end < found.total || found.isMore === true)
          ? encodeCursor('search', end)
          : undefined;
      const head =
        posts.length === 0
          ? 'No post fits.'
          : `${offset + 1}-${end} of ${counted(found)} posts, newest first.`;
      return {
        structured: {
          ...(posts.length > 0 && { untrusted: UNTRUSTED }),
          posts,
          total: found.total,
          ...(next && { next }),
        },
        text: [head, framePosts(posts, marker), next && `More: the same search with cursor "${next}".`]
          .filter(Boolean)
          .join('\n'),
      };
    },
  });
}

/** Seconds since the epoch of `7d` (ago) or an ISO date. @throws WatsError `usage` */
function sinceSeconds(since: string, nowMs: number): number {
  const ago = /^(\d{1,6})([mhd])$/.exec(since);
  if (ago) {
    const unit = UNIT_SECONDS[ago[2] as keyof typeof UNIT_SECONDS];
    return Math.max(0, Math.floor(nowMs / 1000) - Number(ago[1]) * unit);
  }
  const at = /^\d{4}-\d{2}-\d{2}/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new WatsError('usage', 'since: neither a length of time nor a date', {
      fix: 'Write "90m", "12h", "7d", "2026-01-31" or "2026-01-31T08:00:00Z".',
    });
  }
  return Math.max(0, Math.floor(at / 1000));
}
