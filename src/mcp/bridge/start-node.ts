import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { NodeStarter } from './options.ts';

export interface StartOptions {
  /** Program and arguments of the node to start; it is left running when the bridge ends. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dir: string;
  readonly runtimeDir: string;
  readonly uid: number;
  readonly spawn: (
    command: string,
    args: readonly string[],
    options: { detached: true; stdio: 'ignore'; cwd: string; env: Record<string, string | undefined> },
  ) => ChildProcess;
}

/** A lock older than this was left behind, whatever process has that id now. */
const STALE_MS = 15_000;
/** A node that found another one in the directory: that one will answer. */
const ALREADY_RUNNING = 75;

/**
 * Starts one background node for a directory, however many bridges want one at once: they take turns by a lock file in
 * the user's runtime folder. It only spares starting nodes in vain: the daemon's own lock on the directory decides.
 */
export function nodeStarter(options: StartOptions): NodeStarter {
  const lock = lockFile(options);
  let held = false;
  let child: ChildProcess | undefined;
  /** A node that was started found another one, and left the directory to it. */
  let yielded = false;
  let problem: string | undefined;

  const start = () => {
    const [program, ...args] = options.command;
    child = options.spawn(program, args, {
      detached: true,
      stdio: 'ignore',
      cwd: options.cwd,
      env: { ...options.env },
    });
    child.unref();
    child.once('error', (error) => {
      child = undefined;
      problem = `Cannot start a wats node: ${error.message}.`;
    });
    child.once('exit', (code) => {
      child = undefined;
      yielded = code === 0 || code === ALREADY_RUNNING;
      if (yielded) return;
      problem = `The wats node that was started ended at once (${code ?? 'by a signal'}). Run "wats node --dir ${options.dir}" to see why.`;
    });
  };

  return {
    tryStart() {
      if (child !== undefined || yielded || problem !== undefined) return;
      // Whoever had the lock before may have brought a node up since we looked: look again before starting one.
      if (held) start();
      else held = lock === undefined || take(lock);
    },
    failed: () => problem,
    done() {
      if (held && lock !== undefined) rmSync(lock, { force: true });
      held = false;
      yielded = false;
      problem = undefined;
    },
  };
}

/** The lock's path in a folder of our own; `undefined` when that folder can't be had: then nobody takes turns. */
function lockFile({ dir, runtimeDir, uid }: StartOptions): string | undefined {
  const folder = join(runtimeDir, `wats-${uid}`);
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o022) !== 0) return undefined;
  } catch {
    return undefined; // no runtime directory, or not ours to write: the daemon's lock still decides
  }
  return join(folder, `${createHash('sha256').update(dir).digest('hex').slice(0, 16)}-starting`);
}

function take(lock: string): boolean {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = openSync(lock, 'wx', 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return true;
    } catch {
      if (!isLeftBehind(lock)) return false; // somebody else starts one, or the lock can't be made
      rmSync(lock, { force: true });
    }
  }
  return false;
}

function isLeftBehind(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > STALE_MS) return true;
    const pid = Number(readFileSync(lock, 'utf8'));
    if (!(pid > 0)) return false; // being written this very moment
    process.kill(pid, 0);
    return false;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ESRCH' || code === 'ENOENT';
  }
}
