import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findByMarker, groupMembers } from '../../src/processes/index.ts';
import { type RunEvent, type RunSpec, runtimeFor, type Session } from '../../src/runtimes/index.ts';
import { runs } from '../support/look.ts';
import { type ModelServer, type ModelTurn, startModelServer } from '../support/model-server.ts';
import { type TestRun, takeTurn, testRun } from '../support/run-spec.ts';
import { codexShim } from './support/codex-shim.ts';
import { installCli } from './support/install-cli.ts';

const codex = await installCli('codex');
if (!codex.ok) console.warn(`codex is not driven: ${codex.why}`);
const REAL = codex.ok ? codex.bin : '';

const ID = 'a'.repeat(64);
/** A model that Codex has no catalogue entry for is given its tools one by one. */
const PLAIN = 'wats-test-model';
const CALL = { text: 'Reading.', tools: [{ namespace: 'mcp__wats', name: 'read', input: { id: ID } }] };
const DONE = { text: 'Done.' };
/** Models of its catalogue call tools from a script instead. */
const script = (code: string) => ({ tools: [{ namespace: 'functions', name: 'exec', input: code }] });

interface Opened extends TestRun {
  readonly session: Session;
  readonly server: ModelServer;
}

interface Setting {
  readonly turns?: readonly [ModelTurn, ...ModelTurn[]];
  readonly spec?: Partial<RunSpec>;
  readonly mcpEnv?: Readonly<Record<string, string>>;
  readonly url?: string;
  /** More of the table of the test's model provider. */
  readonly provider?: string;
}

async function open({
  turns = [CALL, DONE],
  spec = {},
  mcpEnv = {},
  url,
  provider = '',
}: Setting = {}): Promise<Opened> {
  const server = await startModelServer('openai', turns);
  onTestFinished(() => server.close());
  const run = testRun({ model: PLAIN, ...spec }, mcpEnv);
  const home = join(run.spec.runDir, 'home');
  mkdirSync(home);
  const bin = codexShim(run.spec.runDir, REAL, url ?? server.url, 'TEST_KEY', provider);
  const full: RunSpec = {
    ...run.spec,
    env: { PATH: `${bin}:${process.env['PATH']}`, HOME: home, TEST_KEY: 'sk-test' },
  };
  const session = await runtimeFor('codex', { env: full.env, command: [] }).open(
    full,
    new AbortController().signal,
  );
  onTestFinished(() => session.close());
  return { ...run, spec: full, session, server };
}

type Run = Opened & Awaited<ReturnType<typeof takeTurn>>;

async function run(setting: Setting = {}, onEvent?: (event: RunEvent, opened: Opened) => void): Promise<Run> {
  const opened = await open(setting);
  expect(await opened.session.ready()).toEqual({ ok: true });
  const turn = await takeTurn(opened.session, 'You were woken.', (event) => onEvent?.(event, opened));
  await opened.session.close();
  expect(opened.spawned).toHaveLength(1);
  for (const identity of opened.spawned) expect(await groupMembers(identity)).toEqual([]);
  expect(await findByMarker('WATS_RUN_DIR', opened.spec.runDir)).toEqual([]);
  return { ...opened, ...turn };
}

function toolNames(server: ModelServer): readonly string[] {
  const names = (tool: unknown): string[] => {
    const { name, tools } = tool as { name?: string; tools?: unknown[] };
    return tools === undefined ? [name ?? ''] : tools.flatMap(names).map((inner) => `${name}/${inner}`);
  };
  return server.toolsOf(0).flatMap(names).sort();
}

const error = (type: string, message = 'scripted') => ({ type, message });

