import type { Program } from './program.ts';

/** One line of the table. */
export interface Line {
  readonly what: string;
  /** What wats took, for people. */
  readonly measured: string;
  /** The limit measured beside it, for people. */
  readonly beside: string | null;
  /** Median of the ratios, pair by pair. */
  readonly ratio: number | null;
  readonly target: string | null;
  /** `null`: nothing is asked of this figure. */
  readonly met: boolean | null;
  /** Everything behind the line, in the units that the names say. */
  readonly figures: Readonly<Record<string, number | string | null>>;
  readonly notes: readonly string[];
}

export interface Bench {
  /** Smaller sizes, to see that a row works. Its figures say little. */
  readonly quick: boolean;
  /** Seconds of each measured idle time. */
  readonly idleSeconds: number;
  readonly seed: number;
  readonly program: Program;
  /** An empty directory on the disk of the checkout, gone when the row ends. */
  readonly scratch: string;
  /** A directory that is kept between runs. */
  readonly kept: string;
  /** Tells the person who waits what is going on. */
  say(text: string): void;
  /** Done when the row ends, well or not, newest first. */
  defer(undo: () => void | Promise<void>): void;
}

export type RowRun = (bench: Bench) => Promise<readonly Line[]>;

type Free = Partial<Pick<Line, 'beside' | 'ratio' | 'target' | 'met' | 'figures' | 'notes'>>;

/** A line with what is not said left empty. */
export function line(what: string, measured: string, more: Free = {}): Line {
  return {
    what,
    measured,
    beside: null,
    ratio: null,
    target: null,
    met: null,
    figures: {},
    notes: [],
    ...more,
  };
}

/** A target that a figure must not pass: its words, and whether it stands. */
export function atMost(value: number, limit: number, unit: string): Pick<Line, 'target' | 'met'> {
  return { target: `≤ ${limit}${unit}`, met: value <= limit };
}

/** A target that a figure must reach. */
export function atLeast(value: number, limit: number, unit: string): Pick<Line, 'target' | 'met'> {
  return { target: `≥ ${limit}${unit}`, met: value >= limit };
}
