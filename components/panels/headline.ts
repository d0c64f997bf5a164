import type { Alert, View } from '../../src/control/index.ts';
import { isRunning } from '../state/context.ts';

/** Alerts that stand for as long as a node is set up as it is: a title that never changes says nothing. */
const STANDING: readonly Alert['code'][] = ['unguarded', 'flags'];

/** What a person must know without looking closely: the window's title, and all that a tiny screen has room for. */
export function headline(view: View): string {
  const drafts = view.drafts.total;
  const alert = view.alerts.find(({ code }) => !STANDING.includes(code));
  const parts = [
    alert === undefined ? '' : `! ${alert.code.replace('_', ' ')}`,
    drafts > 0 ? `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}` : '',
    isRunning(view) ? 'running' : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'wats' : `wats ● ${parts.join(' · ')}`;
}
