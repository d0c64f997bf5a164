import { expect, test } from 'vitest';
import { type OpenclawDeps, openclawRuntime } from '../../../src/runtimes/index.ts';
import { takeTurn } from '../../support/run-spec.ts';
import { book, deps, json, OK, type Play, plain, ROOT, type Stub, spec, startStub } from './stub.ts';

const RUN = 'r-0123456789ab';
const cutOff: Play = (response) => response.socket?.resetAndDestroy();

async function run(stub: Stub, over: Partial<OpenclawDeps> = {}) {
  const session = await openclawRuntime(deps(stub.gateway, over)).open(
    spec().spec,
    new AbortController().signal,
  );
  expect(await session.ready()).toEqual({ ok: true });
  const { ending } = await takeTurn(session, 'A post waits.');
  return ending;
}

test('a lost connection asks again with the same key and the same bytes, and joins the turn', async () => {
  const stub = await startStub([cutOff]);
  expect((await run(stub)).outcome).toBe('ok');
  expect(stub.turns).toEqual([RUN]);
  expect(stub.hooks).toHaveLength(2);
  expect(new Set(stub.hooks.map(({ body, headers }) => `${headers['idempotency-key']} ${body}`)).size).toBe(
    1,
  );
});

test('an answer that breaks off in the middle is a lost connection', async () => {
  const stub = await startStub([
    (response) => {
      response.writeHead(200, { 'content-length': 500 });
      response.write(OK.slice(0, 40), () => response.socket?.resetAndDestroy());
    },
  ]);
  expect((await run(stub)).outcome).toBe('ok');
  expect(stub.turns).toEqual([RUN]);
});

test('a page of a proxy in the gateway’s place is a lost connection: the same request goes out again', async () => {
  for (const status of [500, 502, 503, 504]) {
    const stub = await startStub([plain(status, '<html>Bad Gateway</html>'), json(200, OK)]);
    expect((await run(stub)).outcome).toBe('ok');
    expect(stub.hooks).toHaveLength(2);
    expect(new Set(stub.hooks.map(({ body, headers }) => `${headers['idempotency-key']} ${body}`)).size).toBe(
      1,
    );
  }
});

test('a gateway that was started anew is not asked again: the run ends as unknown', async () => {
  const stub = await startStub([(_response, _hooked, self) => self.restart()]);
  const ending = await run(stub);
  expect(ending.outcome).toBe('unknown');
  expect(ending.message).toContain('started anew');
  expect(stub.hooks).toHaveLength(1);
});

test('a gateway that is gone leaves a run whose end is not known', async () => {
  const stub = await startStub([(_response, _hooked, self) => void self.close()]);
  const ending = await run(stub, { waits: { againMs: 10, lookMs: 100, rememberedMs: 400 } });
  expect(ending.outcome).toBe('unknown');
});

test('where nobody says how long the gateway has been up, a lost answer is not asked for again', async () => {
  for (const ready of ['silent', 'none'] as const) {
    const stub = await startStub([cutOff], { ready });
    expect((await run(stub)).outcome).toBe('unknown');
    expect(stub.hooks).toHaveLength(1);
  }
});

test('what a gateway refuses after it had the request gives no wake back', async () => {
  for (const status of [400, 401, 403, 404, 413, 302]) {
    const stub = await startStub([cutOff], { joined: plain(status, 'no') });
    expect((await run(stub)).outcome).toBe('unknown');
    expect(stub.hooks).toHaveLength(2);
  }
});

test('a gateway that is not itself just now is asked again for the same run', async () => {
  for (const status of [409, 429, 500, 502, 503, 504]) {
    let times = 0;
    const joined: Play = (response, hooked, self) =>
      (++times < 3 ? json(status, '{"ok":false,"error":"not now"}') : json(200, OK))(response, hooked, self);
    const stub = await startStub([cutOff], { joined });
    expect((await run(stub)).outcome).toBe('ok');
    expect(stub.turns).toEqual([RUN]);
    expect(stub.hooks).toHaveLength(4);
  }
});

test('a connection that breaks again and again ends, and never began a second turn', async () => {
  const stub = await startStub([cutOff], { joined: cutOff });
  expect((await run(stub)).outcome).toBe('unknown');
  expect(stub.turns).toEqual([RUN]);
});