describe.skipIf(!codex.ok)('the real codex', () => {
  test('a run answers through the wats tools, and tells its tokens but no cost', async () => {
    const { events, ending, calls, lines } = await run();
    expect(calls()).toEqual([{ name: 'read', arguments: { id: ID } }]);
    expect(ending).toMatchObject({ outcome: 'ok', turns: 2, costMicroUsd: null });
    expect(events).toContainEqual({ type: 'usage', inputTokens: 2000, outputTokens: 200, turns: 2 });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool_call', name: 'mcp__wats__read', args: { id: ID } }),
    );
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool_result', ok: true }));
    expect(events).toContainEqual({ type: 'text', text: 'Done.' });
    expect(lines.at(-1)).toContain('turn.completed');
  });

  test('locked offers the wats tools and what codex never gives up, and reads no project or configuration', async () => {
    const base = testRun();
    writeFileSync(join(base.spec.workDir, 'AGENTS.md'), 'MARK-PROJECT');
    const { server } = await run({ spec: { workDir: base.spec.workDir } });
    expect(toolNames(server)).toEqual([
      'list_mcp_resource_templates',
      'list_mcp_resources',
      'mcp__wats/post',
      'mcp__wats/read',
      'mcp__wats/reply',
      'read_mcp_resource',
      'request_user_input',
    ]);
    expect(JSON.stringify(server.requests)).not.toContain('MARK-');
  });

  test('a model of its catalogue has no sub-agents, and its scripts reach wats but write nothing', async () => {
    const { server, spec, calls, ending } = await run({
      turns: [
        script(
          'text(await tools.apply_patch("*** Begin Patch\\n*** Add File: stolen\\n+x\\n*** End Patch\\n"))',
        ),
        script(`text(await tools.mcp__wats__read({ id: "${ID}" }))`),
        DONE,
      ],
      spec: { model: null },
    });
    expect(toolNames(server).filter((name) => /spawn|agent|shell|command|browser|sleep/.test(name))).toEqual(
      [],
    );
    expect(existsSync(join(spec.workDir, 'stolen'))).toBe(false);
    expect(calls().map(({ name }) => name)).toEqual(['read']);
    expect(ending.outcome).toBe('ok');
  });

  test('wats counts the turns and ends a run that would go on for ever', async () => {
    const { ending, calls } = await run({ turns: [CALL], spec: { maxTurns: 3 } });
    expect(ending).toMatchObject({ outcome: 'max_turns', turns: 3 });
    // The interrupt comes after the third result; one more call may have begun by then.
    expect(calls().length).toBeLessThanOrEqual(4);
  });

  test('the cap on tokens ends a run', async () => {
    const { ending, server } = await run({ turns: [CALL], spec: { maxTokens: 3000 } });
    expect(ending).toMatchObject({ outcome: 'max_usd', message: 'It reached agent.max_tokens_per_run.' });
    expect(server.requests).toHaveLength(3);
  });

  test('a wrong key is auth', async () => {
    const { ending, events } = await run({
      turns: [{ status: 401, error: error('invalid_api_key', 'bad key') }],
      provider: ',stream_max_retries=1',
    });
    expect(ending.outcome).toBe('auth');
    expect(events).toContainEqual({
      type: 'notice',
      level: 'warn',
      text: expect.stringContaining('Reconnecting'),
    });
  });

  test('an account that may not is auth', async () => {
    const { ending } = await run({
      turns: [{ status: 403, error: error('forbidden') }],
      provider: ',stream_max_retries=0',
    });
    expect(ending.outcome).toBe('auth');
  });

  test('a prompt that the provider flags is refused, with fixed words', async () => {
    const message = 'Your prompt was flagged as potentially violating our usage policy.';
    const { ending } = await run({ turns: [{ status: 400, error: error('invalid_prompt', message) }] });
    expect(ending).toMatchObject({ outcome: 'refused', message: expect.stringContaining('for safety') });
  });

  test('a request that the provider finds wrong is an error, told in its words', async () => {
    const { ending } = await run({
      turns: [{ status: 400, error: error('invalid_request', 'scripted nonsense') }],
    });
    expect(ending).toMatchObject({ outcome: 'error' });
    expect(ending.message).toContain('scripted nonsense');
  });

  test('limits are rate_limited', async () => {
    const limit = await run({ turns: [{ status: 429, error: error('usage_limit_reached') }] });
    expect(limit.ending).toMatchObject({ outcome: 'rate_limited', resetAt: null });
    const key = await run({ turns: [{ status: 429, error: error('rate_limit_exceeded') }] });
    expect(key.ending.outcome).toBe('rate_limited');
  });

  test('a model that is not there is a matter of settings', async () => {
    const message = 'The model x does not exist';
    const { ending } = await run({ turns: [{ status: 404, error: error('model_not_found', message) }] });
    expect(ending).toMatchObject({ outcome: 'config', message });
  });

  test('a broken provider is an error', async () => {
    const { ending } = await run({
      turns: [{ status: 500, error: error('server_error') }],
      provider: ',request_max_retries=0,stream_max_retries=0',
    });
    expect(ending.outcome).toBe('error');
  });

  test('an unreachable provider defers the run', async () => {
    const gone = await startModelServer('openai', [DONE]);
    await gone.close();
    const { ending } = await run({ url: gone.url, provider: ',request_max_retries=0,stream_max_retries=1' });
    expect(ending.outcome).toBe('deferred');
  });

  test('a server that sends no headers is stalled, where codex would wait for ever', async () => {
    const { ending } = await run({ turns: [{ hang: 'no-headers' }], spec: { stallTimeoutMs: 1500 } });
    expect(ending.outcome).toBe('stalled');
  });

  test('an answer that is cut in the middle is asked for again, and the run goes on', async () => {
    const { ending } = await run({
      turns: [{ text: 'This goes on and on', cut: true }, DONE],
      provider: ',stream_max_retries=2',
    });
    expect(ending.outcome).toBe('ok');
  });

  test('an answer that stops in the middle is stalled', async () => {
    const { ending } = await run({
      turns: [CALL, { text: 'This goes on and on', hang: 'mid-stream' }],
      spec: { stallTimeoutMs: 1500 },
    });
    expect(ending.outcome).toBe('stalled');
  });

  test('a slow tool is no stall', async () => {
    const { ending } = await run({ spec: { stallTimeoutMs: 2000 }, mcpEnv: { TINY_CALL_DELAY_MS: '4000' } });
    expect(ending.outcome).toBe('ok');
  });

  test('a stop ends it, and what it had begun', async () => {
    const { ending } = await run({ mcpEnv: { TINY_HANG: 'call' } }, (event, { session }) => {
      if (event.type === 'tool_call') session.interrupt('stopped');
    });
    expect(ending).toMatchObject({ outcome: 'stopped', costMicroUsd: null });
  });

  test('SIGTERM from outside is an error', async () => {
    const { ending } = await run({ mcpEnv: { TINY_HANG: 'call' } }, (event, { spawned }) => {
      if (event.type === 'tool_call') process.kill(spawned[0]?.pid ?? 0, 'SIGTERM');
    });
    expect(ending.outcome).toBe('error');
  });

  test('a timeout ends it', async () => {
    const { ending } = await run({ turns: [CALL, { hang: 'mid-stream' }], spec: { timeoutMs: 2500 } });
    expect(ending).toMatchObject({ outcome: 'timeout', costMicroUsd: null });
  });

  test('without the wats server nothing is sent', async () => {
    const { ending, server } = await run({ mcpEnv: { TINY_CRASH: 'start' } });
    expect(ending).toMatchObject({ outcome: 'no_tools' });
    expect(server.requests).toHaveLength(0);
  });

  test('without the program of the wats server nothing is sent', async () => {
    const { ending, server } = await run({ spec: { mcp: { command: '/nowhere/wats', args: [], env: {} } } });
    expect(ending).toMatchObject({ outcome: 'no_tools' });
    expect(server.requests).toHaveLength(0);
  });

  test('a slow wats server is waited for', async () => {
    expect((await run({ mcpEnv: { TINY_DELAY_MS: '3000' } })).ending.outcome).toBe('ok');
  });

  test('a wats server that dies in the run does not pass for success', async () => {
    const { ending } = await run({ mcpEnv: { TINY_CRASH: 'call' } });
    expect(ending).toMatchObject({
      outcome: 'error',
      message: expect.stringContaining('their server was gone'),
    });
  });

  test('SIGKILL on the program leaves nothing of it behind', async () => {
    const { ending, mcpLog } = await run(
      { mcpEnv: { TINY_HANG: 'call', TINY_IGNORES: '1' } },
      (event, { spawned }) => {
        if (event.type === 'tool_call') process.kill(spawned[0]?.pid ?? 0, 'SIGKILL');
      },
    );
    expect(ending).toMatchObject({ outcome: 'error', signal: 'SIGKILL' });
    expect(runs(Number(mcpLog()[0]?.['pid']))).toBe(false);
  });

  test('a probe finds it, its version and its login', async () => {
    const { spec } = testRun();
    const probe = (env: Record<string, string>) =>
      runtimeFor('codex', {
        env: { PATH: `${codex.ok ? codex.dir : ''}:${process.env['PATH']}`, HOME: spec.workDir, ...env },
        command: [],
      }).probe(new AbortController().signal);
    expect(await probe({ CODEX_API_KEY: 'sk-test' })).toMatchObject({
      found: true,
      path: REAL,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      loggedIn: true,
      problem: null,
      reportsCost: false,
    });
    expect(await probe({})).toMatchObject({
      loggedIn: false,
      problem: { message: 'Codex is not logged in.' },
    });
  });
});
