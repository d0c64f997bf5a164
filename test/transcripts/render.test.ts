import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTranscriptFile, type TranscriptEntry } from '../../src/transcripts/index.ts';
import { tempDir, transcriptOf } from './helpers.ts';

/** What a person sees of these lines, the header's own entry left out. */
async function rendered(runtime: string, ...lines: (string | object)[]): Promise<TranscriptEntry[]> {
  const file = await openTranscriptFile(transcriptOf(tempDir(), runtime, lines));
  const entries = await file.entries(0, 500, 'whole');
  await file.close();
  expect(entries.map(({ n }) => n)).toEqual(entries.map((_, n) => n));
  return entries.slice(1);
}

const brief = (entries: readonly TranscriptEntry[]) =>
  entries.map(({ kind, label, text }) => [kind, label, text]);

describe('lines of claude', () => {
  it('show what it says, what it calls with which arguments, and what came back', async () => {
    const entries = await rendered(
      'claude',
      '{"type":"system","subtype":"init","session_id":"f142","tools":["mcp__wats__post","mcp__wats__read"],"mcp_servers":[{"name":"wats","status":"connected"}],"model":"claude-sonnet-4-5"}',
      '{"message":{"id":"m","role":"assistant","content":[{"type":"thinking","thinking":"Hm."}]},"type":"assistant"}',
      '{"type":"assistant","message":{"content":[{"type":"text","text":"I read it."}]}}',
      '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_6d","name":"mcp__wats__reply","input":{"kind":"answer","text":"Use WAL.\\nAlways.","n":3}}]}}',
      '{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_6d","type":"tool_result","content":[{"type":"text","text":"{\\"ok\\":true}"}]}]},"timestamp":"2026-11-30T12:00:05Z"}',
      '{"type":"result","subtype":"success","is_error":false,"result":"I read it.","total_cost_usd":0.009}',
    );
    expect(brief(entries)).toEqual([
      ['notice', null, 'claude-sonnet-4-5 · 2 tools · wats connected'],
      ['thinking', null, 'Hm.'],
      ['text', null, 'I read it.'],
      ['tool_call', 'reply', 'kind: answer\ntext: Use WAL.\nAlways.\nn: 3'],
      ['tool_result', 'reply', '{"ok":true}'],
    ]);
    expect(entries.at(-1)?.at).toBe(Date.UTC(2026, 10, 30, 12, 0, 5));
  });

  it('show failures as errors, judged by is_error', async () => {
    const entries = await rendered(
      'claude',
      '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":2,"retry_delay_ms":500,"error_status":401,"error":"authentication_failed"}',
      '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}',
      '{"type":"user","message":{"content":[{"tool_use_id":"t","type":"tool_result","is_error":true,"content":"No such tool available: Bash."}]}}',
      '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","rateLimitType":"five_hour","resetsAt":1}}',
      '{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"result":"Invalid API key"}',
      '{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (3)"]}',
    );
    expect(brief(entries)).toEqual([
      ['notice', null, 'retry 1 of 2: authentication_failed (401)'],
      ['tool_call', 'Bash', 'command: ls'],
      ['error', 'Bash', 'No such tool available: Bash.'],
      ['notice', null, 'rate limit five_hour: rejected'],
      ['error', null, 'Invalid API key'],
      ['error', null, 'Reached maximum number of turns (3)'],
    ]);
  });

  it('show nothing for control messages and types of later versions, and plain text as a notice', async () => {
    const entries = await rendered(
      'claude',
      '{"type":"control_response","response":{"subtype":"success"}}',
      '{"type":"stream_event","event":{}}',
      '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}',
      '{"type":"telepathy","text":"x"}',
      '',
      'warning: something',
    );
    expect(brief(entries)).toEqual([['notice', null, 'warning: something']]);
  });
});

describe('lines of codex', () => {
  it('show a call when it starts and its result when it is completed', async () => {
    const call = {
      id: 'item_2',
      type: 'mcp_tool_call',
      server: 'wats',
      tool: 'post',
      arguments: { text: 'hello' },
    };
    const entries = await rendered(
      'codex',
      { type: 'thread.started', thread_id: '01a2' },
      { type: 'item.completed', item: { id: 'i0', type: 'reasoning', text: 'Thinking.' } },
      { type: 'item.started', item: { ...call, status: 'in_progress' } },
      {
        type: 'item.completed',
        item: {
          ...call,
          result: { content: [{ type: 'text', text: '{"ok":true}' }] },
          error: null,
          status: 'completed',
        },
      },
      { type: 'item.completed', item: { id: 'i3', type: 'agent_message', text: 'Posted.' } },
      { type: 'turn.completed', usage: { input_tokens: 2000 } },
    );
    expect(brief(entries)).toEqual([
      ['thinking', null, 'Thinking.'],
      ['tool_call', 'post', 'text: hello'],
      ['tool_result', 'post', '{"ok":true}'],
      ['text', null, 'Posted.'],
    ]);
  });

  it('tell warnings from failures', async () => {
    const failed = {
      id: 'i',
      type: 'mcp_tool_call',
      server: 'other',
      tool: 'x',
      error: null,
      status: 'failed',
    };
    const entries = await rendered(
      'codex',
      { type: 'item.completed', item: { type: 'error', message: 'unknown feature' } },
      { type: 'error', message: 'Reconnecting... 1/5 (unexpected status 500)' },
      {
        type: 'item.completed',
        item: { ...failed, result: { content: [{ type: 'text', text: 'no such post' }] } },
      },
      { type: 'error', message: 'stream closed' },
      { type: 'turn.failed', error: { message: 'budget reached' } },
    );
    expect(brief(entries)).toEqual([
      ['notice', null, 'unknown feature'],
      ['notice', null, 'Reconnecting... 1/5 (unexpected status 500)'],
      ['error', 'other.x', 'no such post'],
      ['error', null, 'stream closed'],
      ['error', null, 'budget reached'],
    ]);
  });
});

