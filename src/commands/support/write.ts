import { randomUUID } from 'node:crypto';
import type { Intent, IntentResult } from '../../control/index.ts';
import { type ErrorCode, WatsError } from '../../errors/index.ts';
import type { Context, Flags, Input } from './command.ts';
import { refuseInsideRun } from './person.ts';
import { withDaemon } from './place.ts';
import { print, printJson } from './print.ts';

export const WRITE_FLAGS: Flags = {
  title: { type: 'string', value: 'TEXT', help: 'a title, up to 200 characters' },
  tag: { type: 'string', multiple: true, value: 'TAG', help: 'a tag; may be given several times' },
  json: { type: 'boolean', help: 'print JSON instead of text' },
};

/**
 * Sends one intent of a person and returns its answer. A run of the agent speaks through its tools, as itself.
 * @throws WatsError as the daemon says; `forbidden` inside a run
 */
export async function sendIntent(
  input: Input,
  context: Context,
  intent: Intent,
): Promise<Extract<IntentResult, { ok: true }>> {
  await refuseInsideRun('act for its person', context);
  const result = await withDaemon(input, context, async (client) =>
    (await client.watch()).send(randomUUID(), intent),
  );
  if (!result.ok) {
    throw new WatsError(
      result.code as ErrorCode,
      result.text,
      result.fix === null ? {} : { fix: result.fix },
    );
  }
  return result;
}

/** Posts what a person wrote, and prints the id of the post or what became of it. */
export async function write(
  input: Input,
  context: Context,
  post: { readonly kind: string; readonly parent: string | null; readonly text: string },
): Promise<number> {
  const result = await sendIntent(input, context, {
    do: 'post',
    ...post,
    title: input.text('title') ?? '',
    tags: input.all('tag'),
  });
  if (input.on('json')) printJson(context, { id: result.postId ?? null, text: result.text });
  else print(context.stdout, result.postId ?? result.text);
  return 0;
}
