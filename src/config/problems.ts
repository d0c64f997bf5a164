import { WatsError } from '../errors/index.ts';

/** Something wrong with one setting, and where it was written. */
export interface Problem {
  /** `/path/config.toml:3:9`, `WATS_AGENT_EVERY`, `--agent-every`; empty for a rule between several. */
  readonly where: string;
  readonly message: string;
  readonly fix: string;
}

/** Finds the nearest known word; `text/` has it, and config imports nobody. */
export type Suggest = (word: string, words: readonly string[]) => string | undefined;

const SHOWN = 10;

/** One error that names every problem: a person mends them all at once. */
export function settingError(problems: readonly [Problem, ...Problem[]]): WatsError {
  const [first, ...others] = problems;
  if (others.length === 0) return new WatsError('setting', lineOf(first), { fix: first.fix });
  const lines = problems.slice(0, SHOWN).map((problem) => `${lineOf(problem)} (${problem.fix})`);
  if (problems.length > SHOWN) lines.push(`and ${problems.length - SHOWN} more`);
  return new WatsError('setting', lines.join('\n'), { fix: 'Mend these settings.' });
}

export function isSome<T>(items: readonly T[]): items is readonly [T, ...T[]] {
  return items.length > 0;
}

function lineOf({ where, message }: Problem): string {
  return where === '' ? message : `${where}: ${message}`;
}
