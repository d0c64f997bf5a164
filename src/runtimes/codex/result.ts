import type { Exit } from '../../processes/index.ts';
import type { Outcome } from '../contract.ts';
import type { Result } from '../engine/session.ts';
import { namedReset } from './reset.ts';

/** A failed turn is told in prose only; these are the sentences that were seen, most telling first. */
const FAILURES: readonly (readonly [RegExp, Outcome])[] = [
  [/^budget reached/i, 'max_usd'],
  [
    /unexpected status 40[13]\b|not logged in|log ?in again|token (is|has) expired|could not be refreshed/i,
    'auth',
  ],
  [/\b429\b|usage limit|quota exceeded|rate limit/i, 'rate_limited'],
  [/unexpected status 404\b|model .* (does not exist|is not supported|not found)/i, 'config'],
  [/flagged|violat\w+ .*polic/i, 'refused'],
];
const UNREACHABLE =
  /lookup address|connection refused|error sending request|network is unreachable|waiting for network/i;

/**
 * The outcome of `turn.failed`.
 *
 * @param heard whether anything of the model had arrived; an outage before that is no try of the run's wakes
 * @param now ms since the epoch, for a reset that is named by the clock on the wall
 */
export function failedResult(message: string, heard: boolean, now: number): Result {
  const known = FAILURES.find(([sentence]) => sentence.test(message))?.[1];
  const outcome = known ?? (UNREACHABLE.test(message) && !heard ? 'deferred' : 'error');
  return {
    outcome,
    message: sentenceOf(outcome, message),
    resetAt: outcome === 'rate_limited' ? namedReset(message, now) : null,
  };
}

function sentenceOf(outcome: Outcome, message: string): string {
  if (outcome === 'max_usd') return 'It reached agent.max_tokens_per_run.';
  if (outcome === 'refused') return 'The provider refused to answer, for safety; that is not tried again.';
  return message.trim().slice(0, 500) || 'It failed without saying why.';
}

/** The outcome of a program that ended without ending its turn. */
export function exitResult(exit: Exit, lastWords: string): Result {
  if (/required MCP servers failed to initialize/.test(lastWords))
    return {
      outcome: 'no_tools',
      message: 'The wats tools were not ready in the program; nothing was sent to the model.',
      turns: 0,
    };
  const how = exit.signal === null ? `with exit code ${exit.code}` : `by ${exit.signal}`;
  // 2 is how it answers arguments that it does not know.
  const misused = exit.code === 2 || /error loading config|unknown variant|unknown feature/i.test(lastWords);
  return {
    outcome: misused ? 'config' : 'error',
    message: `codex ended ${how} and without a result${lastWords === '' ? '' : `: ${lastWords}`}`,
  };
}
