import { type Loaded, loosened } from '../config/index.ts';
import type { Alert } from '../control/index.ts';
import type { Store } from '../store/index.ts';
import { AGENT } from './settings.ts';
import type { AgentSources } from './view.ts';
import { reasonText } from './words.ts';

/** What a person must know now, worst first. */
export function alertsOf(facts: {
  readonly agent: AgentSources | null;
  readonly store: Store;
  readonly loaded: Loaded;
  readonly unacknowledged: readonly string[];
  readonly now: () => number;
}): Alert[] {
  const { agent, store, loaded, now } = facts;
  const alerts: Alert[] = [];
  if (facts.unacknowledged.length > 0) {
    alerts.push({
      code: 'safety',
      text: `safety settings changed and not acknowledged: ${facts.unacknowledged.join(', ')}`,
      fix: 'wats config ack',
    });
  }
  if (agent === null) return alerts;
  if (hasNoGuardrail(agent)) alerts.push({ code: 'unguarded', text: agent.unguarded.join('; '), fix: null });
  const flags = loosened(loaded).map(({ key, source }) => `${key} (${source.kind})`);
  if (flags.length > 0)
    alerts.push({ code: 'flags', text: `set for this run only: ${flags.join(', ')}`, fix: null });
  const blocked = store.people.agent(AGENT)?.blocked ?? null;
  if (blocked !== null) {
    alerts.push({
      code: blocked.code === 'auth' ? 'login' : 'runtime',
      text: blocked.text,
      fix: 'press p, or "wats agent resume", to look again now',
    });
  }
  const verdict = agent.runner.verdict();
  if (verdict.kind === 'wait' && verdict.because.rule === 'budget') {
    alerts.push({ code: 'budget', text: reasonText(verdict.because, now()), fix: null });
  }
  return alerts;
}

/**
 * Whether a run can do what the user can: at `inherit`, with a shell at `workspace`, and for a program that wats can
 * hold nothing back from. What a guarded program keeps all the same is no alarm; it stands in the banner.
 */
export function hasNoGuardrail(agent: AgentSources): boolean {
  const { access, tools } = agent.settings;
  if (agent.ports.runtime.name === 'command' || access === 'inherit') return true;
  return access === 'workspace' && tools.some((tool) => /^(Bash|shell)\b/.test(tool));
}
