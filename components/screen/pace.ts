/** How often a view that keeps changing is drawn, in ms: nobody reads what scrolls by faster. */
export const PACE_MS = 200;

export interface Pace {
  /** Something changed: drawn at once after a quiet time, else when `PACE_MS` have passed since the last drawing. */
  readonly touch: () => void;
  /** It is drawn anyway, by a key or the clock: what was put off is in it. */
  readonly drawn: () => void;
  readonly stop: () => void;
}

/** Draws the first of many changes at once and the others together; keys do not wait for it. */
export function pace(draw: () => void, monotonic: () => number, ms = PACE_MS): Pace {
  let lastAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const drawn = () => {
    clearTimeout(timer);
    timer = undefined;
    lastAt = monotonic();
  };
  const now = () => {
    drawn();
    draw();
  };
  return {
    touch: () => {
      if (timer !== undefined) return;
      const left = lastAt + ms - monotonic();
      if (left <= 0) now();
      else timer = setTimeout(now, left).unref();
    },
    drawn,
    stop: () => clearTimeout(timer),
  };
}
