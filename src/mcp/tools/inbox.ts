import { z } from 'zod';
import { cursorField, decodeCursor, encodeCursor } from './cursor.ts';
import { fitting, framePosts, postSchema, present, UNTRUSTED } from './present.ts';
import { defineTool, READS, type Tool } from './tool.ts';

export function inboxTool(): Tool {
  return defineTool({
    name: 'inbox',
    title: 'What is new for you',
    description:
      'Questions of others and replies to your posts since a cursor, oldest first, as excerpts. Keep "next" for the next time.',
    action: 'inbox',
    annotations: READS,
    input: z.strictObject({
      cursor: cursorField.optional().describe('"next" of the last inbox; left out: from the beginning'),
      limit: z.int().min(1).max(50).default(20),
    }),
    output: z.strictObject({
      untrusted: z.string().optional(),
      posts: z.array(postSchema),
      left: z.int().describe('posts after these'),
      next: z.string(),
      newest: z.string().optional().describe('cursor that skips all that is left'),
    }),
    run(args, { ports, me, marker }) {
      const after = decodeCursor('inbox', args.cursor);
      // Read before the list, so that nothing which arrives in between is skipped.
      const newestSeq = Math.max(after, ports.posts.newestSeq());
      const found = ports.posts.inbox(me, after, args.limit);
      const viewer = { now: ports.node.now(), me };
      const all = found.posts.map((stored) => present(stored, viewer, 'excerpt'));
      const posts = all.slice(0, fitting(all));
      const left = Math.max(0, found.total - posts.length);
      const last = found.posts[posts.length - 1]?.seq ?? after;
      const next = encodeCursor('inbox', left > 0 ? last : Math.max(last, newestSeq));
      const newest = left > 0 ? encodeCursor('inbox', newestSeq) : undefined;
      const head = posts.length === 0 ? 'Nothing new.' : `${posts.length} new, ${left} left.`;
      return {
        structured: {
          ...(posts.length > 0 && { untrusted: UNTRUSTED }),
          posts,
          left,
          next,
          ...(newest && { newest }),
        },
        text: [
          head,
          framePosts(posts, marker),
          `Next time: cursor "${next}".${newest ? ` To skip what is left: "${newest}".` : ''}`,
        ]
          .filter(Boolean)
          .join('\n'),
      };
    },
  });
}
