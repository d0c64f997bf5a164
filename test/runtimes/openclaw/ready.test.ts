import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OpenclawDeps, openclawRuntime, usableToken } from '../../../src/runtimes/index.ts';
import { admitSpend } from '../../../src/runtimes/openclaw/spend.ts';
import { deps, json, OK, type Play, plain, type Stub, spec, startStub, TOKEN } from './stub.ts';

const NOW = Date.UTC(2026, 10, 30, 14, 0, 0);
const BUDGET = { by: 'wats', dayMicroUsd: 2_000_000, monthMicroUsd: 20_000_000 } as const;

async function ready(stub: Pick<Stub, 'gateway'>, over: Partial<OpenclawDeps> = {}) {
  const session = await openclawRuntime(deps(stub.gateway, { now: () => NOW, ...over })).open(
    spec().spec,
    new AbortController().signal,
  );
  const found = await session.ready();
  return found.ok ? null : found.ending;
}

/** `openclaw gateway usage-cost --json` with a cost a day [seen]. */
function usage(
  days: Readonly<Record<string, number>>,
  more: { missing?: number; status?: string } = {},
): string {
  return JSON.stringify({
    daily: Object.entries(days).map(([date, totalCost]) => ({
      date,
      input: 1,
      output: 1,
      totalCost,
      missingCostEntries: date === '2026-11-30' ? (more.missing ?? 0) : 0,
    })),
    totals: { totalCost: 999 },
    cacheStatus: { status: more.status ?? 'fresh' },
  });
}

test('a look before each forward costs nothing and forwards nothing', async () => {
  const stub = await startStub([json(200, OK)]);
  expect(await ready(stub)).toBeNull();
  expect([stub.knocks, stub.hooks.length]).toEqual([1, 0]);
});

const KNOCKS: readonly (readonly [string, Play, string])[] = [
  ['no hooks there', plain(404, 'Not Found'), 'config'],
  ['a redirect', plain(301, '', { location: 'https://example.com' }), 'config'],
  ['another program that takes anything', plain(200, 'ok'), 'config'],
  ['another program that answers 400', plain(400, 'Bad Request'), 'config'],
  ['a broken gateway', plain(500, 'oops'), 'config'],
  ['a wrong token', plain(401, 'Unauthorized'), 'auth'],
  ['a throttled machine', plain(429, 'Too Many Requests', { 'retry-after': '60' }), 'auth'],
  ['a gateway that is starting', json(503, '{"error":{"message":"unavailable"}}'), 'deferred'],
];

test.each(KNOCKS)('with %s nothing is forwarded', async (_what, knock, outcome) => {
  const stub = await startStub([json(200, OK)], { knock });
  expect((await ready(stub))?.outcome).toBe(outcome);
  expect(stub.hooks).toEqual([]);
});

test('a gateway that never answers a look defers the wake', async () => {
  const stub = await startStub([json(200, OK)], { knock: () => undefined });
  expect(await ready(stub, { waits: { lookMs: 50 } })).toMatchObject({ outcome: 'deferred' });
});

test('a hook token that is none never leaves', async () => {
  const stub = await startStub([json(200, OK)]);
  for (const token of [
    null,
    '',
    ' \n',
    'short',
    `\${WATS_OPENCLAW_HOOKS_TOKEN}`,
    `\${ANYTHING}`,
    'two words here',
    `${TOKEN}\r\nX-Evil: 1`,
    'ü'.repeat(20),
  ]) {
    const ending = await ready(stub, { token: () => token });
    expect(ending?.outcome).toBe('config');
  }
  expect(stub.knocks).toBe(0);
  expect(usableToken(`${TOKEN}\n`)).toEqual({ ok: true, token: TOKEN });
});

test('what the agent spent is read from OpenClaw before each forward', async () => {
  const stub = await startStub([json(200, OK)]);
  const asked: (readonly string[])[] = [];
  const ask = async (args: readonly string[]) => {
    asked.push(args);
    return usage({ '2026-11-29': 5, '2026-11-30': 1.5 });
  };
  expect(await ready(stub, { ask, spend: BUDGET })).toBeNull();
  expect(asked).toEqual([['gateway', 'usage-cost', '--agent', 'wats', '--days', '31', '--json']]);
});

test('figures that are being refreshed are asked for twice', async () => {
  const stub = await startStub([json(200, OK)]);
  const answers = [usage({ '2026-11-30': 0 }, { status: 'refreshing' }), usage({ '2026-11-30': 1.99 })];
  const ending = await ready(stub, { ask: async () => answers.shift() ?? null, spend: BUDGET });
  expect(ending?.message).toContain('$1.99 of $2.00');
});

