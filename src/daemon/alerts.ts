import { type Loaded, loosened } from '../config/index.ts';
import type { Alert } from '../control/index.ts';
import type { Store } from '../store/index.ts';
import { age, duration, excerpt, shortKey, visible } from '../text/index.ts';
import type { ClockOffset } from './clock-offset.ts';
import type { Halts } from './halts.ts';
import { AGENT } from './settings.ts';
import { STANDSTILL_WORDS, standstillOf } from './standstill.ts';
import type { AgentSources } from './view.ts';
import { reasonText } from './words.ts';

const MINUTE_MS = 60_000;
/** How much of a guardian's reason an alert has room for. */
const REASON_CELLS = 120;

/** What a person must know now, worst first. */
export function alertsOf(facts: {
  readonly agent: AgentSources | null;
  readonly store: Store;
  readonly halts: Halts;
  readonly loaded: Loaded;
  readonly unacknowledged: () => readonly { readonly key: string }[];
  readonly configChanged: () => boolean;
  readonly clock: Pick<ClockOffset, 'offset'>;
  readonly now: () => number;
}): Alert[] {
  const { agent, store, loaded, now } = facts;
  const alerts: Alert[] = [
    ...haltAlerts(facts.halts, now()),
    ...safetyAlerts(facts.unacknowledged().map(({ key }) => key)),
  ];
  const offset = facts.clock.offset();
  if (offset !== null) {
    alerts.push({
      code: 'clock',
      text: `this machine’s clock is ${duration(Math.round(Math.abs(offset) / MINUTE_MS) * MINUTE_MS)} ${offset > 0 ? 'ahead of' : 'behind'} most of the swarm’s`,
      fix: 'set it: over ten minutes ahead, others refuse your posts',
    });
  }
  if (facts.configChanged()) {
    alerts.push({
      code: 'config',
      text: 'config.toml has changed since wats started; it goes on with the values it started with',
      fix: 'restart wats to take it up',
    });
  }
  if (agent === null) return alerts;
  if (hasNoGuardrail(agent)) alerts.push({ code: 'unguarded', text: agent.unguarded.join('; '), fix: null });
  const flags = loosened(loaded).map(({ key, source }) => `${key} (${source.kind})`);
  if (flags.length > 0)
    alerts.push({ code: 'flags', text: `set for this run only: ${flags.join(', ')}`, fix: null });
  alerts.push(...keptAlerts(store));
  const verdict = agent.runner.verdict();
  if (verdict.kind === 'wait' && verdict.because.rule === 'budget') {
    alerts.push({ code: 'budget', text: reasonText(verdict.because, now()), fix: null });
  }
  if (verdict.kind === 'wait' && verdict.because.rule === 'fault' && verdict.because.saw === 'storage') {
    alerts.push({
      code: 'disk',
      text: reasonText(verdict.because, now()),
      fix: 'free some space; nothing was lost',
    });
  }
  return alerts;
}

/** What the store alone tells of the agent: it holds on over restarts, and while no daemon runs. */
export function keptAlerts(store: Pick<Store, 'people'>): Alert[] {
  const alerts: Alert[] = [];
  const standstill = standstillOf(store);
  if (standstill !== null) {
    alerts.push({
      code: standstill === 'twin' ? 'twin' : 'config',
      text: STANDSTILL_WORDS[standstill],
      fix: 'press p, or "wats agent resume", when you have looked',
    });
  }
  const blocked = store.people.agent(AGENT)?.blocked ?? null;
  if (blocked !== null) {
    alerts.push({
      code: blocked.code === 'auth' ? 'login' : 'runtime',
      text: blocked.text,
      fix: 'press p, or "wats agent resume", to look again now',
    });
  }
  return alerts;
}

export function safetyAlerts(unacknowledged: readonly string[]): Alert[] {
  if (unacknowledged.length === 0) return [];
  const text = `safety settings changed and not acknowledged: ${unacknowledged.join(', ')}`;
  return [{ code: 'safety', text, fix: 'wats config ack' }];
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

/** One line, however many halts are in force. */
export function haltAlerts(halts: Halts, now: number): Alert[] {
  const [first, ...more] = halts.all();
  if (first === undefined) return [];
  const label = halts.guardians().find(({ author }) => author === first.author)?.label ?? '';
  const who = label === '' ? shortKey(first.author) : `${visible(label, 'line')} (${shortKey(first.author)})`;
  const reason = first.text.trim() === '' ? '' : `: ${excerpt(first.text, REASON_CELLS)}`;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return [
    {
      code: 'halt',
      text: `halted by guardian ${who} ${age(first.ts * 1000, now)} ago${others}${reason}`,
      fix: 'wats resume, when you have looked',
    },
  ];
}
