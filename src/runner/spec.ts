import type { RunSpec } from '../runtimes/index.ts';
import type { Stage } from './ports.ts';
import type { RunnerSettings } from './settings.ts';

/** What a run's program is started with, from the settings, its booking and its place on disk. */
export function specOf(
  settings: RunnerSettings,
  run: {
    readonly id: string;
    /** Key of its conversation. */
    readonly session: string;
    readonly priced: boolean;
    readonly capMicroUsd: number | null;
  },
  stage: Pick<Stage, 'runDir' | 'workDir' | 'mcp' | 'env'>,
  sinks: Pick<RunSpec, 'onSpawn' | 'onLine'>,
): RunSpec {
  const { runDir, workDir, mcp, env } = stage;
  return {
    runId: run.id,
    session: run.session,
    runDir,
    workDir,
    access: settings.access,
    model: settings.model,
    maxTurns: settings.maxTurns,
    maxMicroUsd: run.capMicroUsd,
    maxTokens: run.priced ? null : settings.maxTokensPerRun,
    mcp,
    env,
    denyPaths: settings.denyPaths,
    tools: settings.tools,
    command: settings.command,
    timeoutMs: settings.timeoutMs,
    stallTimeoutMs: settings.stallTimeoutMs,
    ...sinks,
  };
}
