import type { Reason, Verdict } from '../runner/index.ts';
import { duration, shortId, shortKey, usd } from '../text/index.ts';

/** A time for people: local time with UTC beside it. */
export function resetTime(at: number): string {
  const date = new Date(at);
  const two = (n: number): string => String(n).padStart(2, '0');
  const utc = `${date.toISOString().slice(0, 10)} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`;
  const offset = date.getTimezoneOffset();
  if (offset === 0) return utc;
  return `${two(date.getHours())}:${two(date.getMinutes())} (${utc})`;
}

/** Why nothing starts, as a person reads it. */
export function reasonText(reason: Reason, now: number): string {
  switch (reason.rule) {
    case 'halted':
      return `halted by a guardian (${shortId(reason.saw)}); wats resume lifts it`;
    case 'not_allowed':
      return `the author is not in agent.allow any more (${shortKey(reason.saw)})`;
    case 'ignored_local':
      return 'the author is a profile of this node, and agent.ignore_local is on';
    case 'author_cap':
      return `this author woke the agent ${reason.saw} times in the last hour, limit ${reason.limit}; next in ${duration(reason.until - now)}`;
    case 'loop':
      return `paused: ${reason.saw} turns with ${shortKey(reason.other)}, limit ${reason.limit}; a third author un-pauses it`;
    case 'debounce':
      return `waiting ${duration(Math.max(0, reason.until - now))}: agent.every is ${duration(reason.limit)}`;
    case 'runs_per_hour':
      return `paused: ${reason.saw} runs in the last hour, limit ${reason.limit}; next in ${duration(Math.max(0, reason.until - now))}`;
    case 'budget':
      return budgetText(reason);
    case 'running':
      return `after run ${reason.saw}`;
    case 'paused':
      return 'paused by you; resume with p or "wats agent resume"';
    case 'blocked':
      return `${BLOCKED[reason.saw] ?? 'blocked'}: ${reason.text}; looking again in ${duration(Math.max(0, reason.until - now))}`;
    case 'fault':
      return reason.saw === 'storage'
        ? `the disk refuses to be written; looking again in ${duration(Math.max(0, reason.until - now))}`
        : 'wats met a fault of its own; the log says which';
    default:
      return reason satisfies never;
  }
}

const BLOCKED: Readonly<Record<string, string>> = {
  auth: 'not logged in',
  rate_limited: 'rate limited',
  no_tools: 'the wats tools were not ready',
  config: 'a setting',
  deferred: 'not now',
};

function budgetText(reason: Extract<Reason, { rule: 'budget' }>): string {
  const amount = (n: number): string => (reason.unit === 'micro_usd' ? usd(n) : String(n));
  const what = reason.unit === 'micro_usd' ? 'budget' : reason.unit === 'runs' ? 'runs' : 'unpriced runs';
  if (reason.until === null)
    return `paused: the ${reason.window} ${what} limit is ${amount(reason.limit)}, which allows no run`;
  return `paused: ${reason.window} ${what} ${amount(reason.saw)} of ${amount(reason.limit)}, resets ${resetTime(reason.until)}`;
}

/** The verdict as a person reads it; `null` when nothing waits. */
export function verdictText(verdict: Verdict, now: number): string | null {
  if (verdict.kind !== 'wait') return null;
  return reasonText(verdict.because, now);
}
