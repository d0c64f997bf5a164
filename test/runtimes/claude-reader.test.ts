import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClaudeReader } from '../../src/runtimes/claude/reader.ts';
import { waitForTools } from '../../src/runtimes/claude/ready.ts';
import { exitResult } from '../../src/runtimes/claude/result.ts';
import type { Reading } from '../../src/runtimes/engine/session.ts';

function reader(): { read: (value: unknown) => Reading; answers: unknown[]; asked: unknown[] } {
  const answers: unknown[] = [];
  const asked: unknown[] = [];
  const claude = new ClaudeReader({
    answered: (id, response) => answers.push([id, response]),
    asked: (id, subtype) => asked.push([id, subtype]),
  });
  return {
    read: (value) => claude.read(typeof value === 'string' ? value : JSON.stringify(value)),
    answers,
    asked,
  };
}

const says = (id: string, ...content: unknown[]): unknown => ({
  type: 'assistant',
  message: { id, model: 'm', content },
});
const calls = (id: string): unknown => ({ type: 'tool_use', id, name: 'mcp__wats__reply', input: { a: 1 } });
const answers = (id: string, content: unknown, is_error?: boolean): unknown => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error }] },
});
const ends = (over: object): unknown => ({
  subtype: 'success',
  is_error: false,
  result: 'done',
  total_cost_usd: 0.009,
  type: 'result',
  ...over,
});

test('each block becomes its event', () => {
  const { read } = reader();
  expect(
    read(says('m1', { type: 'text', text: 'hi' }, { type: 'thinking', thinking: 'hm' }, calls('t1'))).events,
  ).toEqual([
    { type: 'text', text: 'hi' },
    { type: 'thinking', text: 'hm' },
    { type: 'tool_call', callId: 't1', name: 'mcp__wats__reply', args: { a: 1 } },
    { type: 'usage', turns: 1 },
  ]);
  expect(
    read(answers('t1', [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }])).events,
  ).toEqual([{ type: 'tool_result', callId: 't1', ok: true, text: 'a\n[image]\nb' }]);
  expect(read(answers('t1', 'no', true)).events).toEqual([
    { type: 'tool_result', callId: 't1', ok: false, text: 'no' },
  ]);
});

test('an answer of several lines is one turn, and what the program says itself is none', () => {
  const { read } = reader();
  read(says('m1', { type: 'text', text: 'a' }));
  expect(read(says('m1', calls('t1'))).events.some((event) => event.type === 'usage')).toBe(false);
  expect(read(says('m2', { type: 'text', text: 'b' })).events).toContainEqual({ type: 'usage', turns: 2 });
  read({ type: 'assistant', message: { id: 'x', model: '<synthetic>', content: [] }, error: 'rate_limit' });
  expect(read(ends({})).result).toMatchObject({ outcome: 'ok', turns: 2, costMicroUsd: 9000 });
});

test('a block of a kind that we do not know loses nothing beside it', () => {
  const { read } = reader();
  expect(read(says('m', null, { type: 'hologram' }, { type: 'text', text: 'kept' })).events[0]).toEqual({
    type: 'text',
    text: 'kept',
  });
});

test('what is transient stays out of the transcript, everything else is kept', () => {
  const { read } = reader();
  expect(read({ type: 'stream_event', event: { type: 'content_block_delta' } })).toMatchObject({
    keep: false,
    heard: true,
  });
  expect(read({ type: 'stream_event', event: { type: 'ping' } })).toMatchObject({
    keep: false,
    heard: false,
  });
  expect(read({ type: 'system', subtype: 'status' }).keep).toBe(false);
  expect(read({ type: 'system', subtype: 'init' }).keep).toBe(true);
  expect(read({ type: 'tomorrow' }).keep).toBe(true);
  expect(read('no json').keep).toBe(true);
});

test('answers and questions of the control protocol reach their place and nobody else', () => {
  const { read, answers: seen, asked } = reader();
  expect(
    read({ type: 'control_response', response: { subtype: 'success', request_id: 'r', response: { a: 1 } } })
      .keep,
  ).toBe(false);
  read({ type: 'control_response', response: { subtype: 'error', request_id: 's', error: 'x' } });
  read({ type: 'control_request', request_id: 'q', request: { subtype: 'can_use_tool', tool_name: 'Bash' } });
  expect(seen).toEqual([
    ['r', { a: 1 }],
    ['s', null],
  ]);
  expect(asked).toEqual([['q', 'can_use_tool']]);
});

