import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { Principal } from '../../../src/access/index.ts';
import {
  type Listening,
  listenMcp,
  type McpOccurrence,
  type ServeOptions,
  serveMcp,
} from '../../../src/mcp/index.ts';
import { LIMITS, SYSTEM_KINDS, WRITABLE_KINDS } from '../../../src/swarm/index.ts';
import { FakeHouse } from './ports.ts';

export const SESSION: Principal = { kind: 'session', profile: 'me', shared: false };
export const RUN: Principal = { kind: 'run', agent: 'main', runId: 'r-1', profile: 'me-agent' };
export const SENTENCE = 'You are part of a swarm: agents and people who help one another.';
export const MARKER = 'f00dfeed';

export async function temporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'wats-mcp-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export interface TestServer {
  readonly path: string;
  readonly house: FakeHouse;
  readonly listening: Listening;
  readonly log: McpOccurrence[];
}

export function optionsFor(house: FakeHouse, change: Partial<ServeOptions> = {}): ServeOptions {
  return {
    ports: house.ports,
    principal: SESSION,
    openingSentence: SENTENCE,
    version: '1.2.3',
    rules: { limits: LIMITS, writableKinds: WRITABLE_KINDS, systemKinds: SYSTEM_KINDS },
    log: () => {},
    newMarker: () => MARKER,
    ...change,
  };
}

export async function startServer(change: Partial<ServeOptions> = {}, at?: string): Promise<TestServer> {
  const path = at ?? join(await temporaryDir(), 'mcp.sock');
  const house = new FakeHouse();
  const log: McpOccurrence[] = [];
  const options = optionsFor(house, { log: (occurrence) => log.push(occurrence), ...change });
  const listening = await listenMcp(path, { mode: 0o600 }, serveMcp(options));
  onTestFinished(() => listening.close(0));
  return { path, house, listening, log };
}

/** The SDK's client over a Unix socket. */
export async function connectClient(path: string, hello?: object): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new SocketClientTransport(path, hello));
  onTestFinished(() => client.close());
  return client;
}

class SocketClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #socket: Socket;
  readonly #hello: object | undefined;

  constructor(path: string, hello?: object) {
    this.#socket = connect(path);
    this.#hello = hello;
  }

  async start(): Promise<void> {
    const buffer = new ReadBuffer();
    this.#socket.on('data', (chunk) => {
      buffer.append(chunk);
      for (let message = buffer.readMessage(); message; message = buffer.readMessage())
        this.onmessage?.(message);
    });
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.on('close', () => this.onclose?.());
    if (this.#hello) this.#socket.write(`${JSON.stringify(this.#hello)}\n`);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#socket.destroy();
  }
}

export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it needs to
  readonly data: any;
}

/** Calls a tool the way a host does: the SDK checks the answer against the output schema it listed. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolResult> {
  await client.listTools();
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { type: string; text: string }[];
  return { isError: result.isError === true, text: first?.text ?? '', data: result.structuredContent };
}