test('a spent day waits for midnight UTC, a spent month for the next one', async () => {
  const stub = await startStub([json(200, OK)]);
  const day = await ready(stub, { ask: async () => usage({ '2026-11-30': 1.99 }), spend: BUDGET });
  expect(day).toMatchObject({ outcome: 'deferred', resetAt: Date.UTC(2026, 11, 1) });
  const month = await ready(stub, {
    now: () => Date.UTC(2026, 10, 12, 9),
    ask: async () => usage({ '2026-10-31': 500, '2026-11-02': 12, '2026-11-11': 8 }),
    spend: BUDGET,
  });
  expect(month).toMatchObject({ outcome: 'deferred', resetAt: Date.UTC(2026, 11, 1) });
  expect(month?.message).toContain('month');
  expect(
    await ready(stub, {
      now: () => Date.UTC(2026, 10, 12, 9),
      ask: async () => usage({ '2026-10-31': 500, '2026-11-11': 19.9 }),
      spend: BUDGET,
    }),
  ).toBeNull();
});

test('without a price, without figures or with figures that make no sense nothing is forwarded', async () => {
  const stub = await startStub([json(200, OK)]);
  const cases: readonly (readonly [string | null, RegExp])[] = [
    [usage({ '2026-11-30': 0 }, { missing: 1 }), /no price/],
    [null, /cannot be read/],
    ['', /cannot be read/],
    ['{"totals":{"totalCost":0}}', /cannot be read/],
    [usage({ '2026-11-30': -5 }), /cannot be read/],
    [usage({ '2026-11-30': 1e12 }), /cannot be read/],
    [usage({ yesterday: 0 }), /cannot be read/],
  ];
  for (const [text, message] of cases) {
    const ending = await ready(stub, { ask: async () => text, spend: BUDGET });
    expect(ending?.outcome).toBe('config');
    expect(ending?.message).toMatch(message);
    expect(ending?.message).toContain('managed');
  }
});

test('a budget that OpenClaw manages is not read', async () => {
  const stub = await startStub([json(200, OK)]);
  const ask = async () => {
    throw new Error('asked');
  };
  expect(await ready(stub, { ask, spend: { by: 'openclaw' } })).toBeNull();
});

test('no spend that is read lets a forward pass a budget', () => {
  const money = fc.integer({ min: 0, max: 100_000_000 });
  fc.assert(
    fc.property(
      money,
      money,
      money,
      money,
      fc.integer({ min: 0, max: 2 }),
      (day, month, dayLimit, monthLimit, unpriced) => {
        const verdict = admitSpend(
          { by: 'wats', dayMicroUsd: dayLimit, monthMicroUsd: monthLimit },
          { dayMicroUsd: day, monthMicroUsd: month, unpriced },
        );
        const room = day + 20_000 <= dayLimit && month + 20_000 <= monthLimit && unpriced === 0;
        expect(verdict.kind === 'go').toBe(room);
      },
    ),
  );
});

test('a run that is stopped while it gets ready was stopped, whatever else was wrong', async () => {
  const stub = await startStub([json(200, OK)], { knock: () => undefined });
  const session = await openclawRuntime(deps(stub.gateway)).open(spec().spec, new AbortController().signal);
  const waiting = session.ready();
  await expect.poll(() => stub.knocks).toBe(1);
  session.interrupt('stopped');
  expect(await waiting).toMatchObject({ ok: false, ending: { outcome: 'stopped' } });
});

async function probe(stub: Pick<Stub, 'gateway'>, over: Partial<OpenclawDeps> = {}) {
  return openclawRuntime(deps(stub.gateway, over)).probe(AbortSignal.timeout(5000));
}

test('a probe finds a gateway that takes the right token and no other', async () => {
  const stub = await startStub([json(200, OK)]);
  expect(await probe(stub)).toMatchObject({ found: true, loggedIn: true, problem: null, reportsCost: false });
  expect(stub.hooks).toEqual([]);
});

test('a gateway that takes the literal of the template is refused: everybody knows that text', async () => {
  const stub = await startStub([json(200, OK)], { also: `\${WATS_OPENCLAW_HOOKS_TOKEN}` });
  const found = await probe(stub);
  expect(found.problem?.message).toContain(`literal \${WATS_OPENCLAW_HOOKS_TOKEN}`);
});

test('a probe tells a wrong token, missing hooks, nobody and no token apart', async () => {
  const stub = await startStub([json(200, OK)], { token: 'd'.repeat(64) });
  expect(await probe(stub)).toMatchObject({
    found: true,
    loggedIn: false,
    problem: { fix: 'wats setup openclaw --agent' },
  });
  const off = await startStub([json(200, OK)], { hooks: 'off' });
  expect(await probe(off)).toMatchObject({
    found: true,
    loggedIn: null,
    problem: { message: expect.stringContaining('hooks are off') },
  });
  await off.close();
  expect(await probe(off)).toMatchObject({
    found: false,
    loggedIn: null,
    problem: { fix: 'Start it: openclaw gateway run' },
  });
  expect(await probe(off, { token: () => null })).toMatchObject({ found: false, loggedIn: false });
});

test('who holds the dollars is said at every level', async () => {
  const stub = await startStub([json(200, OK)]);
  const read = await probe(stub, { spend: BUDGET });
  const managed = await probe(stub, { spend: { by: 'openclaw' } });
  for (const level of ['locked', 'workspace', 'inherit'] as const) {
    expect(read.enforces[level].unguarded.join()).toContain('lower bound');
    expect(managed.enforces[level].unguarded.join()).toContain('managed by OpenClaw');
  }
});