test('the outcome follows is_error and the status, never the subtype', () => {
  const outcome = (over: object): string | undefined => reader().read(ends(over)).result?.outcome;
  const failed = (api_error_status: number | null, result = 'x', more: object = {}): string | undefined =>
    outcome({ is_error: true, api_error_status, result, total_cost_usd: 0, ...more });
  expect(outcome({})).toBe('ok');
  expect(outcome({ is_error: true, subtype: 'error_max_turns' })).toBe('max_turns');
  expect(outcome({ is_error: true, subtype: 'error_max_budget_usd' })).toBe('max_usd');
  expect(outcome({ is_error: true, stop_reason: 'refusal' })).toBe('refused');
  expect([401, 402, 403].map((status) => failed(status))).toEqual(['auth', 'auth', 'auth']);
  expect(failed(404)).toBe('config');
  expect(failed(429)).toBe('rate_limited');
  expect(failed(500)).toBe('error');
  expect(failed(529)).toBe('deferred');
  expect(failed(529, 'x', { total_cost_usd: 0.01 })).toBe('error');
  expect(failed(null, 'API Error: Unable to connect to API (ConnectionRefused)')).toBe('deferred');
  expect(failed(null, 'Request timed out')).toBe('error');
  expect(outcome({ is_error: true, subtype: 'error_during_execution' })).toBe('error');
});

test('a failure of the login is known by the word of the program when there is no status', () => {
  const { read } = reader();
  read({
    type: 'assistant',
    message: { id: 'x', model: '<synthetic>', content: [] },
    error: 'authentication_failed',
  });
  const { result } = read(
    ends({ is_error: true, result: 'Not logged in · Please run /login', api_error_status: null }),
  );
  expect(result).toMatchObject({ outcome: 'auth', message: 'Not logged in · Please run /login' });
});

test('a limit is told with the time at which it resets, in milliseconds', () => {
  const { read } = reader();
  read({
    type: 'rate_limit_event',
    rate_limit_info: { status: 'allowed_warning', resetsAt: 5, rateLimitType: 'five_hour' },
  });
  read({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_896_100_000 } });
  const { result } = read(ends({ is_error: true, api_error_status: 429 }));
  expect(result).toMatchObject({ outcome: 'rate_limited', resetAt: 1_896_100_000_000 });
});

test('costs are those of the turn, though the program adds them up over its life', () => {
  const { read } = reader();
  expect(read(ends({ total_cost_usd: 0.009 })).result?.costMicroUsd).toBe(9000);
  expect(read(ends({ total_cost_usd: 0.012 })).result?.costMicroUsd).toBe(3000);
  expect(read(ends({ total_cost_usd: 'x' })).result?.costMicroUsd).toBeNull();
});

test('a run whose every wats call was lost is no success; one that a tool refused is', () => {
  const lost = reader();
  lost.read(says('m', calls('t1')));
  lost.read(answers('t1', 'MCP error -32000: Connection closed', true));
  expect(lost.read(ends({})).result?.outcome).toBe('error');
  const refused = reader();
  refused.read(says('m', calls('t1')));
  refused.read(answers('t1', 'The text is too long.', true));
  expect(refused.read(ends({})).result?.outcome).toBe('ok');
});

test('no line whatever throws', () => {
  const claude = reader();
  const type = fc.constantFrom(
    'assistant',
    'user',
    'system',
    'result',
    'rate_limit_event',
    'stream_event',
    'control_response',
    'control_request',
  );
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .tuple(type, fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([t, rest]) => JSON.stringify({ ...rest, type: t, message: rest })),
  );
  fc.assert(fc.property(line, (text) => void claude.read(text)));
});

test('a program that ended without a result says how', () => {
  expect(exitResult({ code: 1, signal: null }, "error: unknown option '--x'")).toMatchObject({
    outcome: 'config',
  });
  expect(exitResult({ code: null, signal: 'SIGKILL' }, '')).toEqual({
    outcome: 'error',
    message: 'claude ended by SIGKILL and without a result',
  });
});

test('tools are waited for, and a server that keeps failing is not', async () => {
  const status = (state: string, tools: unknown[] = []): unknown => ({
    mcpServers: [{ name: 'wats', status: state, error: 'boom', tools }],
  });
  const script = (...replies: unknown[]) => {
    let at = 0;
    return async () => replies[Math.min(at++, replies.length - 1)];
  };
  expect(
    await waitForTools(
      script(status('pending'), null, status('failed'), status('connected'), status('connected', [{}])),
    ),
  ).toBeNull();
  expect(await waitForTools(script(status('failed')))).toMatchObject({
    outcome: 'no_tools',
    costMicroUsd: 0,
    message: expect.stringContaining('failed: boom'),
  });
});
