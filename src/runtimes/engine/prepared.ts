import { rm, writeFile } from 'node:fs/promises';
import type { RunSpec, Runtime } from '../contract.ts';
import { type Dialect, ProgramSession, type Steps } from './session.ts';

/** All that a run's program is started with. Preparing it starts nothing and writes nothing, so it can be shown before. */
export interface Prepared {
  readonly argv: readonly string[];
  /** Holds secrets: show the names only. */
  readonly env: Readonly<Record<string, string>>;
  /** Files of the run's own directory, by absolute path. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** A runtime whose runs are programs on this machine. */
export interface ProgramRuntime extends Runtime {
  /**
   * What `open` would start with this spec (`wats agent preview`).
   *
   * @throws WatsError `runtime` as `open`
   */
  prepare(spec: RunSpec, signal: AbortSignal): Promise<Prepared>;
}

/** Writes the files, mode 0600, and starts the program. */
export async function openPrepared(
  spec: RunSpec,
  prepared: Prepared,
  dialect: Dialect,
  steps: Steps,
  signal: AbortSignal,
): Promise<ProgramSession> {
  for (const { path, text } of prepared.files) {
    // A mode is given only to a file that is made anew.
    await rm(path, { force: true });
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  }
  return ProgramSession.open(spec, dialect, prepared, steps, signal);
}
