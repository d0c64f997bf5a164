import { WatsError } from '../errors/index.ts';
import { lastWords } from './ask.ts';
import { commandLine } from './entry.ts';
import type { Ask, Host } from './host.ts';
import type { Plan, Step } from './plan.ts';

export interface Hands {
  readonly ask: Ask;
  /** Changes config.toml, all or nothing. @throws WatsError `setting`, `storage` */
  readonly save: (changes: readonly { readonly key: string; readonly text: string | null }[]) => void;
  /** Called once a step is done. */
  readonly onDid: (step: Step) => void;
}

/**
 * Carries a plan out, step by step. When the program refuses one, what earlier steps took away is put back.
 * @throws WatsError `runtime` with the program's own words and the command to try by hand; `setting`, `storage`
 */
export async function carryOut(plan: Plan, host: Host, hands: Hands): Promise<void> {
  const undo: (readonly string[])[] = [];
  for (const step of plan.steps) {
    if (step.do === 'setting') continue;
    const answer = await hands.ask(step.args);
    if (answer?.code !== 0) {
      for (const args of undo.reverse()) await hands.ask(args);
      throw new WatsError(
        'runtime',
        answer === null
          ? `${host.title} (${host.name}) is not in PATH`
          : `${host.name} ${step.args.slice(0, 2).join(' ')} failed: ${lastWords(answer)}`,
        { fix: answer === null ? host.install : commandLine([host.name, ...step.args]) },
      );
    }
    if (step.undo !== null) undo.push(step.undo);
    hands.onDid(step);
  }
  const settings = plan.steps.filter((step) => step.do === 'setting');
  if (settings.length === 0) return;
  hands.save(settings.map(({ key, text }) => ({ key, text })));
  for (const step of settings) hands.onDid(step);
}
