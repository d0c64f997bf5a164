import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { json, OK, type Play, plain, type Stub, startStub, TOKEN } from '../runtimes/openclaw/stub.ts';
import {
  cleanEnv,
  dataDirectory,
  eventually,
  type RunningNode,
  startNode,
  WATS,
  wats,
  watsJson,
} from '../support/node.ts';

interface Result {
  readonly ok: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

interface Client {
  callTool(name: string, args: unknown): Promise<Result>;
  stop(): Promise<void>;
}

// Plain JavaScript, as a gateway's MCP client would be somebody else's.
const CLIENT = new URL('../../integrations/example-agent/mcp-client.mjs', import.meta.url).href;
const { McpClient } = (await import(CLIENT)) as { McpClient: { start(server: unknown): Promise<Client> } };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const config = (port: number, more = ''): string => `profile = "person"
[agent]
runtime = "openclaw"
profile = "person-agent"
every = "0s"
ignore_local = false
openclaw_url = "http://127.0.0.1:${port}"
openclaw_budget = "managed"
${more}`;

function directory(stub: Stub, more = ''): string {
  const place = dataDirectory(config(stub.port, more));
  closers.push(place.remove);
  mkdirSync(join(place.dir, 'openclaw'), { mode: 0o700 });
  writeFileSync(join(place.dir, 'openclaw', 'hooks.token'), `${TOKEN}\n`, { mode: 0o600 });
  return place.dir;
}

async function start(dir: string, env: Record<string, string> = {}): Promise<RunningNode> {
  const node = await startNode(dir, { env });
  closers.push(async () => {
    node.kill('SIGKILL');
    await node.ended;
  });
  return node;
}

async function ask(dir: string, text: string): Promise<string> {
  return (await watsJson<{ id: string }>(['ask', text], { dir })).id;
}

function rows<T>(dir: string, sql: string): T[] {
  const db = new Database(join(dir, 'wats.db'), { readonly: true });
  try {
    return db.prepare(sql).all() as T[];
  } finally {
    db.close();
  }
}

/** The gateway's MCP child: `wats mcp` with the runner's token. */
async function child(dir: string, tokenFile = join(dir, 'openclaw', 'runner.token')): Promise<Client> {
  const client = await McpClient.start({
    command: process.execPath,
    args: [WATS, 'mcp', '--runner-token-file', tokenFile, '--dir', dir],
    env: cleanEnv(),
  });
  closers.push(() => client.stop());
  return client;
}

const reply = async (dir: string, parent: string, text: string): Promise<Result> => {
  const client = await child(dir);
  return client.callTool('reply', { parent, kind: 'answer', text });
};

test('an ask is forwarded, the gateway’s agent answers through the runner socket, and its answer is held as that run’s', async () => {
  let dir = '';
  let post = '';
  const stub = await startStub([
    async (response, hooked, self) => {
      const said = await reply(dir, post, 'Use WAL.');
      expect(said.structured).toMatchObject({ held: expect.stringMatching(/^d-/) });
      return json(200, OK)(response, hooked, self);
    },
  ]);
  dir = directory(stub);
  const node = await start(dir);
  post = await ask(dir, 'Which journal mode?');
  const ended = await node.saw(({ type }) => type === 'run_ended');
  expect(ended['outcome']).toBe('ok');
  expect(JSON.parse(stub.hooks[0]?.body ?? '')).toMatchObject({
    agentId: 'wats',
    sessionKey: `wats:${post}`,
    message: expect.stringContaining(post),
  });
  expect(stub.hooks[0]?.headers['idempotency-key']).toBe(ended['run']);
  const [draft] = await watsJson<{ id: string; runId: string; text: string }[]>(['agent', 'pending'], {
    dir,
  });
  expect(draft).toMatchObject({ text: 'Use WAL.', runId: ended['run'] });
  expect(statSync(join(dir, 'openclaw', 'runner.token')).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, 'openclaw', 'runner.sock')).mode & 0o777).toBe(0o600);
  const logs = await wats(['agent', 'logs'], { dir });
  expect(logs.stdout).toContain('Forwarded to OpenClaw’s agent wats');
  // Bodies and tokens stay out of the log.
  const log = await wats(['status', '--json'], { dir });
  expect(log.stdout).not.toContain(TOKEN);
});

test('a post of the gateway’s agent about another thread belongs to no run, and is held all the same', async () => {
  let dir = '';
  let other = '';
  const stub = await startStub([
    async (response, hooked, self) => {
      await reply(dir, other, 'Not asked.');
      return json(200, OK)(response, hooked, self);
    },
  ]);
  dir = directory(stub);
  const node = await start(dir);
  other = (await watsJson<{ id: string }>(['post', '--kind', 'note', 'A note.'], { dir })).id;
  await ask(dir, 'Something else?');
  expect((await node.saw(({ type }) => type === 'run_ended'))['outcome']).toBe('idle');
  const [draft] = await watsJson<{ runId: string | null; text: string }[]>(['agent', 'pending'], { dir });
  expect(draft).toMatchObject({ text: 'Not asked.', runId: null });
});

test('without the runner’s token the socket says nothing', async () => {
  const stub = await startStub([json(200, OK)]);
  const dir = directory(stub);
  await start(dir);
  const wrong = join(dir, 'wrong.token');
  for (const token of ['', 'f'.repeat(64)]) {
    writeFileSync(wrong, token, { mode: 0o600 });
    await expect(child(dir, wrong)).rejects.toThrow();
  }
  await expect(
    McpClient.start({
      command: process.execPath,
      args: [WATS, 'mcp', '--run-socket', join(dir, 'openclaw', 'runner.sock')],
      env: cleanEnv(),
    }),
  ).rejects.toThrow();
});

