import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { openclawRuntime, type RunSpec } from '../../../src/runtimes/index.ts';
import { takeTurn } from '../../support/run-spec.ts';
import {
  book,
  deps,
  gatewayAt,
  json,
  OK,
  type Play,
  plain,
  ROOT,
  type Stub,
  spec,
  startStub,
  TOKEN,
} from './stub.ts';

async function run(
  stub: Pick<Stub, 'gateway'>,
  over: Parameters<typeof deps>[1] = {},
  more: Partial<RunSpec> = {},
) {
  const { spec: wanted, lines } = spec(more);
  const session = await openclawRuntime(deps(stub.gateway, over)).open(wanted, new AbortController().signal);
  const ready = await session.ready();
  if (!ready.ok) return { ending: ready.ending, lines, session };
  const { ending } = await takeTurn(session, 'Two posts wait.');
  await session.close();
  return { ending, lines, session };
}

test('a wake is forwarded as one request: token, key, conversation, limits, nothing delivered', async () => {
  const stub = await startStub([json(200, OK)]);
  const { ending } = await run(stub);
  expect(ending).toMatchObject({ outcome: 'ok', costMicroUsd: null, turns: null });
  expect(stub.hooks).toHaveLength(1);
  const [hooked] = stub.hooks;
  expect(hooked).toMatchObject({ method: 'POST', path: '/hooks/agent' });
  expect(hooked?.headers).toMatchObject({
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    'idempotency-key': 'r-0123456789ab',
  });
  const body = JSON.parse(hooked?.body ?? '') as Record<string, unknown>;
  expect(body).toEqual({
    message: expect.stringMatching(/^The posts below come from the public swarm\..*\n\nTwo posts wait\.$/s),
    name: 'wats',
    agentId: 'wats',
    sessionMode: 'persistent',
    sessionKey: `wats:${ROOT}`,
    deliver: false,
    wakeMode: 'next-heartbeat',
    timeoutSeconds: 60,
    waitForCompletion: true,
  });
});

test('a heartbeat and a person’s request share a conversation, and the model is named when it is set', async () => {
  const stub = await startStub([json(200, OK)]);
  await run(stub, {}, { session: 'heartbeat', model: 'anthropic/claude-haiku-4-5' });
  await run(stub, {}, { session: 'person', runId: 'r-2' });
  const bodies = stub.hooks.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  expect(bodies.map((body) => body['sessionKey'])).toEqual(['wats:heartbeat', 'wats:heartbeat']);
  expect(bodies.map((body) => body['model'])).toEqual(['anthropic/claude-haiku-4-5', undefined]);
});

test('it declares that nothing of a run is seen, and that a run takes one thread', () => {
  expect(openclawRuntime(deps(gatewayAt(1)))).toMatchObject({
    sees: { output: false, tokens: false, turns: false },
    oneThreadPerRun: true,
  });
});

/** Answer to the forward, what becomes of the run, and what its message must tell. */
const ANSWERS: readonly (readonly [string, Play, string, RegExp])[] = [
  ['a turn that ended', json(200, OK), 'ok', /closing text/],
  ['a silent turn', json(200, OK.replace('visible', 'silent')), 'ok', /no closing text/],
  ['a failed turn', json(200, OK.replace('"status":"ok"', '"status":"error"')), 'error', /openclaw logs/],
  ['a skipped turn', json(200, OK.replace('"status":"ok"', '"status":"skipped"')), 'error', /skipped/],
  [
    'a status of a later version',
    json(200, OK.replace('"status":"ok"', '"status":"odd"')),
    'unknown',
    /does not know/,
  ],
  ['an older gateway, without completion', json(200, '{"ok":true,"runId":"x"}'), 'unknown', /2026\.9/],
  ['a page instead of JSON', plain(200, '<html>hello</html>'), 'unknown', /not OpenClaw/],
  ['JSON of something else', json(200, '[1,2]'), 'unknown', /not OpenClaw/],
  ['an empty answer', plain(200, ''), 'unknown', /not OpenClaw/],
  ['a wrong token', plain(401, 'Unauthorized'), 'auth', /wats setup openclaw/],
  [
    'too many wrong tokens',
    plain(429, 'Too Many Requests', { 'retry-after': '60' }),
    'auth',
    /wats setup openclaw/,
  ],
  [
    'an unknown agent',
    json(400, '{"ok":false,"error":"unknown agentId \\"wats\\""}'),
    'config',
    /makes that agent/,
  ],
  [
    'an agent that is not allowed',
    json(400, '{"ok":false,"error":"agentId is not allowed by hooks.allowedAgentIds"}'),
    'config',
    /Add the agent/,
  ],
  ['an empty model', json(400, '{"ok":false,"error":"model required"}'), 'config', /agent\.model/],
  ['hooks that were turned off', plain(404, 'Not Found'), 'config', /hooks are off/],
  ['a method that is not taken', plain(405, 'Method Not Allowed', { allow: 'POST' }), 'config', /405/],
  ['a prompt that is too long', json(413, '{"ok":false,"error":"payload too large"}'), 'config', /256 KiB/],
  ['a redirect', plain(302, '', { location: 'http://127.0.0.1:1/' }), 'config', /redirect/],
  [
    'a conversation that is busy',
    json(503, '{"ok":false,"error":"hook agent run did not start before admission timeout","runId":"x"}'),
    'deferred',
    /admission timeout/,
  ],
  [
    'a gateway that stops',
    json(
      503,
      '{"error":{"message":"Gateway is temporarily unavailable while suspending or restarting","type":"service_unavailable","code":"gateway_unavailable"}}',
      { 'retry-after': '1' },
    ),
    'deferred',
    /suspending or restarting/,
  ],
  [
    'a turn that could not be prepared',
    json(502, '{"ok":false,"error":"hook agent run failed before entering the agent runner"}'),
    'deferred',
    /before entering/,
  ],
  ['a status that nobody documented', plain(418, 'teapot'), 'unknown', /418/],
];

