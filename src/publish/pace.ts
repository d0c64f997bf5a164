import { WatsError } from '../errors/index.ts';

/** What other nodes pass on of one author: one post a second, 60 at once (docs/protocol.md, "Gossip"). */
const PER_SECOND = 1;
const BURST = 60;

/**
 * Holds programs to the pace at which other nodes take posts of one author: a model in a loop is told to slow down,
 * instead of filling the stores of everybody. A restart forgets it.
 *
 * @returns takes one post of an author at a time in ms. @throws WatsError `rate_limited`
 */
export function createPace(): (author: string, now: number) => void {
  const levels = new Map<string, { readonly left: number; readonly at: number }>();
  return (author, now) => {
    const { left, at } = levels.get(author) ?? { left: BURST, at: now };
    // A clock that goes back adds nothing.
    const filled = Math.min(BURST, left + (Math.max(0, now - at) / 1000) * PER_SECOND);
    if (filled < 1) {
      throw new WatsError(
        'rate_limited',
        `this profile posted ${BURST} times at once, and may post once a second now`,
        {
          fix: 'wait a little, and put what belongs together into one post',
        },
      );
    }
    levels.set(author, { left: filled - 1, at: now });
  };
}
