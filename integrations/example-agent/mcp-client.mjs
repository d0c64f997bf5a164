// As much of an MCP client as an agent needs: JSON-RPC 2.0, one message a line, over the stdio of a server it starts.
// A real agent would rather use an SDK; this shows that there is no magic in it.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const PROTOCOL_VERSION = '2025-06-18';
const ANSWER_WITHIN_MS = 60_000;

export class McpClient {
  #child;
  #nextId = 1;
  /** id of a request → what settles it */
  #waiting = new Map();

  /** Starts the server and shakes hands. `server` is an entry of an MCP host's `mcpServers`. */
  static async start(server) {
    const client = new McpClient(server);
    await client.#request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: 'wats-example-agent', version: '1.0.0' },
    });
    client.#send({ method: 'notifications/initialized' });
    return client;
  }

  constructor({ command, args = [], env = {} }) {
    this.#child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.on('error', (error) => this.#failAll(`the wats server cannot be started: ${error.message}`));
    this.#child.on('exit', () => this.#failAll('the wats server is gone'));
    this.#child.stdin.on('error', () => {}); // its exit says more
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
  }

  /** Calls a tool: `text` is for reading, `structured` for programs, `ok` false when the tool refused. */
  async callTool(name, args) {
    const result = await this.#request('tools/call', { name, arguments: args });
    const text = (result.content ?? [])
      .filter((part) => part.type === 'text')
      .map((part) => part.text)
      .join('\n');
    return { ok: result.isError !== true, text, structured: result.structuredContent };
  }

  /** Closes the server's input, which is how it is told to end, and waits for it. */
  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    await gone;
  }

  #request(method, params) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id, { error: { message: 'no answer' } }), ANSWER_WITHIN_MS);
      this.#waiting.set(id, { method, resolve, reject, timer });
      this.#send({ id, method, params });
    });
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(line) {
    const message = JSON.parse(line);
    // Requests of the server to us (there are none that we have promised to answer) and notifications are left alone.
    if (message.method === undefined) this.#settle(message.id, message);
  }

  #settle(id, { result, error }) {
    const request = this.#waiting.get(id);
    if (request === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(request.timer);
    if (error === undefined) request.resolve(result);
    else request.reject(new Error(`${request.method}: ${error.message}`));
  }

  #failAll(why) {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { error: { message: why } });
  }
}
