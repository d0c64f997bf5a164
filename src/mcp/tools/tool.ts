import { z } from 'zod';
import type { Action, Principal } from '../../access/index.ts';
import { WatsError } from '../../errors/index.ts';
import { visible } from '../../text/index.ts';
import type { ToolPorts } from '../ports.ts';

/** What the tools check before anything reaches a port. The values are the protocol's; `daemon` hands them in. */
export interface PostRules {
  readonly limits: {
    readonly textBytes: number;
    readonly titleCodePoints: number;
    readonly tags: number;
    readonly tagBytes: number;
  };
  /** Kinds that a tool may write. */
  readonly writableKinds: readonly string[];
  /** Kinds that exist, may be looked for, and are never written by a tool. */
  readonly systemKinds: readonly string[];
}

/** What a tool knows of the call besides its arguments. */
export interface ToolContext {
  readonly ports: ToolPorts;
  readonly principal: Principal;
  /** Unpredictable and new for each answer: it frames the posts of the readable text. */
  readonly marker: string;
  /** The author key of this connection, 64 hex digits. */
  readonly me: string;
}

/**
 * Both say the same: hosts hand a model either the readable text or the structured content, rarely both.
 */
export interface Answer {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export type JsonSchema = { readonly type: 'object'; readonly [key: string]: unknown };

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The right that offering and calling it takes. */
  readonly action: Action;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** @throws WatsError `usage` naming the field; whatever the ports throw */
  call(args: unknown, context: ToolContext): Promise<Answer>;
}

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: false;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export const READS: ToolAnnotations = { readOnlyHint: true };

interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly action: Action;
  readonly annotations: ToolAnnotations;
  readonly input: I;
  readonly output: O;
  readonly run: (args: z.output<I>, context: ToolContext) => Produced<O> | Promise<Produced<O>>;
}

interface Produced<O extends z.ZodObject> {
  readonly structured: z.input<O>;
  readonly text: string;
}

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(spec: ToolSpec<I, O>): Tool {
  const { name, title, description, action, annotations, input, output, run } = spec;
  return {
    name,
    title,
    description,
    action,
    annotations,
    inputSchema: jsonSchema(input),
    outputSchema: jsonSchema(output),
    async call(args, context) {
      const checked = input.safeParse(args ?? {});
      if (!checked.success) throw badArguments(name, args, checked.error, Object.keys(input.shape));
      const { structured, text } = await run(checked.data, context);
      return { structured: structured as Readonly<Record<string, unknown>>, text };
    },
  };
}

/** As hosts get it: without the dialect, and without the bounds that only say what a safe integer is. */
function jsonSchema(schema: z.ZodObject): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema: part }) {
      if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
      if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
    },
  });
  return { ...rest, type: 'object' };
}

/** A sentence that names every field that is wrong and how. */
function badArguments(tool: string, args: unknown, error: z.ZodError, fields: string[]): WatsError {
  const lines = error.issues.slice(0, 5).map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const unknown = issue.keys.slice(0, 5).map((key) => visible(key.slice(0, 40), 'line'));
      return `${unknown.join(', ')}: no such field; ${tool} takes ${fields.join(', ') || 'none'}`;
    }
    const path = issue.path.map(String).join('.') || 'arguments';
    const first = issue.path[0];
    const missing =
      issue.code === 'invalid_type' &&
      typeof first === 'string' &&
      issue.path.length === 1 &&
      !has(args, first);
    return `${path}: ${missing ? 'missing' : issue.message}`;
  });
  return new WatsError('usage', `${tool} was not called: ${lines.join('; ')}`, {
    fix: 'Change that and call it again.',
  });
}

function has(args: unknown, key: string): boolean {
  return typeof args === 'object' && args !== null && Object.hasOwn(args, key);
}
