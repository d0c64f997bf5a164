import { isLent } from './lent.ts';

/** How a daemon is asked to end: once politely (the run in progress ends by itself), twice now. */
export interface Quitting {
  /** Resolves with how, when somebody asked. */
  readonly asked: Promise<'drain' | 'now'>;
  /** Resolves when somebody asked for now, also after a drain began. */
  readonly hurried: Promise<void>;
  ask(how: 'drain' | 'now'): void;
}

export function createQuitting(): Quitting {
  let first: (how: 'drain' | 'now') => void = () => {};
  let hurry: () => void = () => {};
  let count = 0;
  const asked = new Promise<'drain' | 'now'>((resolve) => {
    first = resolve;
  });
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  return {
    asked,
    hurried,
    ask(how) {
      count += 1;
      if (how === 'now' || count > 1) hurry();
      first(how);
    },
  };
}

/** Listens for the signals that end a daemon. @returns the end of it */
export function onSignals(quitting: Quitting): () => void {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const ask = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT' && isLent()) return;
    quitting.ask('drain');
  };
  for (const signal of signals) process.on(signal, ask);
  return () => {
    for (const signal of signals) process.removeListener(signal, ask);
  };
}
