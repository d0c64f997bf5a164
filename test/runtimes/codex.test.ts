import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CodexReader } from '../../src/runtimes/codex/reader.ts';
import { namedReset } from '../../src/runtimes/codex/reset.ts';
import { exitResult, failedResult } from '../../src/runtimes/codex/result.ts';
import { codexArgs, codexHasShell, text } from '../../src/runtimes/codex/switches.ts';
import { isOlder, versionIn } from '../../src/runtimes/engine/version.ts';

const WATS = {
  command: '/a "b"',
  args: ['mcp', '--run-socket', '/s'],
  env: { WATS_RUN_DIR: '/r', 'odd.name': 'x\ny' },
};
const SPEC = { access: 'locked', model: null, workDir: '/w', tools: [], maxTokens: 200_000 } as const;

/** The values of every `-c key=value`. */
function settings(args: readonly string[]): Readonly<Record<string, string>> {
  const pairs = args.flatMap((arg, i) => (args[i - 1] === '-c' ? [arg] : []));
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

test('locked has no shell, no web, no sub-agents, no instructions but ours, and nothing that is writable', () => {
  const args = codexArgs(SPEC, WATS, '/r/instructions.md');
  expect(args.slice(0, 6)).toEqual(['exec', '--json', '--ephemeral', '--skip-git-repo-check', '-C', '/w']);
  expect(args.at(-1)).toBe('-');
  expect(args).toEqual(expect.arrayContaining(['--ignore-user-config', '--ignore-rules']));
  expect(args[args.indexOf('-s') + 1]).toBe('read-only');
  expect(args).not.toContain('-m');
  expect(settings(args)).toMatchObject({
    approval_policy: '"never"',
    web_search: '"disabled"',
    'analytics.enabled': 'false',
    'agents.enabled': 'false',
    project_doc_max_bytes: '0',
    model_instructions_file: '"/r/instructions.md"',
    'features.shell_tool': 'false',
    'features.unified_exec': 'false',
    'features.plugins': 'false',
    'features.unbounded_connection_retries': 'false',
    'mcp_servers.wats.required': 'true',
    'mcp_servers.wats.default_tools_approval_mode': '"approve"',
    'mcp_servers.wats.command': '"/a \\"b\\""',
    'mcp_servers.wats.args': '["mcp","--run-socket","/s"]',
    'mcp_servers.wats.env': '{"WATS_RUN_DIR"="/r","odd.name"="x\\ny"}',
  });
  expect(settings(args)['features.rollout_budget']).toContain('limit_tokens=200000');
});

test('workspace has a shell only when agent.tools names one', () => {
  const features = (tools: readonly string[]) =>
    settings(codexArgs({ ...SPEC, access: 'workspace', tools }, WATS, '/i'));
  expect(features(['Read', 'Grep'])).toMatchObject({ 'features.shell_tool': 'false' });
  expect(features(['Bash(ls *)'])).not.toHaveProperty('features.shell_tool');
  expect(features(['Bash'])).toMatchObject({ 'features.hooks': 'false', 'agents.enabled': 'false' });
  expect(features(['Bash'])).not.toHaveProperty('project_doc_max_bytes');
  expect(codexHasShell(['Bashful', 'Read'])).toBe(false);
});

test('inherit denies nothing, and still needs the wats server', () => {
  const args = codexArgs({ ...SPEC, access: 'inherit', model: 'm', maxTokens: null }, WATS, '/i');
  expect(args).not.toContain('--ignore-user-config');
  expect(args[args.indexOf('-m') + 1]).toBe('m');
  expect(settings(args)['mcp_servers.wats.required']).toBe('true');
  expect(settings(args)).not.toHaveProperty('features.rollout_budget');
});

test('a text for TOML holds no bare control character', () => {
  expect(text('a\u007f\u0000\n"\\')).toBe('"a\\u007f\\u0000\\n\\"\\\\"');
});

const reader = (maxTurns = 10): CodexReader => new CodexReader({ maxTurns }, () => 0);
const call = (over: object = {}): object => ({
  id: 'i1',
  type: 'mcp_tool_call',
  server: 'wats',
  tool: 'reply',
  arguments: { a: 1 },
  status: 'completed',
  result: { content: [{ type: 'text', text: 'posted' }] },
  error: null,
  ...over,
});
const line = (type: string, rest: object = {}): string => JSON.stringify({ type, ...rest });

test('a call is told at its start and at its end, also when the start was never seen', () => {
  const seen = reader();
  expect(
    seen.read(line('item.started', { item: call({ status: 'in_progress', result: null }) })).events,
  ).toEqual([{ type: 'tool_call', callId: 'i1', name: 'mcp__wats__reply', args: { a: 1 } }]);
  expect(seen.read(line('item.completed', { item: call() })).events).toEqual([
    { type: 'tool_result', callId: 'i1', ok: true, text: 'posted' },
    { type: 'usage', turns: 1 },
  ]);
  const unseen = reader().read(line('item.completed', { item: call({ status: 'failed' }) })).events;
  expect(unseen.map((event) => event.type)).toEqual(['tool_call', 'tool_result', 'usage']);
  expect(unseen[1]).toMatchObject({ ok: false, text: 'posted' });
});

test('a shell command is a tool call', () => {
  const item = {
    id: 'c',
    type: 'command_execution',
    command: 'ls',
    aggregated_output: 'a\n',
    exit_code: 1,
    status: 'failed',
  };
  expect(reader().read(line('item.completed', { item })).events.slice(0, 2)).toEqual([
    { type: 'tool_call', callId: 'c', name: 'shell', args: { command: 'ls' } },
    { type: 'tool_result', callId: 'c', ok: false, text: 'a\n' },
  ]);
});

test('words, thoughts and warnings are told as such', () => {
  const item = (of: object) => reader().read(line('item.completed', { item: { id: 'i', ...of } })).events;
  expect(item({ type: 'agent_message', text: 'hi' })).toEqual([{ type: 'text', text: 'hi' }]);
  expect(item({ type: 'reasoning', text: 'hm' })).toEqual([{ type: 'thinking', text: 'hm' }]);
  expect(item({ type: 'error', message: 'careful' })).toEqual([
    { type: 'notice', level: 'warn', text: 'careful' },
  ]);
  expect(reader().read(line('error', { message: 'Reconnecting... 1/5' })).result).toBeUndefined();
});

test('the turn at the limit is the last', () => {
  const counting = reader(2);
  expect(counting.read(line('item.completed', { item: call() })).cut).toBeUndefined();
  expect(counting.read(line('item.completed', { item: call({ id: 'i2' }) })).cut).toMatchObject({
    outcome: 'max_turns',
  });
});

test('the last answer is a turn too', () => {
  const done = reader();
  done.read(line('item.completed', { item: call() }));
  const usage = { input_tokens: 7, output_tokens: 3 };
  expect(done.read(line('turn.completed', { usage }))).toMatchObject({
    events: [{ type: 'usage', inputTokens: 7, outputTokens: 3, turns: 2 }],
    result: { outcome: 'ok' },
  });
});

test('a failure of the model that was heard is a try, an outage before it is none', () => {
  const outage = 'stream disconnected before completion: failed to lookup address information';
  expect(reader().read(line('turn.failed', { error: { message: outage } })).result?.outcome).toBe('deferred');
  const heard = reader();
  heard.read(line('item.completed', { item: { id: 'i', type: 'agent_message', text: 'hi' } }));
  expect(heard.read(line('turn.failed', { error: { message: outage } })).result?.outcome).toBe('error');
});

test('the sentences of failures that were seen are understood', () => {
  const outcome = (message: string) => failedResult(message, true, 0).outcome;
  expect(outcome('budget reached')).toBe('max_usd');
  expect(outcome('unexpected status 401 Unauthorized: bad key, url: http://x')).toBe('auth');
  expect(outcome('unexpected status 403 Forbidden: no')).toBe('auth');
  expect(outcome('exceeded retry limit, last status: 429 Too Many Requests')).toBe('rate_limited');
  expect(outcome('Quota exceeded. Check your plan and billing details.')).toBe('rate_limited');
  expect(outcome('You’ve hit your usage limit. Try again later.')).toBe('rate_limited');
  expect(outcome('The model x does not exist')).toBe('config');
  expect(outcome('idle timeout waiting for SSE')).toBe('error');
  expect(outcome('')).toBe('error');
});

test('a reset that is named by the wall clock is the next such time', () => {
  const now = new Date(2026, 10, 30, 10, 0, 0).getTime();
  const limit = (when: string): number | null =>
    namedReset(`You've hit your usage limit. To continue, try again ${when}.`, now);
  expect(limit('at 11:44 AM')).toBe(new Date(2026, 10, 30, 11, 44).getTime());
  expect(limit('at 12:05 AM')).toBe(new Date(2026, 11, 1, 0, 5).getTime());
  expect(limit('at 9:30 PM')).toBe(new Date(2026, 10, 30, 21, 30).getTime());
  expect(limit('at Jan 3rd, 2027 11:44 AM')).toBe(new Date(2027, 0, 3, 11, 44).getTime());
  expect(limit('in 2 days 3 hours')).toBe(now + 51 * 3_600_000);
  expect(limit('in a while')).toBeNull();
  expect(limit('at the usual hour')).toBeNull();
  expect(namedReset('Try again later.', now)).toBeNull();
});

test('an end without a result says what is wrong', () => {
  const start = 'Error: thread/start failed: required MCP servers failed to initialize: wats: closed';
  expect(exitResult({ code: 1, signal: null }, start)).toMatchObject({ outcome: 'no_tools', turns: 0 });
  expect(exitResult({ code: 2, signal: null }, "For more information, try '--help'.")).toMatchObject({
    outcome: 'config',
  });
  expect(exitResult({ code: null, signal: 'SIGKILL' }, '')).toMatchObject({ outcome: 'error' });
});

test('no line whatever throws', () => {
  const type = fc.constantFrom('item.started', 'item.completed', 'error', 'turn.completed', 'turn.failed');
  const anyLine = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .tuple(type, fc.jsonValue())
      .map(([t, value]) => line(t, { item: value, usage: value, error: value, message: value })),
    fc
      .tuple(type, fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([t, item]) => line(t, { item: call(item) })),
  );
  fc.assert(fc.property(anyLine, (hostile) => void reader().read(hostile)));
});

test('versions are found and compared by number', () => {
  expect(versionIn('codex-cli 0.171.0')).toBe('0.171.0');
  expect(versionIn('2.1.332 (Claude Code)')).toBe('2.1.332');
  expect(versionIn('none')).toBeNull();
  expect(isOlder('0.99.0', '0.171.0')).toBe(true);
  expect(isOlder('0.171.0', '0.171.0')).toBe(false);
  expect(isOlder('1.0.0', '0.171.0')).toBe(false);
  expect(isOlder('2.1.196', '2.1.197')).toBe(true);
});
