/** Signals that keys of a terminal send: ^C and ^\\. */
const FROM_KEYS = ['SIGINT', 'SIGQUIT'] as const;

/** How many have the terminal now. Signals come to the process: so does this. */
let using = 0;

/**
 * Runs something that has the terminal to itself. A ^C there is meant for it, and the terminal sends it to every
 * process on it, also to this one, which goes on.
 */
export async function lendTerminal<T>(use: () => Promise<T>): Promise<T> {
  const ignore = (): void => {};
  using += 1;
  // Without a listener these signals end the process.
  for (const signal of FROM_KEYS) process.on(signal, ignore);
  try {
    return await use();
  } finally {
    using -= 1;
    for (const signal of FROM_KEYS) process.removeListener(signal, ignore);
  }
}

/** Whether a ^C now is meant for somebody else. */
export function isLent(): boolean {
  return using > 0;
}
