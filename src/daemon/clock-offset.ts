/** An offset under this is how clocks are; over it, posts near the limit of ten minutes begin to be refused. */
const SHOWN_MS = 5 * 60_000;
/** What was heard longer ago says nothing of the clock now. */
const KEPT_MS = 60 * 60_000;
/** Fewer authors than this may all be wrong. */
const LEAST_AUTHORS = 3;
/** One author a place: a flood of new authors pushes out the oldest only. */
const MOST_AUTHORS = 256;

/**
 * How far this machine's clock is from most authors' whose posts come in live. A post that gossip brings was signed
 * seconds ago, so its time tells its author's clock; one author's claim tells nothing, most of them do.
 */
export interface ClockOffset {
  /** A post that came in live. @param atMs what its author says, ms since the epoch */
  hear(author: string, atMs: number): void;
  /** ms that this clock is ahead (negative: behind) of most authors, when that is over five minutes; else `null`. */
  offset(): number | null;
}

export function createClockOffset(now: () => number): ClockOffset {
  const heard = new Map<string, { readonly ahead: number; readonly at: number }>();
  return {
    hear(author, atMs) {
      heard.delete(author);
      heard.set(author, { ahead: now() - atMs, at: now() });
      const oldest = heard.keys().next().value;
      if (heard.size > MOST_AUTHORS && oldest !== undefined) heard.delete(oldest);
    },
    offset() {
      const recent = [...heard.values()].filter(({ at }) => Math.abs(now() - at) <= KEPT_MS);
      if (recent.length < LEAST_AUTHORS) return null;
      const sorted = recent.map(({ ahead }) => ahead).sort((a, b) => a - b);
      const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
      if (Math.abs(median) <= SHOWN_MS) return null;
      // Most must agree: scattered claims with a far median are no clock of ours.
      const agreeing = sorted.filter((ahead) => Math.abs(ahead - median) <= SHOWN_MS).length;
      return agreeing * 2 > sorted.length ? median : null;
    },
  };
}