describe('lines of a command', () => {
  it('are its events, or its text as it stands', async () => {
    const entries = await rendered(
      'command',
      'Looking around.',
      '{"type":"text","text":"Two lines\\nof text"}',
      '{"type":"tool_call","id":7,"name":"search","args":{"text":"wal"}}',
      '{"type":"tool_result","id":7,"ok":true,"text":"3 posts"}',
      '{"type":"tool_result","id":7,"ok":false,"text":"refused"}',
      '{"type":"usage","cost_usd":0.01}',
      '{"type":"notice","level":"error","text":"oh"}',
      '{"hello":1}',
      '{not json',
      '   ',
    );
    expect(brief(entries)).toEqual([
      ['text', null, 'Looking around.'],
      ['text', null, 'Two lines\nof text'],
      ['tool_call', 'search', 'text: wal'],
      ['tool_result', 'search', '3 posts'],
      ['error', 'search', 'refused'],
      ['error', null, 'oh'],
      ['text', null, '{"hello":1}'],
      ['text', null, '{not json'],
    ]);
  });
});

describe('every runtime', () => {
  it('shows nothing that moves the cursor, whatever the program prints', async () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\u202e\u0000';
    const entries = [
      ...(await rendered('command', evil, {
        type: 'tool_call',
        id: 'x',
        name: evil,
        args: { [evil]: evil },
      })),
      ...(await rendered('claude', {
        type: 'assistant',
        message: { content: [{ type: 'text', text: evil }] },
      })),
      ...(await rendered('codex', { type: 'turn.failed', error: { message: evil } })),
    ];
    expect(entries).toHaveLength(4);
    for (const { text, label } of entries) expect(text + label).not.toMatch(/[[\p{Cc}\p{Cf}]--[\n]]/v);
  });

  it('is not brought down by arguments nested without end', async () => {
    const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    const entries = await rendered(
      'command',
      `{"type":"tool_call","id":1,"name":"x","args":{"a":${deep}}}`,
      `{"type":"tool_call","id":2,"name":"y","args":${deep}}`,
      'after',
    );
    expect(brief(entries)).toEqual([
      ['tool_call', 'x', 'a: (nested too deep)'],
      ['tool_call', 'y', '(nested too deep)'],
      ['text', null, 'after'],
    ]);
  });

  it('shortens results, and shows the whole when asked', async () => {
    const path = transcriptOf(tempDir(), 'command', [{ type: 'tool_result', id: 1, text: 'x'.repeat(5000) }]);
    const file = await openTranscriptFile(path);
    const [short] = file.tail(1);
    const [whole] = await file.entries(1, 1, 'whole');
    await file.close();
    expect([short?.text.length, short?.omitted]).toEqual([600, 4400]);
    expect([whole?.text.length, whole?.omitted]).toEqual([5000, 0]);
  });

  it('survives any JSON, and places stay where they are however the file is read', async () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '')),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc
        .record({
          type: fc.constantFrom(
            ...['assistant', 'user', 'system', 'result', 'error', 'item.started', 'item.completed', 'text'],
            ...['tool_call', 'tool_result', 'notice', 'usage', 'rate_limit_event', 'turn.failed'],
          ),
          subtype: fc.constantFrom('init', 'api_retry', 'hook_response', 7),
          message: fc.oneof(fc.jsonValue(), fc.record({ content: fc.array(fc.jsonValue()) })),
          item: fc.oneof(
            fc.jsonValue(),
            fc.record({ type: fc.constantFrom('reasoning', 'mcp_tool_call', 'error') }),
          ),
          is_error: fc.jsonValue(),
          text: fc.jsonValue(),
          name: fc.jsonValue(),
          attempt: fc.constantFrom(1, 'one', { toString: 1, valueOf: 1 }),
        })
        .map((value) => JSON.stringify(value)),
    );
    const dir = tempDir();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('claude', 'codex', 'command', 'new'),
        fc.array(odd),
        async (runtime, lines) => {
          const file = await openTranscriptFile(transcriptOf(dir, runtime, lines));
          const all = await file.entries(0, 500, 'short');
          const again = await file.entries(0, 500, 'whole');
          await file.close();
          expect(all).toHaveLength(file.total());
          expect(again.map(({ n, kind }) => [n, kind])).toEqual(all.map(({ n, kind }) => [n, kind]));
        },
      ),
      { numRuns: 200 },
    );
  });
});
