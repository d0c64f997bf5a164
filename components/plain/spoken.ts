import { visible } from '../../src/text/index.ts';

/** Frames and braille patterns: programs draw with them, and a screen reader reads out each. */
const DRAWN = /([\u2500-\u257f\u2800-\u28ff])\1*/g;

/**
 * Text as it may be printed here: without controls, frames and braille. What is drawn is named by its code point and
 * counted, so that nothing that would be published goes unsaid: `⟨U+2500 ×40⟩`.
 */
export function spoken(text: string): string {
  return visible(text, 'block').replace(DRAWN, (run, first: string) => {
    const code = `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
    return run.length === 1 ? `⟨${code}⟩` : `⟨${code} ×${run.length}⟩`;
  });
}
