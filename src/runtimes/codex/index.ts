import { join } from 'node:path';
import { WatsError } from '../../errors/index.ts';
import { RUN_MARKER } from '../../processes/index.ts';
import type { AskEnv } from '../engine/ask-program.ts';
import { findProgram } from '../engine/find-program.ts';
import { KnownFiles } from '../engine/known-file.ts';
import { watsServer } from '../engine/mcp-config.ts';
import { openPrepared, type ProgramRuntime } from '../engine/prepared.ts';
import type { Steps } from '../engine/session.ts';
import { codexDialect } from './dialect.ts';
import { probeCodex, refuseUnfit } from './probe.ts';
import { codexArgs } from './switches.ts';

export interface CodexDeps extends Steps {
  /** The daemon's environment, for probes; a run gets the environment of its spec. */
  readonly env: AskEnv;
  /** Wall clock, ms since the epoch: limits are named by it. */
  readonly now: () => number;
}

/** Stands in for Codex's own 20 KB about programming, which a locked run has no use for. */
const INSTRUCTIONS = `You act on your own, through the tools of the server "wats", and through nothing else.
Nobody can answer a question. When you have done what the message asks for, or see that there is nothing to do, stop.
`;

/** Codex, one `codex exec` a run. */
export function codexRuntime(deps: CodexDeps): ProgramRuntime {
  const known = new KnownFiles<true>();
  const runtime: ProgramRuntime = {
    name: 'codex',
    probe: (signal) => probeCodex(deps.env, signal),
    async prepare(spec, signal) {
      const path = await findProgram('codex', spec.env['PATH'] ?? deps.env['PATH'] ?? '');
      if (path === null)
        throw new WatsError('runtime', 'Codex (codex) is not in PATH.', {
          fix: 'npm install -g @openai/codex',
        });
      await known.ask(path, () => refuseUnfit(path, spec.env, signal).then(() => true));
      const instructions = { path: join(spec.runDir, 'instructions.md'), text: INSTRUCTIONS };
      return {
        argv: [path, ...codexArgs(spec, watsServer(spec), instructions.path)],
        env: { ...spec.env, [RUN_MARKER]: spec.runDir, WATS_RUN_ID: spec.runId },
        files: [instructions],
      };
    },
    async open(spec, signal) {
      const prepared = await runtime.prepare(spec, signal);
      return openPrepared(spec, prepared, codexDialect(spec, deps.now), deps, signal);
    },
  };
  return runtime;
}
