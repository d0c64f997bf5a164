import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listenMcp, type ServeOptions, serveMcp } from '../mcp/index.ts';
import type { Places } from '../paths/index.ts';
import { type SocketPlace, socketPath } from '../paths/index.ts';
import type { RunnerPorts, Stage } from '../runner/index.ts';
import { createTranscript, transcriptPath } from '../transcripts/index.ts';

export interface StageOptions {
  readonly places: Places;
  readonly place: SocketPlace;
  readonly self: { readonly node: string; readonly script: string };
  readonly env: Readonly<Record<string, string>>;
  /** The workspace of a run at `workspace`; `null`: an empty directory of the run's own. */
  readonly workdir: string | null;
  readonly agent: { readonly name: string; readonly profile: string; readonly runtime: string };
  /** What every connection of a run is served with; the principal is added here. */
  readonly serve: Omit<ServeOptions, 'principal'>;
  /** A run's transcript began, grew or ended. */
  readonly onTranscript: (run: string) => void;
}

/** The footer of a transcript whose run was not to be. */
const NOT_STARTED = {
  outcome: 'config',
  message: 'Its socket could not be made.',
  exitCode: null,
  signal: null,
  durationMs: 0,
  turns: null,
  costMicroUsd: null,
} as const;

/** The directory of a run in progress. */
export function runDirOf(places: Places, run: string): string {
  return join(places.running, run);
}

/** The socket of a run in progress: beside its files, or where the platform's limit on paths sends it. */
export function runSocket(places: Places, place: SocketPlace, run: string): string {
  return socketPath(runDirOf(places, run), 'mcp.sock', place);
}

/** Where a run has its files and its socket, and how its program reaches the tools. */
export function runPlace(
  options: Pick<StageOptions, 'places' | 'place' | 'self' | 'env' | 'workdir'>,
  run: string,
): Pick<Stage, 'runDir' | 'workDir' | 'mcp' | 'env'> & { readonly socket: string } {
  const { places, place, self, env, workdir } = options;
  const runDir = runDirOf(places, run);
  const socket = runSocket(places, place, run);
  return {
    runDir,
    workDir: workdir ?? join(runDir, 'work'),
    env,
    socket,
    mcp: { command: self.node, args: [self.script, 'mcp', '--run-socket', socket], env: {} },
  };
}

/** Sets a run up: its directory, its own MCP socket (which fixes who speaks on it), its transcript. */
export function stageFor(options: StageOptions): RunnerPorts['stage'] {
  const { places, agent } = options;
  return async ({ id, cause, wakes, at }): Promise<Stage> => {
    const where = runPlace(options, id);
    const { runDir } = where;
    await mkdir(join(runDir, 'work'), { recursive: true, mode: 0o700 });
    const transcript = createTranscript(transcriptPath(places.transcripts, id), {
      run: id,
      agent: agent.name,
      runtime: agent.runtime,
      cause,
      events: wakes.flatMap(({ post }) => (post === null ? [] : [post.post.id])),
      startedAt: at,
    });
    const principal = { kind: 'run', agent: agent.name, runId: id, profile: agent.profile } as const;
    const listening = await listenMcp(
      where.socket,
      { mode: 0o600 },
      serveMcp({ ...options.serve, principal }),
    ).catch(async (error: unknown) => {
      transcript.end({ ...NOT_STARTED, endedAt: at });
      await rm(runDir, { recursive: true, force: true });
      throw error;
    });
    options.onTranscript(id);
    return {
      ...where,
      line(line) {
        const written = transcript.line(line);
        options.onTranscript(id);
        return written;
      },
      async close(ending, durationMs) {
        transcript.end({
          outcome: ending.outcome,
          message: ending.message,
          exitCode: ending.exitCode,
          signal: ending.signal,
          durationMs,
          turns: ending.turns,
          costMicroUsd: ending.costMicroUsd,
          endedAt: at + durationMs,
        });
        options.onTranscript(id);
        await listening.close();
        await rm(runDir, { recursive: true, force: true });
      },
    };
  };
}

/** The marker that frames the posts of one answer: a writer cannot guess it. */
export function newMarker(): string {
  return randomBytes(6).toString('hex');
}
