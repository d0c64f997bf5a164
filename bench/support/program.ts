import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type ControlClient, connectControl } from '../../src/control/index.ts';
import { runtimeDirOf, socketPath } from '../../src/paths/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PARTS = ['bin', 'dist', 'integrations', 'package.json', 'HEARTBEAT.md'];

/** The program as it is shipped. */
export interface Program {
  /** Absolute path of `wats.js`. */
  readonly script: string;
}

/** Copies the build aside, so that one which is made meanwhile does not mix with the one that is measured. */
export function copyProgram(to: string): Program {
  const main = join(ROOT, 'dist/main.js');
  if (!existsSync(main)) throw new Error('there is no build to measure: npm run build');
  const built = statSync(main).mtimeMs;
  const fresh = `${to}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const part of PARTS) cpSync(join(ROOT, part), join(fresh, part), { recursive: true });
  if (!existsSync(main) || statSync(main).mtimeMs !== built)
    throw new Error('the build changed while it was copied: start again');
  rmSync(to, { recursive: true, force: true });
  renameSync(fresh, to);
  return { script: join(to, 'bin/wats.js') };
}

/** An environment without the machine's own wats. */
export function cleanEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = ['PATH', 'LANG', 'TMPDIR', 'XDG_RUNTIME_DIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), HOME: '/nonexistent', ...more };
}

/** Makes a data directory, with the settings given. */
export function dataDirectory(dir: string, config = ''): string {
  mkdirSync(dir, { mode: 0o700, recursive: true });
  if (config !== '') writeFileSync(join(dir, 'config.toml'), config, { mode: 0o600 });
  return dir;
}

/** Settings of a node whose agent is any program. */
export function commandAgent(argv: readonly string[], more: readonly string[] = []): string {
  return [
    'profile = "bench"',
    '[agent]',
    'runtime = "command"',
    `command = ${JSON.stringify(argv)}`,
    'profile = "bench-agent"',
    'every = "0s"',
    'ignore_local = false',
    'max_runs_per_hour = 1000',
    'max_runs_per_day = 10000',
    'notify = false',
    ...more,
    '',
  ].join('\n');
}

export function socketOf(dir: string, name: 'mcp.sock' | 'control.sock'): string {
  return socketPath(dir, name, {
    platform: process.platform,
    runtimeDir: runtimeDirOf(process.env),
    uid: process.getuid?.() ?? 0,
  });
}

export function person(dir: string): Promise<ControlClient> {
  return connectControl(socketOf(dir, 'control.sock'));
}

export interface Said {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Daemon {
  readonly pid: number;
  readonly dir: string;
  readonly child: ChildProcess;
  /** From the spawn to its first line, milliseconds. */
  readonly readyMs: number;
  /** The next occurrence that fits, from now on. Rejects when the daemon ends before. */
  next(fits: (said: Said) => boolean): Promise<Said>;
  /** Ends it and waits for its end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface StartOptions {
  /** Words for Node, before the script. */
  readonly node?: readonly string[];
  readonly stdio?: SpawnOptions['stdio'];
}

/** Starts `wats node` and waits until it is there. */
export async function startDaemon(
  program: Program,
  dir: string,
  options: StartOptions = {},
): Promise<Daemon> {
  const from = performance.now();
  const child = spawn(process.execPath, [...(options.node ?? []), program.script, 'node', '--dir', dir], {
    env: cleanEnv(),
    stdio: options.stdio ?? ['ignore', 'pipe', 'pipe'],
  });
  const listeners = new Set<(said: Said | null) => void>();
  let stderr = '';
  let over = false;
  child.stderr?.on('data', (chunk) => {
    stderr = `${stderr}${chunk}`.slice(-2_000);
  });
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (text) => {
      const said = JSON.parse(text) as Said;
      for (const listener of listeners) listener(said);
    });
  const ended = new Promise<void>((done) => {
    child.on('close', () => {
      over = true;
      for (const listener of listeners) listener(null);
      done();
    });
  });
  const next = (fits: (said: Said) => boolean): Promise<Said> =>
    new Promise((done, fail) => {
      const listener = (said: Said | null): void => {
        if (said !== null && !fits(said)) return;
        listeners.delete(listener);
        if (said === null) fail(new Error(`wats node ended early: ${stderr}`));
        else done(said);
      };
      if (over) fail(new Error(`wats node ended early: ${stderr}`));
      else listeners.add(listener);
    });
  await next(({ type }) => type === 'started');
  const readyMs = performance.now() - from;
  return {
    pid: child.pid ?? -1,
    dir,
    child,
    readyMs,
    next,
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
