import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { anthropicWire } from './wire-anthropic.ts';
import { openaiWire } from './wire-openai.ts';

/** What the model says in one answer. */
export interface Answer {
  readonly text?: string;
  /** Tools that it calls. A text for `input` is handed over as it is, where the provider has such tools. */
  readonly tools?: readonly { readonly name: string; readonly input: unknown; readonly namespace?: string }[];
  readonly usage?: { readonly input: number; readonly output: number };
  /** The provider's own word for why it stopped; worked out from `tools` unless said. */
  readonly stopReason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** Sends the beginning of the answer, then nothing more, or only the keep-alive events of the provider. */
  readonly hang?: 'mid-stream' | 'mid-stream-with-pings';
  /** Sends the beginning of the answer, then cuts the connection. */
  readonly cut?: true;
}

/** An answer, or a fault in its place. */
export type ModelTurn =
  | Answer
  | {
      readonly status: number;
      readonly error: { readonly type: string; readonly message: string };
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Takes the request and never answers. */
  | { readonly hang: 'no-headers' }
  /** Cuts the connection. */
  | { readonly reset: true };

export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** How a provider's interface looks on the wire. */
export interface Wire {
  readonly path: string;
  /** The tools that a request offers, with whatever namespaces hold them. */
  toolsOf(body: Readonly<Record<string, unknown>>): readonly unknown[];
  /** Server-sent events of a whole answer, in order. */
  events(answer: Answer, serial: number): readonly { readonly event: string; readonly data: unknown }[];
  /** The same answer to a request that did not ask for a stream. */
  whole(answer: Answer, serial: number): unknown;
  error(error: { readonly type: string; readonly message: string }): unknown;
}

const WIRES = { anthropic: anthropicWire, openai: openaiWire };

export interface ModelServer {
  /** Base URL, as a provider's client wants it. */
  readonly url: string;
  /** Requests for an answer, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** The tools that a request offered. */
  toolsOf(request: number): readonly unknown[];
  close(): Promise<void>;
}

/**
 * A model provider on loopback that says what a test scripted: one turn a request, the last one for ever.
 * A request without tools is about something else (a title); it gets a fixed answer and takes no turn.
 */
export async function startModelServer(
  provider: keyof typeof WIRES,
  turns: readonly [ModelTurn, ...ModelTurn[]],
): Promise<ModelServer> {
  const wire = WIRES[provider];
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (request.method !== 'POST' || !path.startsWith(wire.path)) {
      response.writeHead(request.method === 'HEAD' ? 200 : 404).end();
      return;
    }
    const body = (await json(request)) as Record<string, unknown>;
    if (wire.toolsOf(body).length === 0) {
      await answer(response, wire, body, { text: 'aside' }, 0);
      return;
    }
    requests.push({ path, headers: request.headers, body });
    const turn = turns[Math.min(requests.length, turns.length) - 1] as ModelTurn;
    await play(response, wire, body, turn, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    toolsOf: (request) => wire.toolsOf(requests[request]?.body ?? {}),
    close: () => closeServer(server),
  };
}

async function play(
  response: ServerResponse,
  wire: Wire,
  body: Record<string, unknown>,
  turn: ModelTurn,
  serial: number,
): Promise<void> {
  if ('reset' in turn) response.socket?.resetAndDestroy();
  else if ('status' in turn)
    response
      .writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers })
      .end(JSON.stringify(wire.error(turn.error)));
  else if (turn.hang === 'no-headers') return;
  else await answer(response, wire, body, turn as Answer, serial);
}

async function answer(
  response: ServerResponse,
  wire: Wire,
  body: Record<string, unknown>,
  turn: Answer,
  serial: number,
): Promise<void> {
  if (turn.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, turn.delayMs));
  if (body['stream'] !== true) {
    response.writeHead(200, { 'content-type': 'application/json', ...turn.headers });
    // A client that falls back to a plain request after a stalled stream must not be saved by it.
    if (turn.cut) response.socket?.resetAndDestroy();
    else if (turn.hang === undefined) response.end(JSON.stringify(wire.whole(turn, serial)));
    else response.flushHeaders();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...turn.headers });
  const events = wire.events(turn, serial);
  const sent = turn.hang === undefined && !turn.cut ? events : events.slice(0, Math.ceil(events.length / 2));
  for (const { event, data } of sent) response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  if (turn.cut) response.write('', () => response.socket?.resetAndDestroy());
  else if (turn.hang === undefined) response.end();
  if (turn.hang === 'mid-stream-with-pings') {
    const ping = setInterval(() => response.write('event: ping\ndata: {"type":"ping"}\n\n'), 100);
    response.on('close', () => clearInterval(ping));
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
