import { graphemesOf, keysOf } from '../keys/names.ts';
import type { PlainEvent } from './menu.ts';

/** What terminals put around a paste, where they were asked to: nothing is asked of them here. */
const PASTED = /^\x1b\[200~([\s\S]*?)(?:\x1b\[201~)?$/;

/**
 * What a chunk of input is: one key, or else a text that was pasted. Sequences of other keys (arrows, Alt) are nothing
 * here. `alone` is whether the chunk came by itself.
 */
export function eventOf(chunk: string, alone: boolean): PlainEvent | null {
  const pasted = PASTED.exec(chunk)?.[1];
  if (pasted !== undefined) return { type: 'paste', text: pasted };
  if (graphemesOf(chunk).length !== 1) return /^(\x1b|$)/.test(chunk) ? null : { type: 'paste', text: chunk };
  const key = keysOf(chunk, {})[0];
  return key === undefined ? null : { type: 'key', key, alone };
}

/** The key that a line of one character stands for: what is dictated or piped comes with its line end. */
export function keyOfLine(text: string): string | null {
  const line = text.replace(/\r?\n?$/, '');
  return line !== text && graphemesOf(line).length === 1 ? (keysOf(line, {})[0] ?? null) : null;
}
