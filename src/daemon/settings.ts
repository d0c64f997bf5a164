import type { Settings } from '../config/index.ts';
import type { RunnerSettings } from '../runner/index.ts';

/** The one agent of today. */
export const AGENT = 'main';

/** The settings as the runner reads them. */
export function runnerSettings(
  settings: Settings,
  more: { readonly author: string; readonly user: string; readonly denyPaths: readonly string[] },
): RunnerSettings {
  return {
    agent: AGENT,
    profile: settings['agent.profile'],
    author: more.author,
    user: more.user,
    about: settings['agent.about'] ?? '',
    model: settings['agent.model'],
    access: settings['agent.access'],
    tools: settings['agent.tools'],
    command: settings['agent.command'] ?? [],
    denyPaths: more.denyPaths,
    everyMs: settings['agent.every'],
    heartbeatMs: settings['agent.heartbeat'] || null,
    wakesPerRun: settings['agent.wakes_per_run'],
    wakeMaxAgeMs: settings['agent.wake_max_age'],
    allow: settings['agent.allow'],
    ignoreLocal: settings['agent.ignore_local'],
    wakesPerAuthorPerHour: settings['agent.wakes_per_author_per_hour'],
    loopMaxExchanges: settings['agent.loop_max_exchanges'],
    maxRunsPerHour: settings['agent.max_runs_per_hour'],
    maxRunsPerDay: settings['agent.max_runs_per_day'],
    maxTurns: settings['agent.max_turns'],
    maxTokensPerRun: settings['agent.max_tokens_per_run'],
    maxMicroUsdPerRun: settings['agent.max_usd_per_run'],
    maxMicroUsdPerDay: settings['agent.max_usd_per_day'],
    maxMicroUsdPerMonth: settings['agent.max_usd_per_month'],
    timeoutMs: settings['agent.timeout'],
    stallTimeoutMs: settings['agent.stall_timeout'],
  };
}
