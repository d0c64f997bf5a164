import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type {
  Gateway,
  KeptRequest,
  OpenclawDeps,
  RequestBook,
  RunSpec,
} from '../../../src/runtimes/index.ts';
import { testRun } from '../../support/run-spec.ts';

export const TOKEN = 'b'.repeat(64);

/** A POST /hooks/agent with a message, as it arrived. */
export interface Hooked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Play = (response: ServerResponse, hooked: Hooked, stub: Stub) => unknown;

export interface Stub {
  readonly port: number;
  readonly gateway: Gateway;
  /** Forwards, oldest first: looks without a message are left out. */
  readonly hooks: readonly Hooked[];
  /** Turns that were begun: a repeated request of a known key begins none. */
  readonly turns: string[];
  readonly knocks: number;
  /** Cuts every connection. */
  cut(): void;
  /** Forgets every key, as a gateway that was started anew. */
  restart(): void;
  close(): Promise<void>;
}

/** What a good turn answers [seen]. */
export const OK =
  '{"ok":true,"runId":"3f1941d4-0913-4719-bb21-46b15b8ec0df","completion":{"status":"ok","replyDisposition":"visible","delivered":false,"deliveryAttempted":false}}';

export function json(status: number, body: string, headers: Record<string, string> = {}): Play {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

export function plain(status: number, body: string, headers: Record<string, string> = {}): Play {
  return (response) => response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
}

/**
 * A gateway on loopback that behaves as reference/openclaw.md says: the hook token, `message required`, keys that are
 * remembered until a restart, /ready. `plays` are the answers to forwards in order, the last one for ever; a request
 * whose key is known gets what its turn answers, without a new play.
 */
export async function startStub(
  plays: readonly Play[],
  options: {
    token?: string;
    also?: string;
    ready?: 'silent' | 'none';
    hooks?: 'off';
    knock?: Play;
    joined?: Play;
  } = {},
): Promise<Stub> {
  const hooks: Hooked[] = [];
  const turns: string[] = [];
  const known = new Map<string, Play>();
  const sockets = new Set<Socket>();
  let startedAt = Date.now() - 3_600_000;
  let knocks = 0;
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const body = await text(request).catch(() => '');
    const hooked = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    if (hooked.path === '/ready') {
      if (options.ready === 'none') return void response.writeHead(404).end('Not Found');
      const more = options.ready === 'silent' ? {} : { uptimeMs: Date.now() - startedAt };
      return void response.writeHead(200).end(JSON.stringify({ ready: true, failing: [], ...more }));
    }
    if (hooked.path !== '/hooks/agent' || options.hooks === 'off')
      return void plain(404, 'Not Found')(response, hooked, stub);
    const token = request.headers.authorization?.replace('Bearer ', '');
    if (token !== (options.token ?? TOKEN) && token !== options.also)
      return void plain(401, 'Unauthorized')(response, hooked, stub);
    if (body === '{}') {
      knocks++;
      return void (options.knock ?? json(400, '{"ok":false,"error":"message required"}'))(
        response,
        hooked,
        stub,
      );
    }
    hooks.push(hooked);
    const key = String(request.headers['idempotency-key']);
    const scope = `${key}\n${body}`;
    const play = known.get(scope);
    if (play !== undefined) return void (await play(response, hooked, stub));
    turns.push(key);
    const next = plays[Math.min(turns.length, plays.length) - 1] as Play;
    known.set(scope, options.joined ?? json(200, OK));
    await next(response, hooked, stub);
    // A request that was refused is not remembered.
    if (response.writableEnded && response.statusCode !== 200) known.delete(scope);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      if (!server.listening) return resolve();
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const stub: Stub = {
    port,
    gateway: gatewayAt(port),
    hooks,
    turns,
    get knocks() {
      return knocks;
    },
    cut() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    restart() {
      known.clear();
      startedAt = Date.now();
      stub.cut();
    },
    close,
  };
  onTestFinished(close);
  return stub;
}

export function gatewayAt(port: number, host = '127.0.0.1'): Gateway {
  return {
    origin: `http://${host}:${port}`,
    hooksPath: '/hooks',
    host,
    clear: 'loopback',
    reaches: (ip) => ip === '127.0.0.1' || ip === '::1',
  };
}

/** Requests in memory, with everything that was ever kept. */
export function book(): RequestBook & {
  readonly kept: KeptRequest[];
  readonly now: Map<string, KeptRequest>;
} {
  const now = new Map<string, KeptRequest>();
  const kept: KeptRequest[] = [];
  const change = (run: string, more: Partial<KeptRequest>): void => {
    const request = now.get(run);
    if (request !== undefined) now.set(run, { ...request, ...more });
  };
  return {
    kept,
    now,
    keep(request) {
      kept.push(request);
      now.set(request.run, request);
    },
    sent: (run, sentAt) => change(run, { sentAt }),
    alive: (run, aliveAt) => change(run, { aliveAt }),
    of: (run) => now.get(run) ?? null,
  };
}

export const ROOT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function deps(gateway: Gateway, over: Partial<OpenclawDeps> = {}): OpenclawDeps {
  return {
    gateway,
    agentId: 'wats',
    token: () => TOKEN,
    requests: book(),
    ask: async () => null,
    spend: { by: 'openclaw' },
    now: Date.now,
    waits: { admissionMs: 400, marginMs: 400, againMs: 20, lookMs: 1000, rememberedMs: 5000, aliveMs: 1000 },
    ...over,
  };
}

export function spec(over: Partial<RunSpec> = {}) {
  return testRun({ runId: 'r-0123456789ab', session: `thread:${ROOT}`, timeoutMs: 60_000, ...over });
}
