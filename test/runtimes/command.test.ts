import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findByMarker, isAlive } from '../../src/processes/index.ts';
import { type RunSpec, runtimeFor, type Session } from '../../src/runtimes/index.ts';
import { type TestRun, takeTurn, testRun } from '../support/run-spec.ts';

const AGENT = new URL('./programs/agent.mjs', import.meta.url).pathname;

interface Opened extends TestRun {
  readonly session: Session;
}

async function open(steps: readonly string[], over: Partial<RunSpec> = {}, stepMs = 5000): Promise<Opened> {
  const run = testRun({ command: [process.execPath, AGENT, ...steps], ...over });
  const runtime = runtimeFor('command', { env: process.env, command: run.spec.command, stepMs });
  const session = await runtime.open(run.spec, new AbortController().signal);
  expect(await session.ready()).toEqual({ ok: true });
  return { ...run, session };
}

const event = (value: unknown): string => `say:${JSON.stringify(value)}`;

test('the prompt arrives on stdin, each line is an event or text, and exit 0 is ok', async () => {
  const { session, lines } = await open([
    'prompt',
    'say:plain words',
    event({ type: 'tool_call', id: 7, name: 'read', args: { id: 'x' } }),
    event({ type: 'tool_result', id: 7, ok: false, text: 'no' }),
    event({ type: 'notice', level: 'warn', text: 'careful' }),
    event({ type: 'usage', turns: 2, cost_usd: 0.0123456, input_tokens: 5, output_tokens: 6 }),
    event({ type: 'surprise' }),
    'raw:{"type":"text","text":"no newline"}',
  ]);
  const { events, ending } = await takeTurn(session, 'wake up\nnow');
  expect(events.slice(0, -1)).toEqual([
    { type: 'text', text: 'wake up\nnow' },
    { type: 'text', text: 'plain words' },
    { type: 'tool_call', callId: '7', name: 'read', args: { id: 'x' } },
    { type: 'tool_result', callId: '7', ok: false, text: 'no' },
    { type: 'notice', level: 'warn', text: 'careful' },
    { type: 'usage', turns: 2, costMicroUsd: 12_346, inputTokens: 5, outputTokens: 6 },
    { type: 'text', text: '{"type":"surprise"}' },
    { type: 'text', text: 'no newline' },
  ]);
  expect(ending).toEqual({
    outcome: 'ok',
    message: 'It finished.',
    costMicroUsd: 12_346,
    turns: 2,
    resetAt: null,
    exitCode: 0,
    signal: null,
  });
  expect(lines[1]).toBe('plain words');
  expect(lines.at(-1)).toBe('{"type":"text","text":"no newline"}');
  await session.close();
});

test('a program learns its run, its limits and how to reach wats', async () => {
  const { session, spec } = await open(['env'], {
    maxMicroUsd: 400_000,
    maxTurns: 3,
    env: { PATH: '/bin', MINE: '1' },
  });
  const { events } = await takeTurn(session, 'x');
  const env = JSON.parse((events[0] as { text: string }).text) as Record<string, string>;
  delete env['__CF_USER_TEXT_ENCODING'];
  const config = join(spec.runDir, 'mcp.json');
  expect(env).toEqual({
    PATH: '/bin',
    MINE: '1',
    WATS_MCP_CONFIG: config,
    WATS_RUN_ID: 'r-1',
    WATS_RUN_DIR: spec.runDir,
    WATS_MAX_TURNS: '3',
    WATS_MAX_USD: '0.4',
  });
  expect(statSync(config).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
    mcpServers: { wats: { ...spec.mcp, env: { ...spec.mcp.env, WATS_RUN_DIR: spec.runDir } } },
  });
  await session.close();
});

test('without a cap there is no WATS_MAX_USD, and without a report no cost', async () => {
  const { session } = await open(['env', event({ type: 'usage', turns: 1, cost_usd: -3 })]);
  const { events, ending } = await takeTurn(session, 'x');
  expect((events[0] as { text: string }).text).not.toContain('WATS_MAX_USD');
  expect(ending).toMatchObject({ outcome: 'ok', costMicroUsd: null, turns: 1 });
  await session.close();
});

test('a failure is told with the exit code and the last words', async () => {
  const { session } = await open(['err:first', 'err:  the disk is full  ', 'exit:3']);
  const { ending } = await takeTurn(session, 'x');
  expect(ending).toMatchObject({ outcome: 'error', exitCode: 3 });
  expect(ending.message).toBe('It failed with exit code 3. Its last words: the disk is full');
  await session.close();
});