test('after a sleep that outlasted the gateway’s memory nothing is asked again', async () => {
  let skew = 0;
  const stub = await startStub([
    (response, hooked, self) => {
      skew = 400_000;
      return cutOff(response, hooked, self);
    },
  ]);
  const ending = await run(stub, {
    now: () => Date.now() + skew,
    waits: { againMs: 10, rememberedMs: 240_000, aliveMs: 30_000 },
  });
  expect(ending.outcome).toBe('unknown');
  expect(stub.hooks).toHaveLength(1);
});

test('a clock that was set back proves nothing about the gateway', async () => {
  let skew = 0;
  const stub = await startStub([
    (response, hooked, self) => {
      skew = -600_000;
      return cutOff(response, hooked, self);
    },
  ]);
  expect((await run(stub, { now: () => Date.now() + skew })).outcome).toBe('unknown');
  expect(stub.hooks).toHaveLength(1);
});

test('what was lost is looked up in OpenClaw’s own list of sessions', async () => {
  const key = `agent:wats:wats:${ROOT}`;
  const cases: readonly (readonly [string, number, string])[] = [
    ['done', 0, 'ok'],
    ['timeout', 0, 'timeout'],
    ['killed', 0, 'stopped'],
    ['failed', 0, 'unknown'],
    ['running', 0, 'unknown'],
    ['done', -3_600_000, 'unknown'],
  ];
  for (const [status, age, outcome] of cases) {
    const stub = await startStub([(_response, _hooked, self) => self.restart()]);
    const ask = async (args: readonly string[]): Promise<string | null> =>
      args[0] === 'sessions'
        ? JSON.stringify({
            sessions: [
              { key: 'agent:wats:wats:other', status: 'done', updatedAt: Date.now() },
              { key, status, updatedAt: Date.now() + age },
            ],
          })
        : null;
    expect((await run(stub, { ask })).outcome).toBe(outcome);
  }
});

test('a failed turn that OpenClaw ended for its time is a timeout, and one that was killed there was stopped', async () => {
  const failed = json(200, OK.replace('"status":"ok"', '"status":"error"'));
  const key = `agent:wats:wats:${ROOT}`;
  for (const [status, outcome] of [
    ['timeout', 'timeout'],
    ['killed', 'stopped'],
    ['failed', 'error'],
    ['done', 'error'],
  ] as const) {
    const stub = await startStub([failed]);
    const ask = async () => JSON.stringify({ sessions: [{ key, status, updatedAt: Date.now() }] });
    expect((await run(stub, { ask })).outcome).toBe(outcome);
  }
  const stub = await startStub([failed]);
  expect((await run(stub, { ask: async () => 'not JSON' })).outcome).toBe('error');
});

test('a run that is stopped is stopped in the gateway too', async () => {
  const asked: (readonly string[])[] = [];
  const stub = await startStub([() => undefined]);
  const ask = async (args: readonly string[]): Promise<string> => {
    asked.push(args);
    return '{"ok": true, "status": "aborted"}';
  };
  const session = await openclawRuntime(deps(stub.gateway, { ask })).open(
    spec().spec,
    new AbortController().signal,
  );
  await session.ready();
  const turn = takeTurn(session, 'A post waits.');
  await expect.poll(() => stub.hooks.length).toBe(1);
  session.interrupt('stopped');
  const { ending } = await turn;
  expect(ending).toMatchObject({ outcome: 'stopped', message: 'The turn was stopped in OpenClaw.' });
  expect(asked).toEqual([
    [
      'gateway',
      'call',
      'sessions.abort',
      '--params',
      JSON.stringify({ key: `agent:wats:wats:${ROOT}` }),
      '--json',
    ],
  ]);
});

test('a run that cannot be stopped in the gateway says so', async () => {
  const stub = await startStub([() => undefined]);
  const session = await openclawRuntime(deps(stub.gateway)).open(spec().spec, new AbortController().signal);
  await session.ready();
  const turn = takeTurn(session, 'A post waits.');
  await expect.poll(() => stub.hooks.length).toBe(1);
  session.interrupt('stopped');
  expect((await turn).ending.message).toContain('may go on');
});

