import type { Socket } from 'node:net';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ConnectionLimits } from './limits.ts';
import { LineCutter } from './lines.ts';

/** Why a connection was ended by us. */
export type Dropped = 'line_too_long' | 'bad_lines' | 'unread_answers' | 'refused_hello';

export interface TransportOptions {
  readonly limits: ConnectionLimits;
  /** Sees the first line. `true`: it was ours, MCP begins with the next. A string: refused, and why. */
  readonly onFirstLine: (line: string) => boolean | string;
  readonly onDropped: (why: Dropped) => void;
}

/**
 * JSON-RPC, a message a line, over one socket. The other side may flood, stall, send half a line or garbage: what it
 * sends is read only as fast as it is answered, and memory is bounded by {@link ConnectionLimits}.
 */
export class SocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #socket: Socket;
  readonly #options: TransportOptions;
  readonly #cutter: LineCutter;
  /** Lines read and not yet handed over: at most those of one chunk. */
  #waiting: string[] = [];
  /** Ids of requests handed over and not yet answered. */
  readonly #inFlight = new Set<string>();
  #first = true;
  #badLines = 0;
  #ended = false;
  #closing = false;
  #pumping: NodeJS.Immediate | undefined;
  #stall: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: TransportOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#cutter = new LineCutter(
      options.limits.lineBytes,
      (line) => this.#waiting.push(line),
      () => this.#drop('line_too_long', `a line has over ${options.limits.lineBytes} bytes`),
    );
  }

  async start(): Promise<void> {
    const socket = this.#socket;
    socket.on('data', (chunk: Buffer) => {
      if (this.#closing || this.#ended) return;
      this.#cutter.push(chunk);
      this.#pump();
    });
    socket.on('end', () => {
      this.#ended = true;
      this.#pump();
    });
    socket.on('drain', () => {
      clearTimeout(this.#stall);
      this.#stall = undefined;
      this.#schedule();
    });
    socket.on('error', (error) => this.onerror?.(error));
    socket.on('close', () => {
      this.#closing = true;
      clearTimeout(this.#stall);
      clearImmediate(this.#pumping);
      this.#waiting = [];
      this.onclose?.();
    });
  }

  /** Resolves when the message is queued: whether the other side reads it is none of a handler's business. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('id' in message && !('method' in message) && this.#inFlight.delete(JSON.stringify(message.id))) {
      this.#schedule();
    }
    this.#write(message);
  }

  /** Takes nothing more, and ends the connection once what is in flight was answered. */
  drain(): void {
    this.#ended = true;
    this.#waiting = [];
    this.#schedule();
  }

  /** Ends the connection after what is queued was written. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#socket.destroySoon();
  }

  #write(message: object): void {
    if (this.#closing || this.#socket.destroyed) return;
    const { outHardBytes, stallMs } = this.#options.limits;
    if (this.#socket.write(`${JSON.stringify(message)}\n`)) return;
    if (this.#socket.writableLength > outHardBytes) this.#dropUnread();
    else this.#stall ??= setTimeout(() => this.#dropUnread(), stallMs).unref();
  }

  #schedule(): void {
    this.#pumping ??= setImmediate(() => {
      this.#pumping = undefined;
      this.#pump();
    });
  }

  /** Hands lines over while limits allow, a batch at a time, and reads on only when none is left. */
  #pump(): void {
    if (this.#closing || this.#pumping) return;
    const { inFlight, batch, outSoftBytes } = this.#options.limits;
    let taken = 0;
    while (taken < this.#waiting.length && taken < batch) {
      if (this.#inFlight.size >= inFlight || this.#socket.writableLength > outSoftBytes) break;
      this.#take(this.#waiting[taken] ?? '');
      if (this.#closing) return;
      taken++;
    }
    this.#waiting.splice(0, taken);
    if (this.#waiting.length > 0) {
      this.#socket.pause();
      if (taken === batch) this.#schedule(); // otherwise an answer or a drain goes on
    } else if (this.#ended) {
      if (this.#inFlight.size === 0) void this.close();
    } else {
      this.#socket.resume();
    }
  }

  #take(line: string): void {
    if (this.#first) {
      this.#first = false;
      const ours = this.#options.onFirstLine(line);
      if (typeof ours === 'string') this.#drop('refused_hello', ours);
      if (ours !== false) return;
    }
    if (line.trim() === '') return;
    const message = parse(line);
    if (message === undefined) {
      this.#badLines++;
      if (this.#badLines < this.#options.limits.badLines)
        this.#refuse(null, ErrorCode.ParseError, 'not a JSON-RPC 2.0 message on one line');
      else this.#drop('bad_lines', `${this.#badLines} lines were no JSON-RPC 2.0 messages`);
      return;
    }
    if (isJSONRPCRequest(message)) {
      const key = JSON.stringify(message.id);
      if (this.#inFlight.has(key)) {
        this.#refuse(message.id, ErrorCode.InvalidRequest, 'a request with this id is still being answered');
        return;
      }
      this.#inFlight.add(key);
    } else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      // A cancelled request is never answered.
      const { requestId } = message.params ?? {};
      this.#inFlight.delete(JSON.stringify(requestId));
    }
    this.onmessage?.(message);
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #drop(why: Dropped, message: string): void {
    if (this.#closing) return;
    this.#refuse(null, ErrorCode.InvalidRequest, `wats closes this connection: ${message}`);
    this.#options.onDropped(why);
    this.#waiting = [];
    this.#closing = true;
    // The rest of what the other side sends is read by nobody, so it is not waited for.
    this.#socket.destroySoon();
    this.#stall ??= setTimeout(() => this.#socket.destroy(), this.#options.limits.stallMs).unref();
  }

  #dropUnread(): void {
    if (!this.#socket.destroyed) this.#options.onDropped('unread_answers');
    this.#socket.destroy();
  }
}

function parse(line: string): JSONRPCMessage | undefined {
  try {
    const checked = JSONRPCMessageSchema.safeParse(JSON.parse(line));
    return checked.success ? checked.data : undefined;
  } catch {
    return undefined; // not JSON; the caller answers so
  }
}