test('a program killed from outside is an error that names the signal', async () => {
  const { session, spawned } = await open(['say:here', 'wait']);
  const { ending } = await takeTurn(session, 'x', (seen) => {
    if (seen.type === 'text') process.kill(spawned[0]?.pid ?? 0, 'SIGKILL');
  });
  expect(ending).toMatchObject({ outcome: 'error', signal: 'SIGKILL', exitCode: null });
  await session.close();
});

test('a program that never reads its prompt still ends as it ends', async () => {
  const { session } = await open(['exit:0']);
  const { ending } = await takeTurn(session, 'x'.repeat(1 << 20));
  expect(ending.outcome).toBe('ok');
  await session.close();
});

test('a stop is an interrupt first, so that the program can say what it cost', async () => {
  const { session } = await open([
    `graceful:${JSON.stringify({ type: 'usage', cost_usd: 0.5 })}`,
    'say:ready',
    'wait',
  ]);
  const { ending } = await takeTurn(session, 'x', (seen) => {
    if (seen.type === 'text') session.interrupt('stopped');
  });
  expect(ending).toMatchObject({ outcome: 'stopped', costMicroUsd: 500_000, exitCode: 0 });
  await session.close();
});

test('a program that ignores the interrupt and SIGTERM is killed', async () => {
  const { session, spawned } = await open(['stubborn', 'say:ready', 'wait'], {}, 100);
  const { ending } = await takeTurn(session, 'x', (seen) => {
    if (seen.type === 'text') session.interrupt('stopped');
  });
  expect(ending).toMatchObject({ outcome: 'stopped', signal: 'SIGKILL' });
  expect(await isAlive(spawned[0] ?? { pid: 0, startToken: '' })).toBe(false);
  await session.close();
});

test('a turn over its time ends as timeout', async () => {
  const { session } = await open(['say:x', 'wait'], { timeoutMs: 300 });
  const { ending } = await takeTurn(session, 'x');
  expect(ending).toMatchObject({ outcome: 'timeout', signal: 'SIGINT' });
  await session.close();
});

test('silence is a stall, unless a tool is running', async () => {
  const silent = await open(['say:x', 'wait'], { stallTimeoutMs: 200 });
  expect((await takeTurn(silent.session, 'x')).ending.outcome).toBe('stalled');
  await silent.session.close();

  const waiting = await open([event({ type: 'tool_call', id: 1, name: 'search' }), 'wait'], {
    stallTimeoutMs: 1500,
    timeoutMs: 4000,
  });
  expect((await takeTurn(waiting.session, 'x')).ending.outcome).toBe('timeout');
  await waiting.session.close();
});

test('a line over 8 MiB ends the run as an error, and one just under it does not', async () => {
  const over = await open([`flood:${8 * 1024 * 1024 + 1}`, 'wait']);
  expect((await takeTurn(over.session, 'x')).ending).toMatchObject({
    outcome: 'error',
    message: 'It printed a line of more than 8 MiB.',
  });
  await over.session.close();

  const under = await open([`flood:${8 * 1024 * 1024}`]);
  expect((await takeTurn(under.session, 'x')).ending.outcome).toBe('ok');
  await under.session.close();
});

test('more than 64 MiB in all ends the run as an error, and the transcript stays under it', async () => {
  const { session, lines } = await open(['lines:70,1048576', 'wait']);
  const { ending } = await takeTurn(session, 'x');
  expect(ending).toMatchObject({ outcome: 'error', message: 'It printed more than 64 MiB.' });
  expect(lines.length).toBe(63);
  await session.close();
});

test('a program that reports more turns or money than it may is interrupted', async () => {
  const turns = await open([event({ type: 'usage', turns: 4 }), 'wait'], { maxTurns: 3 });
  expect((await takeTurn(turns.session, 'x')).ending).toMatchObject({ outcome: 'max_turns', turns: 4 });
  await turns.session.close();

  const money = await open([event({ type: 'usage', cost_usd: 0.6 }), 'wait'], { maxMicroUsd: 500_000 });
  expect((await takeTurn(money.session, 'x')).ending).toMatchObject({
    outcome: 'max_usd',
    costMicroUsd: 600_000,
  });
  await money.session.close();
});

test('a helper that holds the output open neither delays the ending nor survives the close', async () => {
  const run = testRun();
  const pidFile = join(run.spec.runDir, 'helper.pid');
  const { session, spec } = await open([`helper:${pidFile}`, 'say:done', 'exit:0']);
  expect((await takeTurn(session, 'x')).ending.outcome).toBe('ok');
  const helper = (await findByMarker('WATS_RUN_DIR', spec.runDir)).map((row) => row.pid);
  expect(helper).toContain(Number(readFileSync(pidFile, 'utf8')));
  await session.close();
  expect(await findByMarker('WATS_RUN_DIR', spec.runDir)).toEqual([]);
});

