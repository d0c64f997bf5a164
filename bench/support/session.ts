import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { socketOf } from './program.ts';

export interface Posted {
  readonly ok: boolean;
  readonly id: string | null;
  readonly text: string;
}

/** An agent session on a node's MCP socket, under a profile of its own. */
export interface Session {
  post(content: { readonly parent: string | null; readonly text: string }): Promise<Posted>;
  close(): void;
}

interface Answer {
  readonly id?: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: { readonly id?: string };
    readonly content?: readonly { readonly text?: string }[];
  };
  readonly error?: { readonly message: string };
}

/** Rejects when nobody listens, or the connection ends before an answer is here. */
export async function openSession(dir: string, profile: string): Promise<Session> {
  const socket = await dial(socketOf(dir, 'mcp.sock'));
  const waiting = new Map<number, { done: (answer: Answer) => void; fail: (error: Error) => void }>();
  let next = 1;
  socket.on('close', () => {
    for (const { fail } of waiting.values()) fail(new Error('the node is gone'));
    waiting.clear();
  });
  const lines = createInterface({ input: socket });
  // How a connection broke is told by its end.
  lines.on('error', () => {});
  lines.on('line', (text) => {
    const answer = JSON.parse(text) as Answer;
    const asked = waiting.get(answer.id ?? -1);
    waiting.delete(answer.id ?? -1);
    asked?.done(answer);
  });
  const send = (message: object): void => {
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const request = (method: string, params: object): Promise<Answer> =>
    new Promise((done, fail) => {
      if (socket.destroyed) {
        fail(new Error('the node is gone'));
        return;
      }
      const id = next++;
      waiting.set(id, { done, fail });
      send({ id, method, params });
    });

  socket.write(`${JSON.stringify({ wats: 1, profile })}\n`);
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return {
    async post({ parent, text }) {
      const call =
        parent === null
          ? { name: 'post', arguments: { kind: 'ask', text } }
          : { name: 'reply', arguments: { kind: 'answer', parent, text } };
      const { result, error } = await request('tools/call', call);
      const said = error?.message ?? result?.content?.[0]?.text ?? '';
      const id = result?.structuredContent?.id ?? null;
      return { ok: result !== undefined && result.isError !== true && id !== null, id, text: said };
    },
    close: () => socket.destroy(),
  };
}

function dial(path: string): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.off('error', fail);
      socket.on('error', () => {});
      done(socket);
    });
    socket.once('error', fail);
  });
}
