import { WatsError } from '../../errors/index.ts';
import { RUN_MARKER } from '../../processes/index.ts';
import type { RunSpec } from '../contract.ts';
import { findProgram } from '../engine/find-program.ts';
import { mcpConfig, watsServer } from '../engine/mcp-config.ts';
import { decimalUsd } from '../engine/money.ts';
import { openPrepared, type ProgramRuntime } from '../engine/prepared.ts';
import type { Steps } from '../engine/session.ts';
import { commandDialect } from './dialect.ts';
import { probeCommand } from './probe.ts';

export interface CommandDeps extends Steps {
  /** Where programs are looked for: the value of PATH. */
  readonly path: string;
  /** The setting `agent.command`. */
  readonly command: readonly string[];
}

/** Any executable as an agent (design page 3, "Runtimes"; `integrations/example-agent` is the reference). */
export function commandRuntime(deps: CommandDeps): ProgramRuntime {
  const runtime: ProgramRuntime = {
    name: 'command',
    probe: () => probeCommand(deps.command, deps.path),
    async prepare(spec) {
      const argv = await argvOf(spec, deps.path);
      const config = mcpConfig(spec, { wats: watsServer(spec) });
      return { argv, env: commandEnv(spec, config.path), files: [config] };
    },
    async open(spec, signal) {
      const prepared = await runtime.prepare(spec, signal);
      return openPrepared(spec, prepared, commandDialect(spec), deps, signal);
    },
  };
  return runtime;
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
function commandEnv(spec: RunSpec, configPath: string): Readonly<Record<string, string>> {
  return {
    ...spec.env,
    WATS_MCP_CONFIG: configPath,
    WATS_RUN_ID: spec.runId,
    [RUN_MARKER]: spec.runDir,
    WATS_MAX_TURNS: String(spec.maxTurns),
    ...(spec.maxMicroUsd === null ? {} : { WATS_MAX_USD: decimalUsd(spec.maxMicroUsd) }),
  };
}
