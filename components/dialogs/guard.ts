import type { DraftPage } from '../../src/control/index.ts';
import type { DraftDialog } from '../state/dialogs.ts';
import type { ScreenState } from '../state/state.ts';

/** Ms without any input before a P counts, and how long a held key's repeats go on counting as one press. */
export const QUIET_MS = 80;
export const HELD_MS = 700;

/** What is known of one press of the publish key. */
export interface Press {
  /** It arrived alone: the whole chunk was this one grapheme, typed, and nothing came within `QUIET_MS` before. */
  readonly alone: boolean;
  readonly now: number;
}

export type PressVerdict =
  | { readonly publish: true; readonly draft: string; readonly sha256: string; readonly text: string | null }
  | { readonly publish: false; readonly because: string };

/**
 * Whether a press of the publish key publishes the draft on screen. Only what a person has read to its end, on a
 * frame that the terminal has already shown, by one deliberate key: never a paste, a chunk, a held key, a click.
 */
export function judgePress(state: ScreenState, painted: ScreenState | null, press: Press): PressVerdict {
  const { dialog } = state;
  if (dialog?.kind !== 'draft' || dialog.page === null) return no('the draft is still loading');
  const { page } = dialog;
  const decided = notWaiting(page, press.now);
  if (decided !== null) return no(decided);
  if (!dialog.ended) return no('scroll to its end first');
  const chance = notDeliberate(press, state.lastPublishAt);
  if (chance !== null) return no(chance);
  if (!shows(painted, dialog)) return no('it came before the screen showed this: press P again');
  return { publish: true, draft: page.id, sha256: page.sha256, text: dialog.edited };
}

/** Why a draft cannot be published any more; `null` while it waits. */
export function notWaiting(page: Pick<DraftPage, 'state' | 'expiresAt'>, now: number): string | null {
  if (page.state !== 'held') return `it is ${page.state} already`;
  return page.expiresAt <= now ? 'it has expired' : null;
}

/** Why a press of the publish key is no decision; `null` when it is one. `lastAt` is when that key came before. */
export function notDeliberate(press: Press, lastAt: number | null): string | null {
  if (!press.alone) return 'P came with other input: press it once more, alone';
  return isHeld(press, lastAt) ? 'P was held or repeated: let go, then press it once' : null;
}

/** Whether a press may be a repeat of the one before it. */
export function isHeld(press: Pick<Press, 'now'>, lastAt: number | null): boolean {
  return lastAt !== null && Math.abs(press.now - lastAt) < HELD_MS;
}

/** Whether the terminal shows this draft, in these bytes, with its end seen. */
function shows(painted: ScreenState | null, dialog: DraftDialog): boolean {
  const seen = painted?.dialog;
  return (
    seen?.kind === 'draft' &&
    seen.page !== null &&
    seen.page.id === dialog.page?.id &&
    seen.page.sha256 === dialog.page.sha256 &&
    seen.edited === dialog.edited &&
    seen.ended
  );
}

function no(because: string): PressVerdict {
  return { publish: false, because };
}
