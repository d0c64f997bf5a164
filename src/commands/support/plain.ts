import type { Context, Input } from './command.ts';

/** All that the linear mode sends to ring: it has no escape sequences. */
export const BELL = '\x07';

/** Whether a person wants labelled lines and choices instead of the screen. */
export function isPlain(input: Input, context: Context): boolean {
  return input.on('plain') || Boolean(context.env['WATS_SCREEN_READER']);
}
