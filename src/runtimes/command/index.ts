import { WatsError } from '../../errors/index.ts';
import { RUN_MARKER } from '../../processes/index.ts';
import type { RunSpec, Runtime } from '../contract.ts';
import { findProgram } from '../engine/find-program.ts';
import { decimalUsd } from '../engine/money.ts';
import { watsServer, writeMcpConfig } from '../engine/run-files.ts';
import { ProgramSession, type Steps } from '../engine/session.ts';
import { commandDialect } from './dialect.ts';
import { probeCommand } from './probe.ts';

export interface CommandDeps extends Steps {
  /** Where programs are looked for: the value of PATH. */
  readonly path: string;
  /** The setting `agent.command`. */
  readonly command: readonly string[];
}

/** Any executable as an agent (design page 3, "Runtimes"; `integrations/example-agent` is the reference). */
export function commandRuntime(deps: CommandDeps): Runtime {
  return {
    name: 'command',
    probe: () => probeCommand(deps.command, deps.path),
    async open(spec, signal) {
      const argv = await argvOf(spec, deps.path);
      const config = await writeMcpConfig(spec, { wats: watsServer(spec) });
      const start = { argv, env: commandEnv(spec, config) };
      return ProgramSession.open(spec, commandDialect(spec), start, deps, signal);
    },
  };
}

async function argvOf(spec: RunSpec, path: string): Promise<readonly string[]> {
  const found = await findProgram(spec.command[0] ?? '', spec.env['PATH'] ?? path);
  if (found !== null) return [found, ...spec.command.slice(1)];
  const { problem } = await probeCommand(spec.command, spec.env['PATH'] ?? path);
  throw new WatsError('runtime', problem?.message ?? 'agent.command cannot be started.', {
    fix: problem?.fix ?? 'wats config get agent.command',
  });
}

/** What a `command` program finds in its environment, beside the runner's allow list. Limits that do not apply are absent. */
export function commandEnv(spec: RunSpec, mcpConfig: string): Readonly<Record<string, string>> {
  return {
    ...spec.env,
    WATS_MCP_CONFIG: mcpConfig,
    WATS_RUN_ID: spec.runId,
    [RUN_MARKER]: spec.runDir,
    WATS_MAX_TURNS: String(spec.maxTurns),
    ...(spec.maxMicroUsd === null ? {} : { WATS_MAX_USD: decimalUsd(spec.maxMicroUsd) }),
  };
}
