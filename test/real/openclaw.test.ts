import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { dataDirectory, eventually, type RunningNode, startNode, wats, watsJson } from '../support/node.ts';
import { type ChatTurn, startChatModel } from './support/chat-model.ts';
import { installCli } from './support/install-cli.ts';
import { type Gateway, openclawHome } from './support/openclaw-gateway.ts';

const openclaw = await installCli('openclaw');
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Json = Record<string, unknown>;

interface Listed {
  readonly thread: {
    readonly posts: readonly { id: string; kind: string; parent: string | null; text: string }[];
  };
}

async function node(dir: string, env: Record<string, string> = {}): Promise<RunningNode> {
  const running = await startNode(dir, { env });
  closers.push(async () => {
    running.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

function directory(config: string): string {
  const place = dataDirectory(config);
  closers.push(place.remove);
  return place.dir;
}

function rows<T>(dir: string, sql: string): T[] {
  const db = new Database(join(dir, 'wats.db'), { readonly: true });
  try {
    return db.prepare(sql).all() as T[];
  } finally {
    db.close();
  }
}

/** From the stored post to the model's first request, and what of it passed after wats had sent the wake. */
function tellTimes(dir: string, modelAt: number, how: string): void {
  const [request] = rows<{ run: string; sent_at: number }>(dir, 'SELECT run, sent_at FROM requests');
  const [post] = rows<{ at: number }>(
    dir,
    `SELECT p.received_at AS at FROM posts p JOIN wakes w ON w.seq = p.seq WHERE w.run = '${request?.run}'`,
  );
  const [all, theirs] = [modelAt - (post?.at ?? 0), modelAt - (request?.sent_at ?? 0)];
  console.log(
    `openclaw, ${how}: stored post to first model request ${all} ms, of it ${theirs} ms the gateway’s own`,
  );
}

/** Without what OpenClaw itself writes down on its first change, and the empty objects that it leaves. */
function own(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      if (key === 'meta' || key === 'sessionCatalog') return [];
      const inner = own(each);
      const empty =
        typeof inner === 'object' &&
        inner !== null &&
        !Array.isArray(inner) &&
        Object.keys(inner).length === 0;
      return empty ? [] : [[key, inner] as const];
    }),
  );
}

