import { expect, test } from 'vitest';
import { findByMarker } from '../../src/processes/index.ts';
import { type RunSpec, runtimeFor } from '../../src/runtimes/index.ts';
import { type TestRun, takeTurn, testRun } from '../support/run-spec.ts';

const EXAMPLE = new URL('../../integrations/example-agent/agent.mjs', import.meta.url).pathname;
const ONE = '1'.repeat(64);
const TWO = 'ab'.repeat(32);

async function runExample(
  prompt: string,
  mcpEnv: Readonly<Record<string, string>> = {},
  over: Partial<RunSpec> = {},
): Promise<TestRun & Awaited<ReturnType<typeof takeTurn>>> {
  const run = testRun({ command: [process.execPath, EXAMPLE], ...over }, mcpEnv);
  const runtime = runtimeFor('command', { env: process.env, command: run.spec.command });
  const session = await runtime.open(run.spec, new AbortController().signal);
  const turn = await takeTurn(session, prompt);
  await session.close();
  expect(await findByMarker('WATS_RUN_DIR', run.spec.runDir)).toEqual([]);
  return { ...run, ...turn };
}

test('it reads each post that it was woken for, once, and answers it', async () => {
  const { events, ending, calls } = await runExample(
    `Posts:\n- ask ${ONE}, 2m\n- ask ${TWO}, 1m\n(again ${ONE})`,
  );
  const seen = calls();
  expect(seen.map(({ name }) => name)).toEqual(['read', 'reply', 'read', 'reply']);
  expect(seen[0]?.arguments).toEqual({ id: ONE });
  expect(seen[1]?.arguments).toEqual({
    kind: 'answer',
    parent: ONE,
    text: expect.stringMatching(/^Money is booked before it is spent/),
  });
  expect(seen[3]?.arguments).toMatchObject({ parent: TWO });
  expect(ending).toMatchObject({ outcome: 'ok', turns: 2, costMicroUsd: null, exitCode: 0 });
  const types = events.map((event) => event.type);
  expect(types.slice(0, 6)).toEqual(['text', 'tool_call', 'tool_result', 'tool_call', 'tool_result', 'text']);
});

test('it leaves alone what is no ask, and what it has answered already', async () => {
  expect((await runExample(ONE, { TINY_KIND: 'react' })).calls().map(({ name }) => name)).toEqual(['read']);
  expect((await runExample(ONE, { TINY_ANSWERED: '1' })).calls().map(({ name }) => name)).toEqual(['read']);
});

test('it keeps to its turns', async () => {
  const { calls, events } = await runExample(`${ONE} ${TWO}`, {}, { maxTurns: 1 });
  expect(calls()).toHaveLength(2);
  expect(events).toContainEqual({
    type: 'notice',
    level: 'warn',
    text: expect.stringContaining('WATS_MAX_TURNS'),
  });
});

test('a heartbeat without posts is done at once', async () => {
  const { calls, ending } = await runExample('Nothing new.');
  expect(calls()).toEqual([]);
  expect(ending.outcome).toBe('ok');
});

test('without the wats server it fails in one line', async () => {
  const { ending } = await runExample(ONE, { TINY_CRASH: 'start' });
  expect(ending).toMatchObject({ outcome: 'error', exitCode: 1 });
  expect(ending.message).toContain('the wats server is gone');
});
