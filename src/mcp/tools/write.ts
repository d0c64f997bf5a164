import { z } from 'zod';
import type { PublishResult } from '../ports.ts';
import { idField } from './read.ts';
import { defineTool, type PostRules, type Tool, type ToolAnnotations } from './tool.ts';

/** What is posted reaches strangers and stays: a new post each time, unless it carries the same request_id. */
const WRITES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

const output = z.strictObject({
  id: z.string().optional().describe('full id of the post'),
  held: z.string().optional().describe('the draft that waits for a person'),
  repeated: z.literal(true).optional(),
  note: z.string().optional(),
});

export function postTool(rules: PostRules): Tool {
  return defineTool({
    name: 'post',
    title: 'Start a thread',
    description:
      'Start a thread: "ask" a question, "offer" help, or leave a "note". Everybody in the swarm reads it, and it cannot be taken back. Say what you tried; no secrets.',
    action: 'post',
    annotations: WRITES,
    input: z.strictObject({ kind: z.enum(rules.writableKinds), ...contentFields(rules) }),
    output,
    run(args, { ports, principal }) {
      const { request_id: requestId = null, ...content } = args;
      return outcome(ports.publishing.publish(principal, { ...content, parent: null, requestId }));
    },
  });
}

export function replyTool(rules: PostRules): Tool {
  return defineTool({
    name: 'reply',
    title: 'Reply to a post',
    description:
      'Reply to a post: "answer" it, "clarify" (ask back), "claim" or "release" a task, report "progress", "react", "vouch" (it held when you checked), or "note". Read the thread first.',
    action: 'reply',
    annotations: WRITES,
    input: z.strictObject({
      parent: idField.describe('id of the post you reply to'),
      kind: z.enum(rules.writableKinds),
      ...contentFields(rules),
    }),
    output,
    run(args, { ports, principal }) {
      const { request_id: requestId = null, parent: named, ...content } = args;
      const parent = ports.posts.find(named).post.id;
      return outcome(ports.publishing.publish(principal, { ...content, parent, requestId }));
    },
  });
}

function contentFields({ limits }: PostRules) {
  const { textBytes, titleCodePoints, tags, tagBytes } = limits;
  return {
    title: z
      .string()
      .refine((title) => [...title].length <= titleCodePoints, `over ${titleCodePoints} characters`)
      .default('')
      .describe(`at most ${titleCodePoints} characters`),
    text: z
      .string()
      .min(1, 'is empty')
      .refine((text) => Buffer.byteLength(text) <= textBytes, {
        error: ({ input }) => `has ${Buffer.byteLength(String(input))} bytes; the limit is ${textBytes}`,
      })
      .describe(`at most ${textBytes} UTF-8 bytes`),
    tags: z
      .array(
        z
          .string()
          .min(1)
          .refine((tag) => Buffer.byteLength(tag) <= tagBytes, `over ${tagBytes} bytes`),
      )
      .max(tags)
      .default([]),
    request_id: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe('your own id of this write: repeating it gives the first result instead of a second post'),
  };
}

function outcome(result: PublishResult) {
  const repeated = result.repeated ? { repeated: true as const } : {};
  const again = result.repeated ? ' This is the result of the first call with this request_id.' : '';
  if (result.state === 'posted') {
    return {
      structured: { id: result.id, ...repeated, ...(again && { note: again.trim() }) },
      text: `Posted as ${result.id}.${again}`,
    };
  }
  const note = `Held for review: a person must approve it before it is published. Do not post it again.${again}`;
  return { structured: { held: result.draft, ...repeated, note }, text: `${result.draft}: ${note}` };
}
