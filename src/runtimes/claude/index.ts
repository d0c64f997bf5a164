import { WatsError } from '../../errors/index.ts';
import { RUN_MARKER } from '../../processes/index.ts';
import type { AskEnv } from '../engine/ask-program.ts';
import { findProgram } from '../engine/find-program.ts';
import { KnownFiles } from '../engine/known-file.ts';
import { mcpConfig } from '../engine/mcp-config.ts';
import { openPrepared, type ProgramRuntime } from '../engine/prepared.ts';
import type { Steps } from '../engine/session.ts';
import { claudeDialect } from './dialect.ts';
import { abilitiesOf, probeClaude } from './probe.ts';
import { serversOf } from './servers.ts';
import { type Abilities, claudeArgs, claudeEnv } from './switches.ts';

export interface ClaudeDeps extends Steps {
  /** The daemon's environment, for probes; a run gets the environment of its spec. */
  readonly env: AskEnv;
}

/** Claude Code, driven through stream-json so that its tools are checked before it is paid and its cost known after. */
export function claudeRuntime(deps: ClaudeDeps): ProgramRuntime {
  const known = new KnownFiles<Abilities>();
  const runtime: ProgramRuntime = {
    name: 'claude',
    probe: (signal) => probeClaude(deps.env, signal),
    async prepare(spec, signal) {
      const path = await findProgram('claude', spec.env['PATH'] ?? deps.env['PATH'] ?? '');
      if (path === null)
        throw new WatsError('runtime', 'Claude Code (claude) is not in PATH.', {
          fix: 'npm install -g @anthropic-ai/claude-code',
        });
      const abilities = await known.ask(path, () => abilitiesOf(path, spec.env, signal));
      const config = mcpConfig(spec, await serversOf(spec));
      return {
        argv: [path, ...claudeArgs(spec, config.path, abilities)],
        env: claudeEnv(spec, { [RUN_MARKER]: spec.runDir, WATS_RUN_ID: spec.runId }),
        files: [config],
      };
    },
    async open(spec, signal) {
      const prepared = await runtime.prepare(spec, signal);
      return openPrepared(spec, prepared, claudeDialect(), deps, signal);
    },
  };
  return runtime;
}
