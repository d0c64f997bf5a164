import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The program as it is shipped: `npm test` builds it first. */
export const WATS = resolve(import.meta.dirname, '../../bin/wats.js');

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A clean environment: nothing of the machine's own wats, its agents or its editor. */
export function cleanEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = ['PATH', 'LANG', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), HOME: '/nonexistent', ...more };
}

/** Runs one command to its end. */
export function wats(
  args: readonly string[],
  options: {
    readonly dir?: string;
    readonly input?: string;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<Finished> {
  const where = options.dir === undefined ? [] : ['--dir', options.dir];
  const child = spawn(process.execPath, [WATS, ...args, ...where], { env: cleanEnv(options.env) });
  child.stdin.on('error', () => {}); // a command that does not read its input may be gone already
  child.stdin.end(options.input ?? '');
  return finished(child);
}

export async function finished(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, stdout, stderr };
}

/** Output of a command that must succeed, parsed as JSON. */
export async function watsJson<T>(
  args: readonly string[],
  options: Parameters<typeof wats>[1] = {},
): Promise<T> {
  const { code, stdout, stderr } = await wats([...args, '--json'], options);
  if (code !== 0) throw new Error(`wats ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

export interface Occurrence {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface RunningNode {
  readonly pid: number;
  readonly dir: string;
  /** Everything that it said so far. */
  readonly said: readonly Occurrence[];
  /** The first occurrence, past or future, that fits. Rejects when the node ends before. */
  saw(fits: (occurrence: Occurrence) => boolean): Promise<Occurrence>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with its exit code, or the signal, and what it wrote on stderr. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: string | null;
    readonly stderr: string;
  }>;
}

/** Starts `wats node` on a directory and waits until it is there. */
export async function startNode(
  dir: string,
  options: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<RunningNode> {
  const child = spawn(process.execPath, [WATS, 'node', '--dir', dir, ...(options.args ?? [])], {
    env: cleanEnv(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Occurrence[] = [];
  const waiting = new Set<() => void>();
  let stderr = '';
  let over = false;
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(JSON.parse(line) as Occurrence);
    for (const look of waiting) look();
  });
  const ended = new Promise<Awaited<RunningNode['ended']>>((done) => {
    child.on('close', (code, signal) => {
      over = true;
      done({ code, signal, stderr });
      for (const look of waiting) look();
    });
  });
  const saw = (fits: (occurrence: Occurrence) => boolean): Promise<Occurrence> =>
    new Promise((done, fail) => {
      const look = (): void => {
        const found = said.find(fits);
        if (found !== undefined) done(found);
        else if (over) fail(new Error(`the node ended before that happened: ${stderr}`));
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  const node: RunningNode = {
    pid: child.pid ?? -1,
    dir,
    said,
    saw,
    kill: (signal) => {
      child.kill(signal);
    },
    ended,
  };
  await saw(({ type }) => type === 'started');
  return node;
}

/** A data directory of a test's own, mode 0700, with a config.toml when there is one to write. */
export function dataDirectory(config = ''): { readonly dir: string; readonly remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'wats-test-'));
  const dir = join(root, 'data');
  mkdirSync(dir, { mode: 0o700 });
  if (config !== '') writeFileSync(join(dir, 'config.toml'), config, { mode: 0o600 });
  return {
    dir,
    remove: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Asks until there is an answer. A test's own deadline ends it. */
export async function eventually<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== undefined && found !== false) return found as T;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
