import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { commandAgent, dataDirectory, person, startDaemon } from './program.ts';
import type { Bench } from './row.ts';

const STAMP = join(import.meta.dirname, '../programs/stamp.mjs');

/** The program of the measured runs, and of the bare ones: it does nothing. */
export const NOTHING = existsSync('/bin/true') ? '/bin/true' : '/usr/bin/true';

/** Times of one run of the agent in a real daemon, milliseconds. */
export interface RunTimes {
  /** From the moment a post was stored and everybody heard of it, to `spawn` having returned. */
  readonly storedToSpawned: number;
  /** From the booking to the end of the run, everything of it put away. */
  readonly wall: number;
}

/** A daemon whose agent is a program that does nothing. Each call posts an ask and waits for the end of its run. */
export async function idleAgent(bench: Bench): Promise<() => Promise<RunTimes>> {
  const dir = dataDirectory(join(bench.scratch, 'd'), commandAgent([NOTHING]));
  const daemon = await startDaemon(bench.program, dir, {
    node: ['--import', STAMP],
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  bench.defer(() => daemon.end('SIGTERM'));
  const client = await person(dir);
  bench.defer(() => client.close());
  const controls = await client.watch();
  const stamps = stampsOf(daemon.child.stdio[3] as Readable);
  return async () => {
    const ended = stamps();
    const sent = await controls.send(randomUUID(), {
      do: 'post',
      kind: 'ask',
      parent: null,
      title: '',
      text: `What now? ${randomUUID()}`,
      tags: [],
    });
    if (!sent.ok) throw new Error(`the ask was not posted: ${sent.text}`);
    const at = await ended;
    return { storedToSpawned: at('post', 'spawned'), wall: at('run_booked', 'run_ended') };
  };
}

/** The stamps of the next run, as a function that gives the milliseconds from the first of one to the first of another. */
function stampsOf(pipe: Readable): () => Promise<(from: string, to: string) => number> {
  let waiting: (() => void) | null = null;
  let run = new Map<string, bigint>();
  createInterface({ input: pipe }).on('line', (text) => {
    const { ns, what } = JSON.parse(text) as { ns: string; what: string };
    if (!run.has(what)) run.set(what, BigInt(ns));
    if (what === 'run_ended') waiting?.();
  });
  return async () => {
    run = new Map();
    await new Promise<void>((done) => {
      waiting = done;
    });
    const found = run;
    return (from, to) => {
      const [a, b] = [found.get(from), found.get(to)];
      if (a === undefined || b === undefined) throw new Error(`a run without ${a === undefined ? from : to}`);
      return Number(b - a) / 1e6;
    };
  };
}

/** The same program, started bare as wats starts it: until `spawn` returned, and until it has ended. Milliseconds. */
export async function bareRun(): Promise<{ readonly spawned: number; readonly wall: number }> {
  const from = performance.now();
  const child = spawn(NOTHING, [], { detached: true, stdio: 'pipe', env: {} });
  const spawned = performance.now() - from;
  await new Promise((done) => child.once('close', done));
  return { spawned, wall: performance.now() - from };
}
