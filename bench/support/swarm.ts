import { join } from 'node:path';
import Database from 'better-sqlite3';
import { introduce, linked } from './peers.ts';
import { type Daemon, dataDirectory, person, startDaemon } from './program.ts';
import type { Bench } from './row.ts';

/** A node that is killed and started again. */
export interface SwarmNode {
  readonly name: string;
  readonly dir: string;
  /** Resolves as soon as it is up. */
  up(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** Nodes of a private swarm in a ring with chords, each a process of its own. All are connected when it resolves. */
export async function openSwarm(bench: Bench, count: number): Promise<readonly SwarmNode[]> {
  const nodes: SwarmNode[] = [];
  for (let n = 0; n < count; n++) nodes.push(await openNode(bench, `n${n}`));
  const clients = await Promise.all(nodes.map(({ dir }) => person(dir)));
  for (let n = 1; n < count; n++) await introduce(clients[0]!, clients[n]!);
  for (let n = 1; n < count; n++) {
    for (const other of [(n + 1) % count, (n + count / 2) % count]) {
      if (other !== 0) await introduce(clients[n]!, clients[other]!);
    }
  }
  for (const client of clients) await linked(client, 2);
  for (const client of clients) client.close();
  return nodes;
}

async function openNode(bench: Bench, name: string): Promise<SwarmNode> {
  const dir = dataDirectory(join(bench.scratch, name), `profile = "${name}"\n`);
  let running: Promise<Daemon> = startDaemon(bench.program, dir);
  let restarted: (daemon: Promise<Daemon>) => void = () => {};
  bench.defer(async () => (await running).end('SIGKILL'));
  await running;
  return {
    name,
    dir,
    async up() {
      await running;
    },
    async kill() {
      await (await running).end('SIGKILL');
      // Whoever waits for this node waits for the next one.
      running = new Promise((done) => {
        restarted = done;
      });
    },
    async restart() {
      const daemon = startDaemon(bench.program, dir);
      restarted(daemon);
      running = daemon;
      await daemon;
    },
  };
}

/** Ids of all posts that a node has on disk, sorted. */
export function idsOf(dir: string): string[] {
  return reading(dir, (db) => db.prepare<[], string>('SELECT hex(id) FROM posts ORDER BY id').pluck().all());
}

/** Posts and their authors, as a node has them on disk. */
export function countsOf(dir: string): { readonly posts: number; readonly authors: number } {
  return reading(
    dir,
    (db) =>
      db.prepare('SELECT count(*) AS posts, count(DISTINCT author) AS authors FROM posts').get() as never,
  );
}

/** `ok`, or what SQLite finds wrong with the file. */
export function integrityOf(dir: string): string {
  return reading(dir, (db) => String(db.pragma('integrity_check', { simple: true })));
}

function reading<T>(dir: string, act: (db: Database.Database) => T): T {
  const db = new Database(join(dir, 'wats.db'), { readonly: true, timeout: 5_000 });
  try {
    return act(db);
  } finally {
    db.close();
  }
}
