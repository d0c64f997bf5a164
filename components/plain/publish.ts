import { isHeld, notDeliberate } from '../dialogs/guard.ts';
import type { PlainContext } from './menu.ts';

/**
 * What is said of a press of the publish key that is no decision; `null` when it is one. The repeats of a key that is
 * held down are not told of again and again.
 */
export function refusal(context: PlainContext): readonly string[] | null {
  const { alone, memory } = context;
  const because = notDeliberate(context, memory.lastPublishAt);
  if (because === null) return null;
  return !alone && isHeld(context, memory.lastPublishAt) ? [] : [`not published: ${because}`];
}
