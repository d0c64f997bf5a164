import type { Exit } from '../../processes/index.ts';
import type { Outcome } from '../contract.ts';
import { microUsd } from '../engine/money.ts';
import type { Result } from '../engine/session.ts';
import type { ResultLine } from './messages.ts';

/** What a turn showed before its result, as far as its outcome depends on it. */
export interface TurnFacts {
  /** The program's own word for its last API error ("authentication_failed"). */
  readonly apiError: string | null;
  /** When the limit that it hit resets, ms since the epoch. */
  readonly resetAt: number | null;
  /** Answers of the model. */
  readonly turns: number;
  /** Micro-dollars that the process had reported before this turn: its figure is a running total. */
  readonly spentBefore: number;
  /** Calls of the wats tools, and those that failed because the server was gone. */
  readonly watsCalls: { readonly all: number; readonly lost: number };
}

/**
 * The outcome of a turn that ended with a result line. `is_error` decides, never `subtype`: a wrong key, a limit and
 * a refusal all arrive as "success".
 */
export function resultOf(line: ResultLine, facts: TurnFacts): Result {
  const total = microUsd(line.total_cost_usd);
  const outcome = outcomeOf(line, facts);
  return {
    outcome,
    message: messageOf(outcome, line),
    costMicroUsd: total === null ? null : Math.max(0, total - facts.spentBefore),
    turns: facts.turns,
    resetAt: outcome === 'rate_limited' ? facts.resetAt : null,
  };
}

function outcomeOf(line: ResultLine, facts: TurnFacts): Outcome {
  if (!line.is_error) {
    const { all, lost } = facts.watsCalls;
    return all > 0 && all === lost ? 'error' : 'ok';
  }
  if (line.subtype === 'error_max_turns') return 'max_turns';
  if (line.subtype === 'error_max_budget_usd') return 'max_usd';
  if (line.stop_reason === 'refusal') return 'refused';
  return apiOutcome(line, facts);
}

/** How it says that no provider was reached; its sentences change, the codes in them do not. */
const UNREACHABLE =
  /unable to connect|connection ?refused|E(CONNREFUSED|CONNRESET|NOTFOUND|NETUNREACH|HOSTUNREACH)|EAI_AGAIN/i;

/** An outage that has nothing to do with this run, and cost nothing, is no try of its wakes. */
function apiOutcome(line: ResultLine, facts: TurnFacts): Outcome {
  switch (line.api_error_status) {
    case 401:
    case 402:
    case 403:
      return 'auth';
    case 404:
      return 'config';
    case 429:
      return 'rate_limited';
    case 529:
      return microUsd(line.total_cost_usd) === 0 ? 'deferred' : 'error';
    default:
      break;
  }
  if (facts.apiError === 'authentication_failed' || facts.apiError === 'billing_error') return 'auth';
  if (facts.apiError === 'rate_limit') return 'rate_limited';
  if (facts.apiError === 'model_not_found') return 'config';
  const unreachable = line.api_error_status == null && UNREACHABLE.test(line.result);
  return unreachable && microUsd(line.total_cost_usd) === 0 ? 'deferred' : 'error';
}

const FIXED: Partial<Record<Outcome, string>> = {
  ok: 'It finished.',
  max_turns: 'It reached agent.max_turns.',
  max_usd: 'It reached what it may spend.',
  refused: 'The provider refused to answer, for safety; that is not tried again.',
};

function messageOf(outcome: Outcome, line: ResultLine): string {
  const fixed = FIXED[outcome];
  if (fixed !== undefined) return fixed;
  if (!line.is_error) return 'Every call of the wats tools failed: their server was gone.';
  const words = (line.result || line.errors.join(' ')).trim().slice(0, 500);
  return words === '' ? 'It failed without saying why.' : words;
}

/** The outcome of a program that ended without a result: killed, crashed, or never started right. */
export function exitResult(exit: Exit, lastWords: string): Result {
  const how = exit.signal === null ? `with exit code ${exit.code}` : `by ${exit.signal}`;
  const said = lastWords === '' ? '' : `: ${lastWords}`;
  // Both are said before anything else happens: the program does not take what we give it.
  const misused = /^error: (unknown option|option .* argument)|^Error: Invalid MCP configuration/.test(
    lastWords,
  );
  return {
    outcome: misused ? 'config' : 'error',
    message: `claude ended ${how} and without a result${said}`,
  };
}
