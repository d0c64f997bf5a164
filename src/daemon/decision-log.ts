import type { Verdict } from '../runner/index.ts';
import type { Log, LogFields } from './log.ts';

/** What passes by itself in a moment, time and again: no news. */
const PASSING: ReadonlySet<string> = new Set(['debounce', 'running']);

/** Logs why nothing starts, once for each reason: a decision is taken at every look, and is mostly the one before. */
export function decisionLog(log: Log): { saw(verdict: Verdict): void } {
  let last = '';
  return {
    saw(verdict) {
      if (verdict.kind !== 'wait') {
        // A run, or nothing to do: the same reason later is news again.
        last = '';
        return;
      }
      const { because, until } = verdict;
      if (PASSING.has(because.rule)) return;
      const fields: LogFields = {
        rule: because.rule,
        ...(because.rule === 'budget' ? { window: because.window, unit: because.unit } : {}),
        ...('limit' in because ? { limit: because.limit } : {}),
      };
      const now = JSON.stringify(fields);
      if (now === last) return;
      last = now;
      log.write('info', 'waiting', {
        ...fields,
        until: until === null ? null : new Date(until).toISOString(),
      });
    },
  };
}
