import type { Notice, ScreenState } from './state.ts';

/** How long one line about what happened stays, in ms; errors longer. */
const SHOWN_MS = { ok: 6_000, info: 6_000, error: 12_000 };

export function say(state: ScreenState, now: number, tone: Notice['tone'], text: string): ScreenState {
  return { ...state, notice: { tone, text: text.replace(/\s*\n\s*/g, ' '), until: now + SHOWN_MS[tone] } };
}

/** A key that was pressed takes the line away: the person has seen it, and the footer is wanted. */
export function hush(state: ScreenState): ScreenState {
  return state.notice === null ? state : { ...state, notice: null };
}
