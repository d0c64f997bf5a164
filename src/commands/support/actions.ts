import { WatsError } from '../../errors/index.ts';
import { nearest } from '../../text/index.ts';
import type { Input } from './command.ts';

/**
 * The action that a command's first word names, `list` when there is none.
 * @throws WatsError `usage` with the nearest one
 */
export function actionOf<A>(
  command: string,
  actions: Readonly<Record<string, A>>,
  input: Input,
): { readonly name: string; readonly act: A } {
  const [name = 'list'] = input.words;
  const act = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (act !== undefined) return { name, act };
  const near = nearest(name, Object.keys(actions));
  throw new WatsError('usage', `there is no "wats ${command} ${name}"`, {
    fix:
      near === undefined
        ? `one of: ${Object.keys(actions).join(', ')}`
        : `did you mean "wats ${command} ${near}"?`,
  });
}
