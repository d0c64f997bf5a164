import { createNotifier, type Notifier } from '../notify/index.ts';
import type { Store } from '../store/index.ts';
import type { Happening } from './occurrences.ts';
import type { AgentSources } from './view.ts';

export interface NoticeOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly store: Store;
  readonly agent: () => AgentSources | null;
  /** How many halts are in force. */
  readonly halts: () => number;
  /** Writes bytes that take no room to the terminal of the live screen, when one is up. */
  readonly terminal: (bytes: string) => void;
}

/** Tells a person, on the desktop or through the terminal, of what waits for them: a draft, a used-up budget, a halt. */
export function createNotices(options: NoticeOptions): {
  hear(happening: Happening): void;
  close(): Promise<void>;
} {
  const notifier: Notifier = createNotifier({
    platform: options.platform,
    env: options.env,
    now: () => performance.now(),
    terminal: options.terminal,
    later(ms, call) {
      const timer = setTimeout(call, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
  let overBudget = false;
  return {
    hear(happening) {
      if (happening.type === 'draft') notifier.tell('draft', options.store.drafts.heldCount());
      if (happening.type === 'halt' || happening.type === 'halt_lifted')
        notifier.tell('halt', options.halts());
      if (happening.type !== 'verdict') return;
      const verdict = options.agent()?.runner.verdict();
      const refused = verdict?.kind === 'wait' && verdict.because.rule === 'budget';
      // Said when it begins, not at every look.
      if (refused && !overBudget) notifier.tell('budget', 1);
      if (!refused && overBudget) notifier.tell('budget', 0);
      overBudget = refused;
    },
    close: () => notifier.close(),
  };
}
