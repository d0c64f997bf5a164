import type { ProgramRow } from '../control/index.ts';
import { runtimeFor } from '../runtimes/index.ts';
import { visible } from '../text/index.ts';

/** How long the look may take; it goes on in the background. */
const LOOK_MS = 20_000;

/** Looks for the agent programs that wats can run, for a first start. No network, no cost; never rejects. */
export async function lookForPrograms(env: NodeJS.ProcessEnv): Promise<readonly ProgramRow[]> {
  const names = ['claude', 'codex'] as const;
  const found = await Promise.allSettled(
    names.map((name) => runtimeFor(name, { env, command: [] }).probe(AbortSignal.timeout(LOOK_MS))),
  );
  return found.map((result, i): ProgramRow => {
    const name = names[i] ?? '';
    if (result.status === 'rejected') return { name, version: null, loggedIn: null, fix: null };
    const { version, loggedIn, problem } = result.value;
    return {
      name,
      version: version === null ? null : visible(version, 'line'),
      loggedIn,
      fix: problem === null ? null : visible(problem.fix, 'line'),
    };
  });
}
