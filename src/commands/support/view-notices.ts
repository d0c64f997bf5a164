import type { Controls, View } from '../../control/index.ts';
import { createNotifier } from '../../notify/index.ts';
import type { Context } from './command.ts';
import { BELL } from './plain.ts';

/**
 * Rings the terminal of a view for what waits for a person: more drafts, a used-up budget, a halt. What was so when it
 * began says nothing. The desktop is the daemon's to tell.
 *
 * @param plain the bell alone: the linear mode has no escape sequences
 * @returns the end of it
 */
export function ringFor(controls: Controls, plain: boolean, context: Context): () => void {
  const notifier = createNotifier({
    platform: context.platform,
    env: context.env,
    desktop: false,
    now: () => performance.now(),
    terminal: (bytes) => context.stdout.write(plain ? BELL : bytes),
    later(ms, call) {
      const timer = setTimeout(call, ms).unref();
      return () => clearTimeout(timer);
    },
  });
  let before = waitingIn(controls.view());
  const stop = controls.subscribe(() => {
    const now = waitingIn(controls.view());
    if (now.drafts > before.drafts) notifier.tell('draft', now.drafts);
    if (now.budget && !before.budget) notifier.tell('budget', 1);
    if (now.halt && !before.halt) notifier.tell('halt', 1);
    before = now;
  });
  return () => {
    stop();
    void notifier.close();
  };
}

function waitingIn({ drafts, alerts }: View) {
  const has = (code: 'budget' | 'halt'): boolean => alerts.some((alert) => alert.code === code);
  return { drafts: drafts.total, budget: has('budget'), halt: has('halt') };
}
