import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findByMarker, groupMembers } from '../../src/processes/index.ts';
import { type RunEvent, type RunSpec, runtimeFor, type Session } from '../../src/runtimes/index.ts';
import { runs } from '../support/look.ts';
import { type ModelServer, type ModelTurn, startModelServer } from '../support/model-server.ts';
import { type TestRun, takeTurn, testRun } from '../support/run-spec.ts';
import { installCli } from './support/install-cli.ts';

const claude = await installCli('claude');
if (!claude.ok) console.warn(`claude is not driven: ${claude.why}`);
const BIN = claude.ok ? claude.dir : '';

const CALL = { text: 'Reading.', tools: [{ name: 'mcp__wats__read', input: { id: 'a'.repeat(64) } }] };
const DONE = { text: 'Done.' };
const LONG_AGO_LOGIN = { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-test' };

interface Opened extends TestRun {
  readonly session: Session;
  readonly server: ModelServer;
}

interface Setting {
  readonly turns?: readonly [ModelTurn, ...ModelTurn[]];
  readonly spec?: Partial<RunSpec>;
  readonly env?: Readonly<Record<string, string>>;
  readonly mcpEnv?: Readonly<Record<string, string>>;
}

async function open({
  turns = [CALL, DONE],
  spec = {},
  env = {},
  mcpEnv = {},
}: Setting = {}): Promise<Opened> {
  const server = await startModelServer('anthropic', turns);
  onTestFinished(() => server.close());
  const run = testRun({ model: 'sonnet', maxMicroUsd: 400_000, ...spec }, mcpEnv);
  const home = join(run.spec.runDir, 'home');
  mkdirSync(home);
  const full: RunSpec = {
    ...run.spec,
    env: {
      PATH: `${BIN}:${process.env['PATH']}`,
      HOME: home,
      ANTHROPIC_API_KEY: 'sk-test',
      ANTHROPIC_BASE_URL: server.url,
      CLAUDE_CODE_MAX_RETRIES: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...env,
    },
  };
  const runtime = runtimeFor('claude', { env: full.env, command: [] });
  const session = await runtime.open(full, new AbortController().signal);
  onTestFinished(() => session.close());
  return { ...run, spec: full, session, server };
}

type Run = Opened & Awaited<ReturnType<typeof takeTurn>>;

/** A whole run: ready, one turn, closed; then nothing of it is left. */
async function run(setting: Setting = {}, onEvent?: (event: RunEvent, opened: Opened) => void): Promise<Run> {
  const opened = await open(setting);
  expect(await opened.session.ready()).toEqual({ ok: true });
  const turn = await takeTurn(opened.session, 'You were woken.', (event) => onEvent?.(event, opened));
  await opened.session.close();
  await expectNothingLeft(opened);
  return { ...opened, ...turn };
}

async function expectNothingLeft({ spec, spawned }: TestRun): Promise<void> {
  expect(spawned).toHaveLength(1);
  for (const identity of spawned) expect(await groupMembers(identity)).toEqual([]);
  expect(await findByMarker('WATS_RUN_DIR', spec.runDir)).toEqual([]);
}

function toolNames(server: ModelServer): readonly string[] {
  return server
    .toolsOf(0)
    .map((tool) => (tool as { name: string }).name)
    .sort();
}

describe.skipIf(!claude.ok)('the real claude', () => {
  test('a run answers through the wats tools and tells what it cost', async () => {
    const { events, ending, lines, calls, server } = await run();
    expect(calls()).toEqual([{ name: 'read', arguments: { id: 'a'.repeat(64) } }]);
    expect(ending).toMatchObject({ outcome: 'ok', turns: 2, resetAt: null });
    // Two answers of 1,000 tokens in and 100 out at some list price: more than nothing, less than a dollar.
    expect(ending.costMicroUsd).toBeGreaterThan(0);
    expect(ending.costMicroUsd).toBeLessThan(1_000_000);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['text', 'tool_call', 'tool_result', 'usage', 'end']),
    );
    expect(events).toContainEqual({ type: 'text', text: 'Done.' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool_result', ok: true }));
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'usage', inputTokens: 2000, outputTokens: 200 }),
    );
    const kept = lines.map((line) => JSON.parse(line) as { type: string });
    expect(kept.map(({ type }) => type)).not.toContain('stream_event');
    expect(kept.map(({ type }) => type)).not.toContain('control_response');
    expect(kept.at(-1)?.type).toBe('result');
    expect(server.requests).toHaveLength(2);
  });

  test('locked offers the wats tools and nothing else, and reads nothing of the user', async () => {
    const opened = await open();
    const home = opened.spec.env['HOME'] ?? '';
    const planted = join(opened.spec.runDir, 'hook-ran');
    mkdirSync(join(home, '.claude', 'skills', 'planted'), { recursive: true });
    writeFileSync(join(home, '.claude', 'CLAUDE.md'), 'MARK-USER-MEMORY');
    writeFileSync(
      join(home, '.claude', 'skills', 'planted', 'SKILL.md'),
      '---\nname: planted\ndescription: MARK-SKILL\n---\n',
    );
    writeFileSync(join(opened.spec.workDir, 'CLAUDE.md'), 'MARK-PROJECT-MEMORY');
    const hook = { hooks: [{ type: 'command', command: `touch ${planted}` }] };
    writeFileSync(
      join(home, '.claude', 'settings.json'),
      JSON.stringify({
        permissions: { allow: ['Bash'] },
        hooks: { SessionStart: [hook], UserPromptSubmit: [hook] },
      }),
    );
    // What was planted must be there before the program starts, so this run is thrown away for a second one.
    await opened.session.close();
    const session = await runtimeFor('claude', { env: opened.spec.env, command: [] }).open(
      opened.spec,
      new AbortController().signal,
    );
    expect(await session.ready()).toEqual({ ok: true });
    await takeTurn(session, 'You were woken.');
    await session.close();
    // The program keeps a placeholder that can't be called; it is no tool.
    const tools = toolNames(opened.server).filter((name) => name !== 'DeferredToolPlaceholder');
    expect(tools).toEqual(['mcp__wats__post', 'mcp__wats__read', 'mcp__wats__reply']);
    expect(JSON.stringify(opened.server.requests)).not.toMatch(/MARK-/);
    expect(existsSync(planted)).toBe(false);
  });

  test('a built-in tool that the model asks for all the same is not there', async () => {
    const { events, spec } = await run({
      turns: [{ tools: [{ name: 'Bash', input: { command: 'echo x > stolen' } }] }, DONE],
    });
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool_result', ok: false }));
    expect(existsSync(join(spec.workDir, 'stolen'))).toBe(false);
  });

  test('workspace has its instructions and its files, and nothing outside', async () => {
    const reads = [
      { name: 'Read', input: { file_path: 'inside.txt' } },
      { name: 'Read', input: { file_path: '/etc/passwd' } },
      { name: 'Grep', input: { pattern: 'root', path: '/etc/passwd' } },
      { name: 'Write', input: { file_path: 'new.txt', content: 'x' } },
      { name: 'Write', input: { file_path: '.mcp.json', content: '{}' } },
      { name: 'Read', input: { file_path: 'data/secret.txt' } },
    ];
    const base = testRun();
    const { workDir } = base.spec;
    mkdirSync(join(workDir, 'data'));
    mkdirSync(join(workDir, '.claude'));
    writeFileSync(join(workDir, 'CLAUDE.md'), 'MARK-INSTRUCTIONS');
    writeFileSync(join(workDir, 'inside.txt'), 'MARK-INSIDE');
    writeFileSync(join(workDir, 'data', 'secret.txt'), 'MARK-SECRET');
    const hook = { hooks: [{ type: 'command', command: 'touch hook-ran' }] };
    writeFileSync(
      join(workDir, '.claude', 'settings.json'),
      JSON.stringify({ hooks: { SessionStart: [hook] } }),
    );
    const { server, events } = await run({
      turns: [{ tools: reads }, DONE],
      spec: {
        access: 'workspace',
        workDir,
        tools: ['Read', 'Grep', 'Write'],
        denyPaths: [join(workDir, 'data')],
      },
    });
    expect(toolNames(server)).toEqual(expect.arrayContaining(['Grep', 'Read', 'Write', 'mcp__wats__read']));
    expect(toolNames(server)).not.toContain('Bash');
    expect(JSON.stringify(server.requests[0]?.body)).toContain('MARK-INSTRUCTIONS');
    const results = new Map(
      events.flatMap((e) => (e.type === 'tool_result' ? [[e.callId, e] as const] : [])),
    );
    const ok = reads.map((_, i) => results.get(`toolu_test_1_${i}`)?.ok);
    expect(ok).toEqual([true, false, false, true, false, false]);
    expect(results.get('toolu_test_1_0')?.text).toContain('MARK-INSIDE');
    expect(JSON.stringify([...results.values()])).not.toContain('MARK-SECRET');
    expect(existsSync(join(workDir, 'new.txt'))).toBe(true);
    expect(existsSync(join(workDir, '.mcp.json'))).toBe(false);
    expect(existsSync(join(workDir, 'hook-ran'))).toBe(false);
  });

  test('inherit has the tools of the user, and what nobody allowed is denied without a question', async () => {
    const { server, events, ending, spec } = await run({
      turns: [{ tools: [{ name: 'Bash', input: { command: 'touch made', description: 'x' } }] }, DONE],
      spec: { access: 'inherit' },
    });
    expect(toolNames(server)).toEqual(expect.arrayContaining(['Bash', 'mcp__wats__read']));
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool_result', ok: false }));
    expect(existsSync(join(spec.workDir, 'made'))).toBe(false);
    expect(ending.outcome).toBe('ok');
  });

  test('the turn limit ends a run that would go on', async () => {
    const { ending, calls } = await run({ turns: [CALL], spec: { maxTurns: 3 } });
    expect(ending).toMatchObject({ outcome: 'max_turns', turns: 3 });
    expect(ending.costMicroUsd).toBeGreaterThan(0);
    expect(calls()).toHaveLength(3);
  });

  test('the budget ends a run after the answer that crosses it, and the overshoot is told', async () => {
    const { ending, server } = await run({
      turns: [{ ...CALL, usage: { input: 500_000, output: 1000 } }],
      spec: { maxMicroUsd: 50_000 },
    });
    expect(ending.outcome).toBe('max_usd');
    expect(ending.costMicroUsd).toBeGreaterThan(50_000);
    expect(server.requests).toHaveLength(1);
  });

  const error = (type: string, message = 'scripted') => ({ type, message });

  test('a wrong key is auth, at no cost', async () => {
    const { ending } = await run({
      turns: [{ status: 401, error: error('authentication_error', 'invalid x-api-key') }],
    });
    expect(ending).toMatchObject({ outcome: 'auth', costMicroUsd: 0 });
    expect(ending.message).toContain('Invalid API key');
  });

  test('no login at all is auth, and nothing is sent', async () => {
    const { ending, server } = await run({ env: { ANTHROPIC_API_KEY: '' } });
    expect(ending).toMatchObject({ outcome: 'auth', costMicroUsd: 0 });
    expect(server.requests).toHaveLength(0);
  });

  test('an account that may not is auth, at once', async () => {
    const { ending, server } = await run({ turns: [{ status: 403, error: error('permission_error') }] });
    expect(ending).toMatchObject({ outcome: 'auth', costMicroUsd: 0 });
    expect(server.requests).toHaveLength(1);
  });

  test('an account without credit is auth, with the words of the provider', async () => {
    const message = 'Your credit balance is too low to access the Anthropic API.';
    const { ending } = await run({
      turns: [{ status: 400, error: error('invalid_request_error', message) }],
    });
    expect(ending).toMatchObject({ outcome: 'auth' });
    expect(ending.message).toMatch(/credit balance/i);
  });

  test("a subscription's limit is rate_limited until the time that it names", async () => {
    const { ending } = await run({
      turns: [
        {
          status: 429,
          error: error('rate_limit_error'),
          headers: {
            'anthropic-ratelimit-unified-status': 'rejected',
            'anthropic-ratelimit-unified-reset': '1896100000',
            'anthropic-ratelimit-unified-representative-claim': 'five_hour',
          },
        },
      ],
      env: { ANTHROPIC_API_KEY: '', ...LONG_AGO_LOGIN },
    });
    expect(ending).toMatchObject({ outcome: 'rate_limited', resetAt: 1_896_100_000_000, costMicroUsd: 0 });
  });

  test("a key's limit is rate_limited without a time", async () => {
    const { ending } = await run({
      turns: [{ status: 429, error: error('rate_limit_error'), headers: { 'retry-after': '3600' } }],
    });
    expect(ending).toMatchObject({ outcome: 'rate_limited', resetAt: null });
  });

  test('a model that is not there is a matter of settings', async () => {
    const { ending } = await run({ turns: [{ status: 404, error: error('not_found_error', 'model: x') }] });
    expect(ending).toMatchObject({ outcome: 'config' });
    expect(ending.message).toContain('model');
  });

  test('a broken provider is an error after the retries, which are told', async () => {
    const { ending, events } = await run({ turns: [{ status: 500, error: error('api_error') }] });
    expect(ending).toMatchObject({ outcome: 'error', costMicroUsd: 0 });
    expect(events).toContainEqual({
      type: 'notice',
      level: 'warn',
      text: expect.stringContaining('status 500'),
    });
  });

  test('an overloaded provider defers the run: nothing was spent, nothing was tried', async () => {
    const { ending } = await run({ turns: [{ status: 529, error: error('overloaded_error') }] });
    expect(ending).toMatchObject({ outcome: 'deferred', costMicroUsd: 0 });
  });

  test('a request that the provider finds wrong is an error, told in its words', async () => {
    const { ending } = await run({
      turns: [{ status: 400, error: error('invalid_request_error', 'messages: scripted nonsense') }],
    });
    expect(ending).toMatchObject({ outcome: 'error' });
    expect(ending.message).toContain('scripted nonsense');
  });

  test('an unreachable provider defers the run: nothing was spent, nothing was tried', async () => {
    const gone = await startModelServer('anthropic', [DONE]);
    await gone.close();
    const { ending } = await run({ env: { ANTHROPIC_BASE_URL: gone.url } });
    expect(ending.message).toMatch(/connect/i);
    expect(ending).toMatchObject({ outcome: 'deferred', costMicroUsd: 0 });
  });

  test('a connection that is cut is tried again, and the run goes on', async () => {
    const { ending } = await run({ turns: [{ reset: true }, DONE] });
    expect(ending.outcome).toBe('ok');
  });

  test('an answer that is cut in the middle is asked for again, and the run goes on', async () => {
    const { ending, calls } = await run({ turns: [CALL, { text: 'This goes on and on', cut: true }, DONE] });
    expect(ending.outcome).toBe('ok');
    expect(calls()).toHaveLength(1);
  });

  test('an answer without a word ends a run like any other', async () => {
    const { ending } = await run({ turns: [{}] });
    expect(ending.outcome).toBe('ok');
    expect(ending.costMicroUsd).toBeGreaterThan(0);
  });

  test('a refusal is refused, and its cost is told', async () => {
    const { ending } = await run({ turns: [{ text: 'No.', stopReason: 'refusal' }] });
    expect(ending).toMatchObject({ outcome: 'refused' });
    expect(ending.costMicroUsd).toBeGreaterThan(0);
  });

  test('a model that never answers is stalled', async () => {
    const { ending } = await run({ turns: [{ hang: 'no-headers' }], spec: { stallTimeoutMs: 1500 } });
    expect(ending.outcome).toBe('stalled');
  });

  test('an answer that stops in the middle is stalled, and what it cost so far is told', async () => {
    const { ending } = await run({
      turns: [CALL, { text: 'This goes on and on', hang: 'mid-stream' }],
      spec: { stallTimeoutMs: 1500 },
    });
    expect(ending.outcome).toBe('stalled');
    expect(ending.costMicroUsd).toBeGreaterThan(0);
  });

  test('the keep-alive of a provider is no sign of life', async () => {
    const { ending } = await run({
      turns: [{ text: 'This goes on and on', hang: 'mid-stream-with-pings' }],
      spec: { stallTimeoutMs: 1500, timeoutMs: 20_000 },
    });
    expect(ending.outcome).toBe('stalled');
  });

  test('a slow tool is no stall', async () => {
    const { ending } = await run({ spec: { stallTimeoutMs: 2000 }, mcpEnv: { TINY_CALL_DELAY_MS: '4000' } });
    expect(ending.outcome).toBe('ok');
  });

  test('a timeout interrupts in the way of the program, so that the cost is known', async () => {
    const { ending } = await run({
      turns: [CALL, { hang: 'no-headers' }],
      spec: { timeoutMs: 4000 },
    });
    expect(ending).toMatchObject({ outcome: 'timeout', signal: null });
    expect(ending.costMicroUsd).toBeGreaterThan(0);
  });

  test('a stop during a tool call ends it with its cost', async () => {
    const { ending } = await run({ mcpEnv: { TINY_HANG: 'call' } }, (event, { session }) => {
      if (event.type === 'tool_call') session.interrupt('stopped');
    });
    expect(ending).toMatchObject({ outcome: 'stopped', signal: null });
    expect(ending.costMicroUsd).toBeGreaterThan(0);
  });

  test('SIGTERM from outside is an error', async () => {
    const { ending } = await run({ mcpEnv: { TINY_HANG: 'call' } }, (event, { spawned }) => {
      if (event.type === 'tool_call') process.kill(spawned[0]?.pid ?? 0, 'SIGTERM');
    });
    expect(ending.outcome).toBe('error');
    expect(ending.message).toMatch(/exit code 143|SIGTERM/);
  });

  test('SIGKILL from outside is an error without a cost, and nothing of it is left', async () => {
    const { ending, mcpLog } = await run({ mcpEnv: { TINY_HANG: 'call' } }, (event, { spawned }) => {
      if (event.type === 'tool_call') process.kill(spawned[0]?.pid ?? 0, 'SIGKILL');
    });
    expect(ending).toMatchObject({ outcome: 'error', signal: 'SIGKILL', costMicroUsd: null });
    expect(runs(Number(mcpLog()[0]?.['pid']))).toBe(false);
  });

  test('a run whose calls were never answered does not pass for success', async () => {
    const { ending, events } = await run({
      mcpEnv: { TINY_HANG: 'call' },
      env: { MCP_TOOL_TIMEOUT: '1500' },
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool_result', ok: false, text: expect.stringContaining('timed out') }),
    );
    expect(ending).toMatchObject({ outcome: 'error' });
    expect(ending.costMicroUsd).toBeGreaterThan(0);
  });

  test('a version that does not know a switch is a matter of settings, and says which', async () => {
    const place = testRun().spec.runDir;
    const shim = `#!/bin/sh\nif [ "$1" = -p ]; then exec '${BIN}/claude' "$@" --no-such-switch; fi\nexec '${BIN}/claude' "$@"\n`;
    writeFileSync(join(place, 'claude'), shim, { mode: 0o755 });
    const { session, server } = await open({ env: { PATH: `${place}:${process.env['PATH']}` } });
    const ready = await session.ready();
    expect(ready).toMatchObject({ ok: false, ending: { outcome: 'config' } });
    expect(JSON.stringify(ready)).toContain('--no-such-switch');
    expect(server.requests).toHaveLength(0);
    await session.close();
  });

  describe('without the wats tools nothing is sent', () => {
    const expectNoTools = async (
      mcpEnv: Record<string, string>,
      spec: Partial<RunSpec> = {},
    ): Promise<void> => {
      const opened = await open({ mcpEnv, spec });
      const ready = await opened.session.ready();
      expect(ready).toMatchObject({ ok: false, ending: { outcome: 'no_tools', costMicroUsd: 0 } });
      expect(opened.server.requests).toHaveLength(0);
      await opened.session.close();
      await expectNothingLeft(opened);
    };

    test('when its server ends at once', () => expectNoTools({ TINY_CRASH: 'start' }));
    test('when its server is not there', () =>
      expectNoTools({}, { mcp: { command: '/nowhere/wats', args: [], env: {} } }));
    test('when its server never answers', () => expectNoTools({ TINY_HANG: 'initialize' }));
    test('and a slow server is waited for', async () => {
      const { ending } = await run({ mcpEnv: { TINY_DELAY_MS: '4000' } });
      expect(ending.outcome).toBe('ok');
    });
    test('and a server that dies in the run does not pass for success', async () => {
      const { ending } = await run({ mcpEnv: { TINY_CRASH: 'call' } });
      expect(ending).toMatchObject({
        outcome: 'error',
        message: expect.stringContaining('their server was gone'),
      });
    });
  });

  test('a second turn keeps the context, and costs only its own', async () => {
    const { session, server } = await open({ turns: [CALL, DONE, DONE] });
    expect(await session.ready()).toEqual({ ok: true });
    const first = await takeTurn(session, 'First wake.');
    const second = await takeTurn(session, 'Second wake.');
    await session.close();
    expect(second.ending).toMatchObject({ outcome: 'ok', turns: 1 });
    expect(second.ending.costMicroUsd).toBe(Math.ceil((first.ending.costMicroUsd ?? 0) / 2));
    expect(JSON.stringify(server.requests[2]?.body)).toContain('First wake.');
  });

  test('a stubborn MCP server does not survive the run', async () => {
    const { ending, mcpLog } = await run({ mcpEnv: { TINY_IGNORES: '1' } });
    expect(ending.outcome).toBe('ok');
    expect(runs(Number(mcpLog()[0]?.['pid']))).toBe(false);
  });

  test('the key reaches the program, and not its command line', async () => {
    const { server, spec, spawned, session } = await open();
    expect(await session.ready()).toEqual({ ok: true });
    if (process.platform === 'linux') {
      const commandLine = readFileSync(`/proc/${spawned[0]?.pid}/cmdline`, 'utf8');
      expect(commandLine).toContain('--strict-mcp-config');
      expect(commandLine).not.toContain(spec.env['ANTHROPIC_API_KEY']);
    }
    await takeTurn(session, 'x');
    expect(server.requests[0]?.headers['x-api-key']).toBe('sk-test');
  });

  test('a probe finds it, its version and its login', async () => {
    const { spec } = testRun();
    const probe = (env: Record<string, string>) =>
      runtimeFor('claude', {
        env: { PATH: `${BIN}:${process.env['PATH']}`, HOME: spec.workDir, ...env },
        command: [],
      }).probe(new AbortController().signal);
    expect(await probe({ ANTHROPIC_API_KEY: 'sk-test' })).toMatchObject({
      found: true,
      path: join(BIN, 'claude'),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      loggedIn: true,
      problem: null,
      reportsCost: true,
    });
    expect(await probe({})).toMatchObject({
      loggedIn: false,
      problem: { message: expect.stringContaining('not logged in') },
    });
  });
});