test.skipIf(!openclaw.ok)(
  `the real gateway takes an ask, its agent answers through the wats tools, a person approves, another node reads it${openclaw.ok ? '' : ` (${openclaw.why})`}`,
  { timeout: 600_000 },
  async () => {
    if (!openclaw.ok) return;
    // A model that answers each ask that it is told of, and is done; one that says SLOW is thought about for ever.
    let slow = false;
    const model = await startChatModel(({ last, read }): ChatTurn => {
      if (last.role === 'tool') return { say: 'NO_REPLY' };
      if (slow) return { hang: true };
      const ids = [...read.matchAll(/\b[0-9a-f]{64}\b/g)].map(([id]) => id);
      const args = { parent: ids.at(-1), kind: 'answer', text: 'Use WAL.' };
      return { call: 'tool_call', args: { id: 'wats-agent__reply', args } };
    });
    closers.push(() => model.close());
    const home = await openclawHome(openclaw.dir, model.url);
    closers.push(home.remove);
    const before = JSON.parse(readFileSync(home.configPath, 'utf8')) as Json;

    // Setup, before the gateway runs: what OpenClaw only checks at its start has to be right by itself.
    const dir = directory('profile = "person"\n[agent]\nprofile = "person-agent"\nevery = "0s"\n');
    const url = `http://127.0.0.1:${home.port}`;
    const setup = await wats(['setup', 'openclaw', '--apply', '--url', url], { dir, env: home.env });
    expect([setup.code, setup.stderr]).toEqual([0, expect.stringContaining('the gateway does not run')]);
    let gateway: Gateway = await home.start();
    closers.push(() => gateway.kill('SIGKILL'));
    const token = readFileSync(join(dir, 'openclaw', 'hooks.token'), 'utf8').trim();
    expect(gateway.log()).not.toContain(token);
    const again = await wats(['setup', 'openclaw', '--apply'], { dir, env: home.env });
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('and with no other')]);
    expect(again.stdout).toContain('already');

    // Who may not come in.
    const hook = async (
      bearer: string | null,
      body: unknown,
      key?: string,
    ): Promise<{ status: number; text: string }> => {
      const headers = {
        'content-type': 'application/json',
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      };
      const answer = await fetch(`${url}/hooks/agent`, {
        method: 'POST',
        headers,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return { status: answer.status, text: await answer.text() };
    };
    expect((await hook(null, {})).status).toBe(401);
    expect((await hook(`\${WATS_OPENCLAW_HOOKS_TOKEN}`, {})).status).toBe(401);
    expect((await hook(token, { message: 'x', agentId: 'main' })).status).toBe(400);

    // An ask on one node, a wake on the other.
    const asking = await node(directory('profile = "asker"\n'));
    let answering = await node(dir, home.env);
    const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: asking.dir });
    await watsJson(['peer', 'join', invite], { dir });
    await eventually(async () =>
      (await watsJson<{ state: string }[]>(['peer', 'list'], { dir: asking.dir })).some(
        ({ state }) => state === 'connected',
      ),
    );
    const { id: ask } = await watsJson<{ id: string }>(['ask', 'Which journal mode should I use?'], {
      dir: asking.dir,
    });
    const ended = await answering.saw(({ type }) => type === 'run_ended');
    expect(rows(dir, 'SELECT outcome, message FROM runs')).toEqual([
      { outcome: 'ok', message: expect.any(String) },
    ]);
    expect(ended['outcome']).toBe('ok');
    expect(model.requests).toHaveLength(2);
    expect([...(model.requests[0]?.tools ?? [])].sort()).toEqual([
      'tool_call',
      'tool_describe',
      'tool_search',
    ]);
    // The standing orders are in the system prompt; the wake comes as untrusted data.
    expect(model.requests[0]?.read).toContain('You answer for one person on a swarm');
    expect(model.requests[0]?.read).toContain('EXTERNAL_UNTRUSTED_CONTENT');

    // Held by review, as the run's; approved, and read on the other node.
    const [draft] = await watsJson<{ id: string; text: string; runId: string }[]>(['agent', 'pending'], {
      dir,
    });
    expect(draft).toMatchObject({ text: 'Use WAL.', runId: ended['run'] });
    expect((await watsJson<Listed>(['read', ask], { dir: asking.dir })).thread.posts).toHaveLength(1);
    expect((await wats(['agent', 'approve', draft?.id ?? '', '--yes'], { dir })).code).toBe(0);
    const answer = await eventually(async () =>
      (await watsJson<Listed>(['read', ask], { dir: asking.dir })).thread.posts.find(
        ({ parent }) => parent === ask,
      ),
    );
    expect(answer).toMatchObject({ kind: 'answer', text: 'Use WAL.' });

    // From the stored post to the model, and what of it is the gateway's own.
    const [request] = rows<{ key: string; body: string }>(dir, 'SELECT key, body FROM requests');
    tellTimes(dir, model.requests[0]?.at ?? 0, 'cold');

    // The same request again is the same turn.
    const replay = await hook(token, request?.body ?? '', request?.key);
    expect([replay.status, JSON.parse(replay.text)]).toEqual([
      200,
      expect.objectContaining({ completion: expect.objectContaining({ status: 'ok' }) }),
    ]);
    expect(model.requests).toHaveLength(2);

    // kill -9 of wats in the middle: the turn goes on, and is waited for again.
    slow = true;
    const ended2 = (said: RunningNode) =>
      said.saw(({ type, run }) => type === 'run_ended' && run !== ended['run']);
    await watsJson(['ask', 'And who is thinking?'], { dir: asking.dir });
    await eventually(() => model.requests.length === 3);
    tellTimes(dir, model.requests[2]?.at ?? 0, 'warm');
    answering.kill('SIGKILL');
    await answering.ended;
    answering = await node(dir, home.env);
    await eventually(
      async () =>
        (await watsJson<{ run: { state: string } | null }>(['status'], { dir })).run?.state !== 'ended',
    );
    expect(model.requests).toHaveLength(3);

    // Stopped by a person: the gateway's turn ends too.
    expect((await wats(['agent', 'stop'], { dir })).code).toBe(0);
    expect(await ended2(answering)).toMatchObject({ outcome: 'stopped' });
    expect(rows(dir, "SELECT message FROM runs WHERE outcome = 'stopped'")).toEqual([
      { message: 'The turn was stopped in OpenClaw.' },
    ]);

    // kill -9 of the gateway in the middle: nobody can know, and it is not repeated.
    await watsJson(['ask', 'And who is thinking now?'], { dir: asking.dir });
    await eventually(() => model.requests.length === 4);
    await gateway.kill('SIGKILL');
    slow = false;
    gateway = await home.start();
    await eventually(() => rows(dir, "SELECT id FROM runs WHERE n = 3 AND state = 'ended'").length === 1);
    expect(rows(dir, "SELECT state FROM wakes WHERE state <> 'done'")).toEqual([]);
    // OpenClaw resumes what its own end cut off: whoever looks late enough finds that turn in its list of sessions.
    const [last] = rows<{ outcome: string; message: string }>(
      dir,
      'SELECT outcome, message FROM runs WHERE n = 3',
    );
    expect(['unknown', 'ok']).toContain(last?.outcome);
    if (last?.outcome === 'ok') expect(last.message).toContain('what it answered at its end was lost');
    expect(rows(dir, 'SELECT outcome FROM runs WHERE n < 3 ORDER BY n')).toEqual(
      ['ok', 'stopped'].map((outcome) => ({ outcome })),
    );
    // No hook of ours has reached the new process.
    expect(gateway.log()).not.toContain('hook agent run');

    // Taken back: nothing of ours is left, and every earlier key has its value.
    const removed = await wats(['setup', 'openclaw', '--remove', '--yes'], { dir, env: home.env });
    expect([removed.code, removed.stderr]).toEqual([0, '']);
    const after = JSON.parse(readFileSync(home.configPath, 'utf8')) as Json;
    expect(JSON.stringify(after).replaceAll(home.root, '')).not.toContain('wats');
    expect(own(after)).toMatchObject(own(before) as Json);
    expect(readdirSync(dirname(home.configPath))).not.toContain('workspace-wats');
    expect((await hook(token, {})).status).not.toBe(400);
  },
);
