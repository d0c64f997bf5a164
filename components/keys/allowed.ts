import { type Context, isGone } from '../state/context.ts';
import type { ScreenState } from '../state/state.ts';
import type { Action } from './table.ts';

export const READ_ONLY = 'this view is read-only';
export const GONE = 'the daemon is gone; this view connects again by itself';

/** Why the key of an action does nothing now, in words; `null` when it does. */
export function whyNot(action: Action, state: ScreenState, context: Context): string | null {
  if (action.acts === true && context.readOnly) return READ_ONLY;
  if (action.acts === true && isGone(context.view)) return GONE;
  return action.unless?.(state, context) ?? null;
}