test('closing in the middle of a turn ends it as stopped, and closing again changes nothing', async () => {
  const { session, spec } = await open(['say:x', 'wait']);
  let closing: Promise<void> | undefined;
  const { ending } = await takeTurn(session, 'x', () => {
    closing ??= session.close();
  });
  expect(ending.outcome).toBe('stopped');
  await closing;
  await session.close();
  expect(await findByMarker('WATS_RUN_DIR', spec.runDir)).toEqual([]);
});

test('a run stopped before its turn is never handed its prompt', async () => {
  const { session, lines } = await open(['prompt']);
  session.interrupt('stopped');
  expect((await takeTurn(session, 'secret')).ending.outcome).toBe('stopped');
  await session.close();
  expect(lines.join()).not.toContain('secret');
});

test('an aborted signal stops the run', async () => {
  const run = testRun({ command: [process.execPath, AGENT, 'say:x', 'wait'] });
  const abort = new AbortController();
  const session = await runtimeFor('command', { env: process.env, command: [] }).open(run.spec, abort.signal);
  expect((await takeTurn(session, 'x', () => abort.abort())).ending.outcome).toBe('stopped');
  await session.close();
});

test('a second turn is refused without harm to the first', async () => {
  const { session } = await open(['prompt']);
  expect((await takeTurn(session, 'one')).ending.outcome).toBe('ok');
  expect((await takeTurn(session, 'two')).ending).toMatchObject({
    outcome: 'error',
    message: 'This program takes one turn only.',
  });
  await session.close();
});

test('the program is recorded before it is given its prompt', async () => {
  const { session, spawned, lines } = await open(['prompt']);
  expect(spawned).toHaveLength(1);
  expect(lines).toEqual([]);
  await takeTurn(session, 'now');
  expect(lines).toEqual(['{"type":"text","text":"now"}']);
  await session.close();
});

test('a probe finds the program or says what to do', async () => {
  const probe = (command: readonly string[]) =>
    runtimeFor('command', { env: { PATH: process.env['PATH'] }, command }).probe(
      new AbortController().signal,
    );
  expect(await probe([process.execPath])).toMatchObject({
    found: true,
    path: process.execPath,
    problem: null,
    reportsCost: false,
  });
  expect(await probe(['sh'])).toMatchObject({ found: true, path: expect.stringMatching(/^\/.*\/sh$/) });
  expect((await probe([])).problem?.message).toBe('agent.command is not set.');
  expect((await probe(['wats-no-such'])).problem?.message).toBe(
    'wats-no-such of agent.command is not in PATH.',
  );
  expect((await probe(['./agent'])).problem?.message).toContain('relative path');
  const plain = join(testRun().spec.runDir, 'plain');
  writeFileSync(plain, '');
  expect((await probe([plain])).problem?.message).toContain('not there or not executable');
});

test('a program that is not there is refused with the fix, and nothing is started', async () => {
  const run = testRun({ command: ['wats-no-such'] });
  const opening = runtimeFor('command', { env: process.env, command: [] }).open(
    run.spec,
    new AbortController().signal,
  );
  await expect(opening).rejects.toMatchObject({
    code: 'runtime',
    fix: expect.stringContaining('agent.command'),
  });
  expect(run.spawned).toEqual([]);
  expect(existsSync(join(run.spec.runDir, 'mcp.json'))).toBe(false);
});

test('what a run would be started with can be seen before, and nothing is written or started', async () => {
  const run = testRun({ command: ['sh', '-c', 'exit 0'], maxMicroUsd: 20_000 });
  const runtime = runtimeFor('command', { env: process.env, command: run.spec.command });
  const prepared = await runtime.prepare(run.spec, new AbortController().signal);
  expect(prepared.argv).toEqual([expect.stringMatching(/^\/.*\/sh$/), '-c', 'exit 0']);
  expect(prepared.env).toMatchObject({ WATS_MAX_USD: '0.02', WATS_RUN_DIR: run.spec.runDir });
  expect(prepared.files.map(({ path }) => path)).toEqual([join(run.spec.runDir, 'mcp.json')]);
  expect(run.spawned).toEqual([]);
  expect(existsSync(join(run.spec.runDir, 'mcp.json'))).toBe(false);
});
