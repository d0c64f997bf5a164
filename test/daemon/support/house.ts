import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import {
  type ControlClient,
  connectControl,
  type Intent,
  type IntentResult,
} from '../../../src/control/index.ts';
import { placesOf } from '../../../src/paths/index.ts';
import { dataDirectory, eventually, type RunningNode, startNode } from '../../support/node.ts';

const AGENT = resolve(import.meta.dirname, '../programs/agent.mjs');

/** A step of the test's agent, as it wrote it down itself. */
export interface Step {
  readonly run: string;
  readonly pid: number;
  readonly step: string;
  readonly about?: string;
  readonly prompt?: string;
  readonly pids?: readonly number[];
  readonly ok?: boolean;
  readonly result?: { readonly held?: string; readonly id?: string };
}

/** A data directory with the agent of the tests, and a person at its daemon. Nothing of it survives the test. */
export interface House {
  readonly dir: string;
  /** Where sockets go that do not fit into `dir`. */
  readonly runtimeDir: string;
  /** Starts the daemon; it is killed after the test at the latest. */
  start(options?: Parameters<typeof startNode>[1]): Promise<RunningNode>;
  /** What the agent did, over all its runs. */
  steps(name?: string): readonly Step[];
  /** Keeps the agent waiting at a step, until `release`. */
  hold(step: string): void;
  release(step: string): void;
  person(): Promise<ControlClient>;
  send(intent: Intent, key?: string): Promise<IntentResult>;
  ask(text: string, key?: string): Promise<string>;
  /** Reads the database as it is on disk. */
  rows<T>(sql: string, ...values: readonly unknown[]): readonly T[];
  /** Processes that carry the mark of a run of this directory, as the kernel lists them. */
  marked(): readonly number[];
}

export interface HouseOptions {
  /** Words for the agent program. */
  readonly agent?: readonly string[];
  /** Lines of `[agent]` in config.toml. */
  readonly settings?: readonly string[];
  /** How many bytes the path of the data directory has; what the system's own temporary directory makes of it otherwise. */
  readonly pathBytes?: number;
}

export function makeHouse(options: HouseOptions = {}): House {
  const place = dataDirectory();
  const root = resolve(place.dir, '..');
  const dir = options.pathBytes === undefined ? place.dir : stretched(root, options.pathBytes);
  const runtimeDir = join(root, 'runtime');
  mkdirSync(runtimeDir, { mode: 0o700 });
  const socketPlace = { platform: process.platform, runtimeDir, uid: process.getuid?.() ?? 0 };
  const ledger = join(root, 'ledger');
  mkdirSync(join(ledger, 'hold'), { recursive: true });
  const command = [process.execPath, AGENT, ledger, ...(options.agent ?? [])];
  writeFileSync(
    join(dir, 'config.toml'),
    [
      'profile = "person"',
      '[agent]',
      'runtime = "command"',
      `command = ${JSON.stringify(command)}`,
      'profile = "person-agent"',
      'every = "0s"',
      'ignore_local = false',
      'max_runs_per_hour = 1000',
      'max_runs_per_day = 10000',
      'notify = false',
      ...(options.settings ?? []),
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
  const running: RunningNode[] = [];
  const clients: ControlClient[] = [];
  const marked = (): number[] => processesOf(dir);

  onTestFinished(async () => {
    for (const client of clients) client.close();
    for (const node of running) {
      node.kill('SIGKILL');
      await node.ended;
    }
    for (const pid of marked()) kill(pid);
    await eventually(() => marked().length === 0);
    place.remove();
  });

  async function person(): Promise<ControlClient> {
    const client = await connectControl(placesOf(dir, {}, socketPlace).controlSocket);
    clients.push(client);
    return client;
  }

  const house: House = {
    dir,
    runtimeDir,
    async start(how = {}) {
      const node = await startNode(dir, { ...how, env: { XDG_RUNTIME_DIR: runtimeDir, ...how.env } });
      running.push(node);
      return node;
    },
    steps(name) {
      const file = join(ledger, 'ledger.jsonl');
      if (!existsSync(file)) return [];
      const steps = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Step);
      return name === undefined ? steps : steps.filter(({ step }) => step === name);
    },
    hold: (step) => writeFileSync(join(ledger, 'hold', step), ''),
    release: (step) => rmSync(join(ledger, 'hold', step), { force: true }),
    person,
    async send(intent, key = randomUUID()) {
      const client = await person();
      try {
        return await (await client.watch()).send(key, intent);
      } finally {
        client.close();
      }
    },
    async ask(text, key) {
      const sent = await house.send(
        { do: 'post', kind: 'ask', parent: null, title: '', text, tags: [] },
        key,
      );
      if (!sent.ok || sent.postId === undefined) throw new Error(`not posted: ${JSON.stringify(sent)}`);
      return sent.postId;
    },
    rows<T>(sql: string, ...values: readonly unknown[]) {
      const db = new Database(join(dir, 'wats.db'), { readonly: true });
      try {
        return db.prepare(sql).all(...values) as T[];
      } finally {
        db.close();
      }
    },
    marked,
  };
  return house;
}

/** A directory under `root` whose path has so many bytes. */
function stretched(root: string, bytes: number): string {
  const dir = `${root}/${'d'.repeat(bytes - root.length - 1)}`;
  mkdirSync(dir, { mode: 0o700 });
  return dir;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already
  }
}

/** Living processes whose environment has WATS_RUN_DIR inside the directory; zombies hold nothing any more. */
function processesOf(dir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1')
          .split('\0')
          .some((pair) => pair.startsWith(`WATS_RUN_DIR=${dir}/`));
      } catch {
        return false; // gone, or another user's
      }
    });
}