test('the exact request is kept before it leaves, and marked as sent', async () => {
  const requests = book();
  let before: unknown;
  const stub = await startStub([
    (response, hooked, self) => {
      before = requests.of(RUN);
      return json(200, OK)(response, hooked, self);
    },
  ]);
  await run(stub, { requests });
  expect(before).toMatchObject({ run: RUN, key: RUN, body: stub.hooks[0]?.body, sentAt: expect.any(Number) });
});

test('a request that cannot be kept is not sent', async () => {
  const stub = await startStub([json(200, OK)]);
  const requests = {
    ...book(),
    keep: () => {
      throw new Error('disk full');
    },
  };
  await expect(run(stub, { requests })).rejects.toThrow('disk full');
  expect(stub.hooks).toEqual([]);
});

test('a fault of ours after the request left does not give its wakes back', async () => {
  const stub = await startStub([cutOff]);
  let calls = 0;
  const requests = {
    ...book(),
    alive: () => {
      calls++;
      throw new Error('disk full');
    },
  };
  expect((await run(stub, { requests })).outcome).toBe('unknown');
  expect(calls).toBeGreaterThan(0);
});

/** What a daemon left that was killed while a turn went on. */
async function left(stub: Stub, over: Partial<OpenclawDeps> = {}) {
  const requests = book();
  const first = openclawRuntime(deps(stub.gateway, { ...over, requests }));
  const session = await first.open(spec().spec, new AbortController().signal);
  await session.ready();
  void takeTurn(session, 'A post waits.').catch(() => undefined);
  await expect.poll(() => stub.hooks.length).toBe(1);
  const kept = requests.of(RUN);
  if (kept === null) throw new Error('nothing was kept');
  await session.close();
  return { requests, kept };
}

test('a daemon that was killed asks the same gateway again and begins no second turn', async () => {
  const stub = await startStub([() => undefined]);
  const { requests, kept } = await left(stub);
  const rejoined = openclawRuntime(deps(stub.gateway, { requests })).rejoin?.(
    spec().spec,
    new AbortController().signal,
  );
  expect(await rejoined?.ended).toMatchObject({ outcome: 'ok' });
  expect(stub.turns).toEqual([RUN]);
  expect(stub.hooks.map(({ body }) => body)).toEqual([kept.body, kept.body]);
});

test('what never left is not rejoined, and neither is a run that nothing was kept of', () => {
  const requests = book();
  const runtime = openclawRuntime(
    deps(
      {
        origin: 'http://127.0.0.1:1',
        hooksPath: '/hooks',
        host: '127.0.0.1',
        clear: 'loopback',
        reaches: () => true,
      },
      { requests },
    ),
  );
  expect(runtime.rejoin?.(spec().spec, new AbortController().signal)).toBeNull();
  requests.keep({
    run: RUN,
    url: 'x',
    key: RUN,
    body: '{}',
    tokenHash: 'x',
    timeoutMs: 1,
    sentAt: null,
    aliveAt: 0,
  });
  expect(runtime.rejoin?.(spec().spec, new AbortController().signal)).toBeNull();
});

test('a killed daemon’s run is not asked for again when the gateway, the token or the time is another one', async () => {
  const stub = await startStub([() => undefined]);
  const { requests, kept } = await left(stub);
  const again = async (over: Partial<OpenclawDeps>): Promise<string | undefined> => {
    requests.now.set(RUN, kept);
    const runtime = openclawRuntime(deps(stub.gateway, { requests, ...over }));
    return (await runtime.rejoin?.(spec().spec, new AbortController().signal)?.ended)?.outcome;
  };
  expect(await again({ token: () => 'c'.repeat(64) })).toBe('unknown');
  expect(await again({ token: () => null })).toBe('unknown');
  expect(await again({ gateway: { ...stub.gateway, hooksPath: '/other' } })).toBe('unknown');
  expect(await again({ now: () => Date.now() + 6_000 })).toBe('unknown');
  stub.restart();
  expect(await again({})).toBe('unknown');
  expect(stub.hooks).toHaveLength(1);
});
