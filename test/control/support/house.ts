import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type Calls,
  type ControlClient,
  type Controls,
  connectControl,
  type Intent,
  type IntentResult,
  serveControl,
  type View,
} from '../../../src/control/index.ts';
import { WatsError } from '../../../src/errors/index.ts';
import { type Listening, listenMcp } from '../../../src/mcp/index.ts';

export async function temporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'wats-control-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export const EMPTY: View = {
  epoch: 'e1',
  revision: 1,
  version: '1.2.3',
  node: {
    id: '7f3ac21e90b4d1e',
    profile: 'me',
    dir: '/data',
    startedAt: 1,
    peersConnected: 0,
    peersKnown: 0,
    space: 'open',
  },
  programs: [],
  agent: null,
  alerts: [],
  spend: null,
  run: null,
  transcript: { runId: null, total: 0, tail: [] },
  drafts: { total: 0, rows: [] },
  paused: { total: 0, rows: [] },
  queue: { total: 0, rows: [], verdict: null, until: null },
  peers: { total: 0, rows: [] },
  runs: { total: 0, rows: [] },
  posts: { total: 0, rows: [] },
  log: { total: 0, rows: [] },
  settings: { total: 0, rows: [] },
};

/** A daemon as `control` sees it: one view, intents that count, calls of the test's own. */
export interface House {
  readonly path: string;
  readonly listening: Listening;
  /** Intents that were carried out, in order. */
  readonly done: Intent[];
  readonly defects: unknown[];
  view(): View;
  /** Another view; whoever subscribed is told. */
  show(change: Partial<View>): void;
  connect(): Promise<ControlClient>;
  raw(): Promise<RawClient>;
}

export interface RawClient {
  readonly socket: Socket;
  /** Whole lines so far, parsed. */
  readonly lines: Record<string, unknown>[];
  readonly closed: Promise<void>;
}

export interface HouseOptions {
  readonly calls?: Calls;
  readonly send?: (key: string, intent: Intent) => IntentResult;
  readonly path?: string;
}

export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const path = options.path ?? join(await temporaryDir(), 'control.sock');
  let view = EMPTY;
  const listeners = new Set<() => void>();
  const done: Intent[] = [];
  const answers = new Map<string, IntentResult>();
  const defects: unknown[] = [];
  const controls: Controls = {
    view: () => view,
    subscribe(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    page: async (request) => {
      if (request.page !== 'transcript')
        throw new WatsError('not_found', 'there is no such draft (any more)');
      return { runId: request.runId, total: 0, entries: [] } as never;
    },
    send: async (key, intent) => {
      const known = answers.get(key);
      if (known !== undefined) return known;
      done.push(intent);
      const answer = options.send?.(key, intent) ?? { ok: true, text: `done ${done.length}` };
      answers.set(key, answer);
      return answer;
    },
  };
  const serving = serveControl({
    version: '1.2.3',
    controls,
    calls: options.calls ?? {},
    onDefect: (error) => defects.push(error),
  });
  const listening = await listenMcp(path, { mode: 0o600 }, serving);
  onTestFinished(() => listening.close(0));
  return {
    path,
    listening,
    done,
    defects,
    view: () => view,
    show(change) {
      view = { ...view, ...change };
      for (const listener of listeners) listener();
    },
    async connect() {
      const client = await connectControl(path);
      onTestFinished(() => client.close());
      return client;
    },
    raw: () => rawClient(path),
  };
}

/** A client that speaks for itself. It reads everything; `socket.pause()` makes it stop. */
export async function rawClient(path: string): Promise<RawClient> {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  const lines: Record<string, unknown>[] = [];
  let rest = '';
  socket.on('data', (chunk) => {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(JSON.parse(part) as Record<string, unknown>);
  });
  socket.on('error', () => {}); // what became of it is what `closed` says
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return { socket, lines, closed };
}