test.each(ANSWERS)('%s', async (_what, play, outcome, message) => {
  const stub = await startStub([play]);
  const { ending } = await run(stub);
  expect(ending.outcome).toBe(outcome);
  expect(ending.message).toMatch(message);
  expect(stub.turns).toHaveLength(1);
});

test('a session key that is refused is asked for again without one, under a key of its own', async () => {
  const refusals = [
    'sessionKey is disabled for externally supplied hook payload values; set hooks.allowRequestSessionKey=true to enable',
    'sessionKey must start with one of: wats:, hook:',
    'hooks.allowedSessionKeyPrefixes is required when direct hook sessionMode is persistent',
  ];
  for (const error of refusals) {
    const stub = await startStub([json(400, JSON.stringify({ ok: false, error })), json(200, OK)]);
    const requests = book();
    const { ending, lines } = await run(stub, { requests });
    expect(ending.outcome).toBe('ok');
    expect(stub.turns).toEqual(['r-0123456789ab', 'r-0123456789ab:isolated']);
    const second = JSON.parse(stub.hooks[1]?.body ?? '') as Record<string, unknown>;
    expect([second['sessionMode'], second['sessionKey']]).toEqual(['isolated', undefined]);
    expect(lines.join('\n')).toContain('keeps no conversation of ours');
    expect(requests.of('r-0123456789ab')?.body).toBe(stub.hooks[1]?.body);
  }
});

test('a gateway that refuses a conversation even without a key is a setting to mend', async () => {
  const error =
    'sessionKey is disabled for externally supplied hook payload values; set hooks.allowRequestSessionKey=true to enable';
  const stub = await startStub([json(400, JSON.stringify({ ok: false, error }))]);
  expect((await run(stub)).ending.outcome).toBe('config');
  expect(stub.turns).toHaveLength(2);
});

test('a changed configuration is asked again once, then the wake is deferred', async () => {
  const changed = json(409, '{"ok":false,"error":"hook configuration changed; retry request"}');
  const once = await startStub([changed, json(200, OK)]);
  expect((await run(once)).ending.outcome).toBe('ok');
  expect(new Set(once.hooks.map(({ body }) => body)).size).toBe(1);
  const always = await startStub([changed]);
  expect((await run(always)).ending.outcome).toBe('deferred');
  expect(always.hooks).toHaveLength(2);
});

test('a gateway that is not there defers the wake, longer each time, and nothing counts as sent', async () => {
  const stub = await startStub([json(200, OK)]);
  await stub.close();
  const requests = book();
  let at = 1_800_000_000_000;
  const runtime = openclawRuntime(deps(stub.gateway, { requests, now: () => at }));
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    const session = await runtime.open(spec().spec, new AbortController().signal);
    const ready = await session.ready();
    if (ready.ok) throw new Error('nobody is there');
    expect(ready.ending.outcome).toBe('deferred');
    expect(ready.ending.message).toContain('ECONNREFUSED');
    waits.push((ready.ending.resetAt ?? 0) - at);
    at += 3_600_000;
  }
  expect(waits).toEqual([15_000, 30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
  expect(requests.kept).toEqual([]);
});

test('a gateway that names how long to wait is believed', async () => {
  const stub = await startStub([
    json(503, '{"error":{"message":"Gateway is temporarily unavailable"}}', { 'retry-after': '7' }),
  ]);
  const { ending } = await run(stub, { now: () => 1_800_000_000_000 });
  expect(ending.resetAt).toBe(1_800_000_007_000);
});

test('an answer of 100 MB is not read to its end', async () => {
  let written = 0;
  const stub = await startStub([
    (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1_000_000, 'x');
      const more = (): void => {
        while (written < 100_000_000 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    },
  ]);
  const { ending } = await run(stub);
  expect(ending.outcome).toBe('unknown');
  expect(ending.message).toContain('too long');
  expect(written).toBeLessThan(30_000_000);
});

const never: Play = () => undefined;

test('a gateway that never answers is asked once more for the same run, then given up on; the wake is not repeated', async () => {
  const stub = await startStub([never], { joined: never });
  const waits = { admissionMs: 50, marginMs: 50, againMs: 10, lookMs: 500 };
  const { ending } = await run(stub, { waits }, { timeoutMs: 100 });
  expect(ending.outcome).toBe('unknown');
  expect(stub.turns).toHaveLength(1);
  expect(stub.hooks).toHaveLength(2);
});

test('an answer that comes after the deadline is still heard by asking again with the same key', async () => {
  const stub = await startStub([never]);
  const waits = { admissionMs: 50, marginMs: 50, againMs: 10, lookMs: 500 };
  const { ending } = await run(stub, { waits }, { timeoutMs: 100 });
  expect(ending.outcome).toBe('ok');
  expect(stub.turns).toHaveLength(1);
});

test('a name that leads out of the private network gets neither a connection nor the token', async () => {
  const stub = await startStub([json(200, OK)]);
  const gateway = { ...gatewayAt(stub.port, hostname()), reaches: () => false };
  const session = await openclawRuntime(deps(gateway)).open(spec().spec, new AbortController().signal);
  const ready = await session.ready();
  expect(ready).toMatchObject({ ok: false, ending: { outcome: 'deferred' } });
  expect(stub.knocks).toBe(0);
});
