import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { WatsError } from '../errors/index.ts';
import { identityOf, type ProcessIdentity } from './identity.ts';

export interface SpawnOptions {
  readonly cwd: string;
  /** The whole environment of the program: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Called once, before this function's promise resolves, so before anybody can write to the program. */
  readonly onSpawn?: (process: ProcessIdentity) => void;
}

/** How a program ended: one of the two is `null`. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SpawnedGroup {
  readonly identity: ProcessIdentity;
  readonly child: ChildProcessWithoutNullStreams;
  /** When the leader itself ended; its helpers may live on, and its pipes may still hold output. Never rejects. */
  readonly exited: Promise<Exit>;
}

/**
 * Starts a program as the leader of a process group (and session) of its own, without a shell, with pipes for
 * stdin, stdout and stderr. Nobody ends it but `endGroup`; it outlives this process if it wants to.
 *
 * @throws WatsError `runtime` when the program cannot be started
 */
export async function spawnGroup(argv: readonly string[], options: SpawnOptions): Promise<SpawnedGroup> {
  const [program, ...args] = argv;
  if (program === undefined)
    throw new WatsError('runtime', 'There is no program to start: the command is empty.');
  const child = start(program, args, options);
  // A program that closes its stdin early, or is killed, makes the next write fail here. How it ended says more.
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  child.stderr.on('error', () => {});
  if (child.pid === undefined) {
    const [cause] = await new Promise<[unknown]>((resolve) =>
      child.once('error', (error) => resolve([error])),
    );
    throw cannotStart(program, options.cwd, cause);
  }
  // Only a failed kill or a failed IPC send comes here once it runs; neither is news.
  child.on('error', () => {});
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const identity = await identityOf(child.pid);
  options.onSpawn?.(identity);
  return { identity, child, exited };
}

function start(program: string, args: string[], options: SpawnOptions): ChildProcessWithoutNullStreams {
  try {
    return spawn(program, args, { cwd: options.cwd, env: options.env, detached: true, stdio: 'pipe' });
  } catch (cause) {
    // Node throws at once for arguments that no system takes, such as a NUL byte.
    throw cannotStart(program, options.cwd, cause);
  }
}

function cannotStart(program: string, cwd: string, cause: unknown): WatsError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const why =
    code === 'ENOENT'
      ? `it was not found (or the directory ${cwd} was not)`
      : code === 'EACCES'
        ? 'it may not be executed'
        : code || String(cause);
  return new WatsError('runtime', `${program} cannot be started: ${why}.`, {
    fix: `Check that ${program} is installed and executable, then look at agent.command and PATH.`,
    cause,
  });
}
