import { z } from 'zod';

/** The lines of `codex exec --json` that mean something to us. Parsed leniently: the format is its vendor's. */
const text = z.string().catch('');
const count = z.number().int().nonnegative().catch(0);
const failure = z.object({ message: text }).nullish().catch(undefined);

const item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_message'), id: text, text: z.string() }),
  z.object({ type: z.literal('reasoning'), id: text, text: z.string() }),
  z.object({ type: z.literal('error'), id: text, message: z.string() }),
  z.object({
    type: z.literal('mcp_tool_call'),
    id: z.string(),
    server: text,
    tool: text,
    arguments: z.unknown().optional(),
    result: z
      .object({ content: z.array(z.unknown()).catch([]) })
      .nullish()
      .catch(undefined),
    error: failure,
    status: text,
  }),
  z.object({
    type: z.literal('command_execution'),
    id: z.string(),
    command: text,
    aggregated_output: text,
    exit_code: z.number().nullish().catch(undefined),
    status: text,
  }),
]);
export type Item = z.output<typeof item>;

const LINE = z.discriminatedUnion('type', [
  z.object({ type: z.literal('item.started'), item }),
  z.object({ type: z.literal('item.completed'), item }),
  z.object({ type: z.literal('error'), message: text }),
  z.object({
    type: z.literal('turn.completed'),
    usage: z
      .object({ input_tokens: count, output_tokens: count })
      .catch({ input_tokens: 0, output_tokens: 0 }),
  }),
  z.object({ type: z.literal('turn.failed'), error: failure }),
]);
export type CodexLine = z.output<typeof LINE>;

/** One line of stdout, or `null` for what we do not know. Never throws. */
export function parseCodexLine(line: string): CodexLine | null {
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