test('posts of two threads are two runs with a conversation each', async () => {
  const stub = await startStub([json(200, OK)]);
  const dir = directory(stub);
  const paused = await start(dir);
  await wats(['agent', 'pause'], { dir });
  const first = await ask(dir, 'One?');
  const second = await ask(dir, 'Two?');
  await wats(['reply', first, '--kind', 'ask', 'One, again?'], { dir });
  await wats(['agent', 'resume'], { dir });
  await eventually(() => paused.said.filter(({ type }) => type === 'run_ended').length === 2);
  const bodies = stub.hooks.map(({ body }) => JSON.parse(body) as { sessionKey: string; message: string });
  expect(bodies.map(({ sessionKey }) => sessionKey)).toEqual([`wats:${first}`, `wats:${second}`]);
  expect(bodies[0]?.message).not.toContain(second);
});

const never: Play = () => undefined;

test('a daemon that is killed in the middle waits again for the same turn and begins no second one', async () => {
  const stub = await startStub([never]);
  const dir = directory(stub);
  const first = await start(dir);
  await ask(dir, 'What now?');
  await eventually(() => stub.hooks.length === 1);
  first.kill('SIGKILL');
  await first.ended;
  const second = await start(dir);
  const ended = await second.saw(({ type }) => type === 'run_ended');
  // The stub says how the turn ended; it posted nothing.
  expect(ended['outcome']).toBe('idle');
  expect(stub.turns).toEqual([ended['run']]);
  expect(stub.hooks[1]?.body).toBe(stub.hooks[0]?.body);
  expect(rows(dir, 'SELECT state, tries FROM wakes')).toEqual([{ state: 'done', tries: 0 }]);
});

test('both are killed in the middle: what became of the run is not known, it is shown, and never repeated', async () => {
  const stub = await startStub([never]);
  const dir = directory(stub);
  const first = await start(dir);
  await ask(dir, 'What now?');
  await eventually(() => stub.hooks.length === 1);
  first.kill('SIGKILL');
  await first.ended;
  stub.restart();
  const second = await start(dir);
  const ended = await second.saw(({ type }) => type === 'run_ended');
  expect(ended['outcome']).toBe('unknown');
  const { runs } = await watsJson<{ runs: { outcome: string; message: string }[] }>(['agent', 'runs'], {
    dir,
  });
  expect(runs).toEqual([
    expect.objectContaining({ outcome: 'unknown', message: expect.stringContaining('not repeated') }),
  ]);
  expect(rows(dir, 'SELECT state FROM wakes')).toEqual([{ state: 'done' }]);
  // A crash is never free.
  expect(rows(dir, 'SELECT settled, unpriced_runs FROM bookings')).toEqual([
    { settled: 1, unpriced_runs: 1 },
  ]);
  expect(stub.hooks).toHaveLength(1);
});

test('a forwarded run that no runner waits for any more ends as unknown', async () => {
  const stub = await startStub([never]);
  const dir = directory(stub);
  const first = await start(dir);
  await ask(dir, 'What now?');
  await eventually(() => stub.hooks.length === 1);
  first.kill('SIGKILL');
  await first.ended;
  writeFileSync(join(dir, 'config.toml'), 'profile = "person"\n');
  await start(dir);
  expect(rows(dir, 'SELECT outcome FROM runs')).toEqual([{ outcome: 'unknown' }]);
  expect(rows(dir, 'SELECT state FROM wakes')).toEqual([{ state: 'done' }]);
});

test('a gateway that is not there keeps the wake, counts no run, and is tried again', async () => {
  const stub = await startStub([json(200, OK)]);
  const dir = directory(stub);
  await stub.close();
  const node = await start(dir);
  await ask(dir, 'Anybody?');
  const { queue } = await eventually(async () => {
    const status = await watsJson<{ queue: { verdict: string | null; total: number } }>(['status'], { dir });
    return status.queue.verdict === null ? undefined : status;
  });
  expect(queue.total).toBe(1);
  expect(queue.verdict).toContain('not there');
  // Looking again now meets the same, and still counts nothing.
  await wats(['agent', 'resume'], { dir });
  await node.saw(({ type, outcome }) => type === 'run_ended' && outcome === 'deferred');
  expect(rows(dir, 'SELECT sum(runs) AS runs, sum(unpriced_runs) AS unpriced FROM bookings')).toEqual([
    { runs: 0, unpriced: 0 },
  ]);
  expect(rows(dir, 'SELECT state FROM wakes')).toEqual([{ state: 'queued' }]);
});

test('a wrong token pauses the runner with the fix, and does not try again and again', async () => {
  const stub = await startStub([json(200, OK)], { token: 'e'.repeat(64) });
  const dir = directory(stub);
  await start(dir);
  await ask(dir, 'Anybody?');
  const status = await watsJson<{ alerts: { text: string; code: string }[] }>(['status'], { dir });
  expect(status.alerts.find(({ code }) => code === 'login')?.text).toContain('wats setup openclaw --agent');
  expect(stub.hooks).toEqual([]);
});

test('an address that would send the token in clear keeps the daemon from starting', async () => {
  const stub = await startStub([plain(200, '')]);
  const dir = directory(stub, '');
  writeFileSync(join(dir, 'config.toml'), config(1).replace(/http:\/\/[^"]*/, 'http://gateway.example'));
  await expect(startNode(dir)).rejects.toThrow(/would send the hook token in clear/);
});
