import { z } from 'zod';

/**
 * The lines of `claude --output-format stream-json` that mean something to us. The protocol is not promised to
 * anybody and grows with each version: everything is optional but what a line can't be understood without, and
 * whatever does not fit is no event.
 */
const text = z.string().catch('');
const number = z.number().nullish().catch(undefined);

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown().optional() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    is_error: z.boolean().nullish(),
    content: z.unknown().optional(),
  }),
]);
export type Block = z.output<typeof block> | { readonly type: 'other' };

/** A block that we do not know must not lose us those beside it. */
const anyBlock = z.unknown().transform((value): Block => block.safeParse(value).data ?? { type: 'other' });

const content = z
  .union([z.array(anyBlock), z.string().transform((words): Block[] => [{ type: 'text', text: words }])])
  .catch([]);

const assistant = z.object({
  type: z.literal('assistant'),
  message: z.object({ id: text, model: text, content }),
  error: z.string().nullish().catch(undefined),
});

const user = z.object({ type: z.literal('user'), message: z.object({ content }) });

const system = z.object({
  type: z.literal('system'),
  subtype: text,
  attempt: number,
  max_retries: number,
  error_status: number,
  error: text,
  content: text,
});

const rateLimit = z.object({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.object({ status: text, resetsAt: number, rateLimitType: text }),
});

const modelUsage = z.record(
  z.string(),
  z.object({
    inputTokens: z.number().catch(0),
    outputTokens: z.number().catch(0),
    cacheReadInputTokens: z.number().catch(0),
    cacheCreationInputTokens: z.number().catch(0),
  }),
);

const result = z.object({
  type: z.literal('result'),
  subtype: text,
  is_error: z.boolean(),
  result: text,
  errors: z.array(z.string()).catch([]),
  stop_reason: z.string().nullish().catch(undefined),
  terminal_reason: text,
  api_error_status: number,
  total_cost_usd: z.unknown().optional(),
  modelUsage: modelUsage.catch({}),
});
export type ResultLine = z.output<typeof result>;

const streamEvent = z.object({ type: z.literal('stream_event'), event: z.object({ type: text }) });

const controlResponse = z.object({
  type: z.literal('control_response'),
  response: z.object({ request_id: z.string(), subtype: text, response: z.unknown().optional() }),
});

const controlRequest = z.object({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: z.object({ subtype: text, tool_name: text }),
});

const LINE = z.discriminatedUnion('type', [
  assistant,
  user,
  system,
  rateLimit,
  result,
  streamEvent,
  controlResponse,
  controlRequest,
]);
export type ClaudeLine = z.output<typeof LINE>;

/** One line of stdout, or `null` for what we do not know. Never throws. */
export function parseClaudeLine(line: string): ClaudeLine | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Something that is no event: kept in the transcript, and that is all.
    return null;
  }
  const parsed = LINE.safeParse(value);
  return parsed.success ? parsed.data : null;
}

const status = z.object({
  mcpServers: z.array(
    z.object({ name: z.string(), status: text, error: text, tools: z.array(z.unknown()).catch([]) }),
  ),
});

/** How the wats server stands, from the answer to `mcp_status`. */
export function watsStatus(response: unknown): { status: string; error: string; tools: number } | null {
  const parsed = status.safeParse(response);
  const server = parsed.data?.mcpServers.find(({ name }) => name === 'wats');
  return server === undefined
    ? null
    : { status: server.status, error: server.error, tools: server.tools.length };
}
