import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, expect } from 'vitest';
import { connectControl } from '../../../src/control/index.ts';
import { runtimeDirOf, socketPath } from '../../../src/paths/index.ts';
import { runs, until } from '../../support/look.ts';
import { cleanEnv, dataDirectory, eventually, watsJson } from '../../support/node.ts';
import { Pty, steady } from '../../support/pty.ts';

const EXAMPLE = resolve(import.meta.dirname, '../../../integrations/example-agent/agent.mjs');
const WAITING = join(import.meta.dirname, 'waiting-agent.mjs');

/** Terminals that people have: the smallest that is more than a line, the usual ones, and a large one. */
export const SIZES = [
  [60, 15],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Something to be done after the test, the last one first. */
export function afterwards(close: () => unknown): void {
  closers.push(close);
}

/** A data directory whose agent is a program, woken by the asks of its own person. */
export function agentDirectory(command: readonly string[]): string {
  const { dir, remove } = dataDirectory(
    [
      'profile = "me"',
      '[agent]',
      'runtime = "command"',
      `command = ${JSON.stringify(command)}`,
      'profile = "me-agent"',
      'every = "0s"',
      'ignore_local = false',
      'notify = false',
      '',
    ].join('\n'),
  );
  afterwards(remove);
  return dir;
}

/** The example agent, which answers every ask with a draft. */
export function answeringDirectory(): string {
  return agentDirectory([process.execPath, EXAMPLE]);
}

/** An agent whose runs end when the file `done` is made. */
export function waitingDirectory(): { readonly dir: string; readonly finish: () => void } {
  const place = dataDirectory();
  afterwards(place.remove);
  const done = join(place.dir, 'done');
  const dir = agentDirectory([process.execPath, WAITING, done]);
  return { dir, finish: () => writeFileSync(done, '') };
}

/** wats in a terminal of its own, closed after the test. */
export function open(
  args: readonly string[],
  options: {
    columns?: number;
    rows?: number;
    env?: Record<string, string>;
    program?: string;
    background?: string;
  } = {},
): Pty {
  const { columns = 120, rows = 40, ...more } = options;
  const terminal = new Pty(args, { columns, rows, ...more });
  afterwards(async () => {
    terminal.close();
    await terminal.ended;
  });
  return terminal;
}

/** Asks as the person of a directory, and waits until the agent's draft is held. @returns the draft's id */
export async function draftFor(dir: string, question: string): Promise<string> {
  const { id } = await watsJson<{ id: string }>(['ask', question], { dir });
  return eventually(async () => {
    const drafts = await watsJson<{ id: string; parent: { id: string } }[]>(['agent', 'pending'], { dir });
    return drafts.find(({ parent }) => parent.id === id)?.id;
  });
}

/** The process of the daemon that serves a directory, or `null` when none does. */
export async function daemonOf(dir: string): Promise<number | null> {
  const place = {
    platform: process.platform,
    runtimeDir: runtimeDirOf(cleanEnv()),
    uid: process.getuid?.() ?? 0,
  };
  try {
    const client = await connectControl(socketPath(dir, 'control.sock', place));
    client.close();
    return client.hello.pid;
  } catch {
    // Nobody listens there.
    return null;
  }
}

/** Ends a daemon that has no terminal, and waits until it is gone. */
export async function endDaemon(dir: string): Promise<void> {
  const pid = await daemonOf(dir);
  if (pid === null) return;
  process.kill(pid, 'SIGTERM');
  await until(() => !runs(pid));
}

/** Compares with the committed screen; `UPDATE_GOLDEN=1` writes it, for a person to read before it is committed. */
export function expectGolden(name: string, screen: string): void {
  const path = join(import.meta.dirname, '../golden', `${name}.golden.txt`);
  const text = `${steady(screen).trimEnd()}\n`;
  if (process.env['UPDATE_GOLDEN']) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(existsSync(path), `${path} is missing; UPDATE_GOLDEN=1 writes it`).toBe(true);
  expect(text).toBe(readFileSync(path, 'utf8'));
}
