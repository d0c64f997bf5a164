import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What the model says: words, one call of a tool, or nothing for ever. */
export type ChatTurn =
  | { readonly say: string }
  | { readonly call: string; readonly args: unknown }
  | { readonly hang: true };

export interface ChatRequest {
  readonly at: number;
  readonly tools: readonly string[];
  /** Everything that the model reads, as text. */
  readonly read: string;
  /** The newest message. */
  readonly last: { readonly role: string; readonly content: unknown };
}

export interface ChatModel {
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

/** OpenAI's chat interface on loopback, streaming (https://platform.openai.com/docs/api-reference/chat-streaming). */
export async function startChatModel(answer: (request: ChatRequest) => ChatTurn): Promise<ChatModel> {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ object: 'list', data: [{ id: 'stub-1', object: 'model' }] }));
    }
    const body = JSON.parse(await text(request)) as {
      messages: ChatRequest['last'][];
      tools?: { function: { name: string } }[];
    };
    const seen: ChatRequest = {
      at: Date.now(),
      tools: (body.tools ?? []).map((tool) => tool.function.name),
      read: JSON.stringify(body.messages),
      last: body.messages.at(-1) ?? { role: '', content: '' },
    };
    requests.push(seen);
    const turn = answer(seen);
    if (!('hang' in turn)) stream(response, turn, requests.length);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

function stream(response: ServerResponse, turn: Exclude<ChatTurn, { hang: true }>, serial: number): void {
  const frame = { id: `chat-${serial}`, object: 'chat.completion.chunk', created: 1, model: 'stub-1' };
  const send = (data: unknown): void => void response.write(`data: ${JSON.stringify(data)}\n\n`);
  const delta = (value: unknown, finish: string | null = null): void =>
    send({ ...frame, choices: [{ index: 0, delta: value, finish_reason: finish }] });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  delta({ role: 'assistant', content: '' });
  if ('say' in turn) delta({ content: turn.say });
  else {
    const call = { name: turn.call, arguments: JSON.stringify(turn.args) };
    delta({ tool_calls: [{ index: 0, id: `call_${serial}`, type: 'function', function: call }] });
  }
  delta({}, 'say' in turn ? 'stop' : 'tool_calls');
  send({ ...frame, choices: [], usage: { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050 } });
  response.end('data: [DONE]\n\n');
}
