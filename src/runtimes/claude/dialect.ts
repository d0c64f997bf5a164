import type { Program } from '../engine/program.ts';
import type { Dialect } from '../engine/session.ts';
import { ClaudeReader } from './reader.ts';
import { waitForTools } from './ready.ts';
import { exitResult } from './result.ts';

/** It closes its MCP servers first, which may take it a second or two. */
const PATIENCE_MS = 5000;

/** How wats talks with Claude Code: stream-json both ways, and the control requests that its own SDK uses. */
export function claudeDialect(): Dialect {
  const waiting = new Map<string, (response: unknown) => void>();
  let program: Program | null = null;
  let serial = 0;

  const send = (message: unknown): void => program?.write(`${JSON.stringify(message)}\n`);
  const ask = (subtype: string): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const requestId = `wats-${++serial}`;
    waiting.set(requestId, resolve);
    send({ type: 'control_request', request_id: requestId, request: { subtype } });
    return promise;
  };
  const reader = new ClaudeReader({
    answered(requestId, response) {
      waiting.get(requestId)?.(response);
      waiting.delete(requestId);
    },
    // Nobody is there to be asked, and a question without an answer would hold the turn.
    asked(requestId, subtype) {
      const response =
        subtype === 'can_use_tool'
          ? { subtype: 'success', response: { behavior: 'deny', message: 'Nobody is here to allow this.' } }
          : { subtype: 'error', error: `wats does not answer ${subtype}.` };
      send({ type: 'control_response', response: { ...response, request_id: requestId } });
    },
  });

  return {
    manyTurns: true,
    hearsBytes: false,
    patienceMs: PATIENCE_MS,
    async ready(started) {
      program = started;
      send({ type: 'control_request', request_id: 'wats-0', request: { subtype: 'initialize', hooks: {} } });
      return waitForTools(ask);
    },
    begin(started, prompt) {
      program = started;
      send({ type: 'user', message: { role: 'user', content: prompt } });
    },
    read: (line) => reader.read(line),
    interrupt() {
      void ask('interrupt');
    },
    exited: exitResult,
  };
}
