import { z } from 'zod';
import { WatsError } from '../../errors/index.ts';

/** Which list a cursor goes on in, so that the cursor of one tool is not taken for that of another. */
export type CursorOf = 'search' | 'thread' | 'inbox' | 'drafts';

const LETTER: Record<CursorOf, string> = { search: 's', thread: 't', inbox: 'i', drafts: 'd' };

export const cursorField = z.string().max(20);

export function encodeCursor(list: CursorOf, position: number): string {
  return `${LETTER[list]}${position}`;
}

/**
 * The position in a cursor; 0 without one. The inbox also takes a bare number, as wake prompts give it.
 *
 * @throws WatsError `usage`
 */
export function decodeCursor(list: CursorOf, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const match = /^([a-z]?)(\d{1,15})$/.exec(cursor);
  const letter = match?.[1] ?? '';
  const fits = letter === LETTER[list] || (letter === '' && list === 'inbox');
  if (match === null || !fits) {
    throw new WatsError('usage', 'cursor: not one that this tool gave', {
      fix: 'Give back "next" as it was returned, or leave cursor out to start at the beginning.',
    });
  }
  return Number(match[2]);
}
