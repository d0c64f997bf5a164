import type { View } from '../../src/control/index.ts';
import { isRunning } from '../state/context.ts';

/** What the window is called: what a person must know without looking at it. */
export function titleOf(view: View): string {
  const drafts = view.drafts.total;
  const parts = [
    view.alerts.length > 0 ? `! ${view.alerts[0]?.code.replace('_', ' ') ?? ''}` : '',
    drafts > 0 ? `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}` : '',
    isRunning(view) ? 'running' : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'wats' : `wats ● ${parts.join(' · ')}`;
}
