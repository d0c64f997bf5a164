import { describe, expect, test } from 'vitest';
import { refuse, SessionMemory } from '../../src/mcp/bridge/session.ts';

const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const callOf = (id: number | string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{}}`;
const answerTo = (id: number | string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`;

function begun(): SessionMemory {
  const memory = new SessionMemory();
  memory.sent(initialize);
  memory.received(answerTo(0));
  memory.sent(initialized);
  return memory;
}

describe('the memory of a session', () => {
  test('replays the handshake under an id of its own, keeps that answer, and then says initialized', () => {
    const memory = begun();
    const { lines, await: awaited } = memory.reopen();
    const replay = JSON.parse(lines[0] ?? '');
    expect(awaited).toBe(true);
    expect(replay).toMatchObject({ method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    expect(replay.id).not.toBe(0);
    expect(memory.received(answerTo(replay.id))).toEqual({ is: 'replayed' });
    expect(memory.afterReplay()).toEqual([initialized]);
  });

  test('uses a new id for each replay, so that a late answer is not taken for this one', () => {
    const memory = begun();
    const first = JSON.parse(memory.reopen().lines[0] ?? '').id;
    memory.lost('x');
    const second = JSON.parse(memory.reopen().lines[0] ?? '').id;
    expect(second).not.toBe(first);
  });

  test('sends a handshake without an answer again as it was: the host still waits for it', () => {
    const memory = new SessionMemory();
    memory.sent(initialize);
    expect(memory.lost('gone')).toEqual([]);
    expect(memory.reopen()).toEqual({ lines: [initialize], await: false });
    expect(memory.received(answerTo(0))).toEqual({ is: 'pass' });
  });

  test('answers every call in flight once, and none that was answered or cancelled', () => {
    const memory = begun();
    for (const id of [1, 2, 'three', 4]) memory.sent(callOf(id));
    memory.received(answerTo(2));
    memory.sent('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}');
    expect(memory.lost('gone').map((line) => JSON.parse(line))).toEqual([
      { jsonrpc: '2.0', id: 1, result: { isError: true, content: [{ type: 'text', text: 'gone' }] } },
      { jsonrpc: '2.0', id: 'three', result: { isError: true, content: [{ type: 'text', text: 'gone' }] } },
    ]);
    expect(memory.lost('gone')).toEqual([]);
  });

  test('does not take 1 for "1"', () => {
    const memory = begun();
    memory.sent(callOf(1));
    memory.received(answerTo('1'));
    expect(memory.waits).toBe(true);
    memory.received(answerTo(1));
    expect(memory.waits).toBe(false);
  });

  test('answers what is no tool call with an error of the protocol', () => {
    const memory = begun();
    memory.sent('{"jsonrpc":"2.0","id":5,"method":"tools/list"}');
    expect(JSON.parse(memory.lost('gone')[0] ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 5,
      error: { code: -32603, message: 'gone' },
    });
  });

  test('keeps from the host why a node closes the connection', () => {
    const line = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"old"}}';
    expect(new SessionMemory().received(line)).toEqual({ is: 'closing', why: 'old' });
  });

  test('passes on what it does not understand', () => {
    const memory = begun();
    for (const line of ['', 'nonsense', '[]', '7', '{"method":"notifications/x"}', answerTo(99)]) {
      memory.sent(line);
      expect(memory.received(line)).toEqual({ is: 'pass' });
    }
  });
});

test('a line that can reach no node is answered only if it asks for something', () => {
  expect(JSON.parse(refuse(callOf(1), 'why') ?? '')).toMatchObject({ id: 1, result: { isError: true } });
  expect(refuse(initialized, 'why')).toBeUndefined();
  expect(refuse(answerTo(1), 'why')).toBeUndefined();
  expect(refuse('nonsense', 'why')).toBeUndefined();
});
