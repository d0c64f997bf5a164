/** A JSON-RPC message as far as the bridge looks into it. */
interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown };
  readonly error?: { readonly message?: unknown };
}

/** What to do with a line of the node: pass it on, or keep it from the host, who knows nothing of what it is about. */
export type FromNode =
  | { readonly is: 'pass' }
  | { readonly is: 'replayed' }
  | { readonly is: 'replay_refused' }
  /** An answer to no request: the node says why it closes the connection. */
  | { readonly is: 'closing'; readonly why: string };

/**
 * What one host's MCP session needs to survive the end of its connection: how it began, and which requests the node
 * owes an answer. Pure memory; the bridge does the writing.
 */
export class SessionMemory {
  /** The host's `initialize`, as it was sent. */
  #initialize: Message | undefined;
  #initializeAnswered = false;
  #initialized: string | undefined;
  readonly #owed = new Map<string, Message>();
  #replays = 0;
  #replayId: string | undefined;

  /** A line of the host goes out to the node now. */
  sent(line: string): void {
    const message = parse(line);
    if (message === undefined) return;
    if (message.method === 'notifications/initialized') this.#initialized = line;
    if (message.method === 'notifications/cancelled') this.#owed.delete(key(message.params?.requestId));
    if (message.method === undefined || message.id === undefined) return;
    if (message.method === 'initialize') {
      this.#initialize = message;
      this.#initializeAnswered = false;
    } else {
      this.#owed.set(key(message.id), { id: message.id, method: message.method });
    }
  }

  /** A line of the node came. */
  received(line: string): FromNode {
    const message = parse(line);
    if (message === undefined || message.method !== undefined) return { is: 'pass' };
    if (message.id === null && message.error) return { is: 'closing', why: String(message.error.message) };
    if (this.#replayId !== undefined && message.id === this.#replayId) {
      this.#replayId = undefined;
      return { is: message.error ? 'replay_refused' : 'replayed' };
    }
    if (this.#initialize !== undefined && message.id === this.#initialize.id) this.#initializeAnswered = true;
    this.#owed.delete(key(message.id));
    return { is: 'pass' };
  }

  /** Whether the node owes an answer to anything. */
  get waits(): boolean {
    return this.#owed.size > 0 || (this.#initialize !== undefined && !this.#initializeAnswered);
  }

  /** The connection is gone: an answer for each call that was in flight. None is ever sent again. */
  lost(text: string): string[] {
    const answers = [...this.#owed.values()].map((message) => errorAnswer(message, text));
    this.#owed.clear();
    this.#replayId = undefined;
    return answers;
  }

  /** An answer for a handshake that no node will give one to. */
  refuseHandshake(text: string): string[] {
    if (this.#initialize === undefined || this.#initializeAnswered) return [];
    this.#initializeAnswered = true;
    return [errorAnswer(this.#initialize, text)];
  }

  /**
   * What a new connection begins with, and whether its answer is to be awaited before anything else is sent. A
   * handshake that the host had its answer to is replayed under an id of ours; one without an answer as it was.
   */
  reopen(): { readonly lines: readonly string[]; readonly await: boolean } {
    if (this.#initialize === undefined) return { lines: [], await: false };
    if (!this.#initializeAnswered) return { lines: [JSON.stringify(this.#initialize)], await: false };
    this.#replays++;
    this.#replayId = `wats-replay-${this.#replays}`;
    return { lines: [JSON.stringify({ ...this.#initialize, id: this.#replayId })], await: true };
  }

  /** What follows an answered replay. */
  afterReplay(): readonly string[] {
    return this.#initialized === undefined ? [] : [this.#initialized];
  }
}

/** The answer to a line of the host that can't reach a node; `undefined` when nobody waits for one. */
export function refuse(line: string, text: string): string | undefined {
  const message = parse(line);
  if (message?.method === undefined || message.id === undefined) return undefined;
  return errorAnswer(message, text);
}

/** A failed call is a result, which models read; anything else is an error of the protocol. */
function errorAnswer(message: Message, text: string): string {
  const { id } = message;
  if (message.method === 'tools/call') {
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: { isError: true, content: [{ type: 'text', text }] },
    });
  }
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: text } });
}

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // passed on as it is: the other side says what is wrong with it
  }
}

function key(id: unknown): string {
  return JSON.stringify(id) ?? '';
}
