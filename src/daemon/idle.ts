const LOOK_MS = 60_000;

/**
 * Calls back once nobody has been attached for that long; looks once a minute.
 *
 * @param attached how many are
 * @returns the end of it
 */
export function whenIdle(
  attached: () => number,
  afterMs: number,
  now: () => number,
  idle: () => void,
): () => void {
  let since = now();
  const timer = setInterval(() => {
    if (attached() > 0) since = now();
    else if (now() - since >= afterMs) idle();
  }, LOOK_MS);
  return () => clearInterval(timer);
}
