import { stat } from 'node:fs/promises';
import { WatsError } from '../../errors/index.ts';
import { RUN_MARKER } from '../../processes/index.ts';
import type { Runtime } from '../contract.ts';
import { findProgram } from '../engine/find-program.ts';
import { writeMcpConfig } from '../engine/run-files.ts';
import { ProgramSession, type Steps } from '../engine/session.ts';
import { claudeDialect } from './dialect.ts';
import { abilitiesOf, type Env, probeClaude } from './probe.ts';
import { serversOf } from './servers.ts';
import { type Abilities, claudeArgs, claudeEnv } from './switches.ts';

export interface ClaudeDeps extends Steps {
  /** The daemon's environment, for probes; a run gets the environment of its spec. */
  readonly env: Env;
}

/** Claude Code, driven through stream-json so that its tools are checked before it is paid and its cost known after. */
export function claudeRuntime(deps: ClaudeDeps): Runtime {
  const known = new Map<string, Abilities>();
  return {
    name: 'claude',
    probe: (signal) => probeClaude(deps.env, signal),
    async open(spec, signal) {
      const path = await findProgram('claude', spec.env['PATH'] ?? deps.env['PATH'] ?? '');
      if (path === null)
        throw new WatsError('runtime', 'Claude Code (claude) is not in PATH.', {
          fix: 'npm install -g @anthropic-ai/claude-code',
        });
      const abilities = await abilitiesOnce(known, path, spec.env, signal);
      const config = await writeMcpConfig(spec, await serversOf(spec));
      const start = {
        argv: [path, ...claudeArgs(spec, config, abilities)],
        env: claudeEnv(spec, { [RUN_MARKER]: spec.runDir, WATS_RUN_ID: spec.runId }),
      };
      return ProgramSession.open(spec, claudeDialect(), start, deps, signal);
    },
  };
}

/** Asked again only when another file stands at that path: it costs a start of the program. */
async function abilitiesOnce(
  known: Map<string, Abilities>,
  path: string,
  env: Env,
  signal: AbortSignal,
): Promise<Abilities> {
  const { mtimeMs, size, ino } = await stat(path);
  const key = `${path} ${ino} ${size} ${mtimeMs}`;
  const abilities = known.get(key) ?? (await abilitiesOf(path, env, signal));
  known.set(key, abilities);
  return abilities;
}
