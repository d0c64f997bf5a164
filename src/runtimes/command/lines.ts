import { z } from 'zod';
import type { RunEvent } from '../contract.ts';
import { microUsd } from '../engine/money.ts';

const callId = z.union([z.string(), z.number()]).transform(String);
const text = z.string().default('');
const count = z.number().int().nonnegative().optional().catch(undefined);

/** The events of a `command` program, one JSON object a line. Anything else is plain text. */
const LINE = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_call'), id: callId, name: z.string(), args: z.unknown().default({}) }),
  z.object({ type: z.literal('tool_result'), id: callId, ok: z.boolean().default(true), text }),
  z.object({
    type: z.literal('notice'),
    level: z.enum(['info', 'warn', 'error']).catch('info'),
    text: z.string(),
  }),
  z.object({
    type: z.literal('usage'),
    cost_usd: z.unknown().optional(),
    turns: count,
    input_tokens: count,
    output_tokens: count,
  }),
]);

/** Reads one line of a `command` program. Never throws; what is no event of ours is text as it stands. */
export function readCommandLine(line: string): RunEvent | null {
  const parsed = LINE.safeParse(jsonOf(line));
  if (!parsed.success) return line.trim() === '' ? null : { type: 'text', text: line.replace(/\r$/, '') };
  const event = parsed.data;
  switch (event.type) {
    case 'text':
    case 'notice':
      return event;
    case 'tool_call':
      return { type: 'tool_call', callId: event.id, name: event.name, args: event.args };
    case 'tool_result':
      return { type: 'tool_result', callId: event.id, ok: event.ok, text: event.text };
    case 'usage': {
      const costMicroUsd = microUsd(event.cost_usd);
      return {
        type: 'usage',
        ...(costMicroUsd === null ? {} : { costMicroUsd }),
        ...(event.turns === undefined ? {} : { turns: event.turns }),
        ...(event.input_tokens === undefined ? {} : { inputTokens: event.input_tokens }),
        ...(event.output_tokens === undefined ? {} : { outputTokens: event.output_tokens }),
      };
    }
    default:
      return event satisfies never;
  }
}

function jsonOf(line: string): unknown {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    // Plain text that happens to begin with a brace.
    return undefined;
  }
}
