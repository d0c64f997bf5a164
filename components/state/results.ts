import type { Intent, IntentResult } from '../../src/control/index.ts';
import type { Context } from './context.ts';
import { say } from './notices.ts';
import type { ScreenState } from './state.ts';

/** How an intent ended, as one line; and what the screen remembers of it. */
export function told(
  state: ScreenState,
  context: Context,
  intent: Intent,
  result: IntentResult,
): ScreenState {
  if (!result.ok) {
    const text = result.fix === null ? result.text : `${result.text} → ${result.fix}`;
    return say(state, context.now, 'error', text);
  }
  const after = say(state, context.now, 'ok', result.text);
  if (intent.do === 'reject') return { ...after, rejected: [...without(state, intent.draft), intent.draft] };
  if (intent.do === 'unreject') return { ...after, rejected: without(state, intent.draft) };
  return after;
}

function without(state: ScreenState, draft: string): readonly string[] {
  return state.rejected.filter((id) => id !== draft);
}
