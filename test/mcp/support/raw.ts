import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A client that says what a test tells it to, byte for byte. */
export interface RawClient {
  readonly socket: Socket;
  /** Everything received, as parsed lines. */
  readonly lines: Answer[];
  /** Resolves once a line fits; fails when the connection ends before. */
  next(fits: (line: Answer) => boolean): Promise<Answer>;
  readonly closed: Promise<void>;
}

export interface Answer {
  readonly id?: string | number | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it needs to
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export async function connectRaw(path: string): Promise<RawClient> {
  const socket = connect(path);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}); // being dropped is what some tests are about
  const lines: Answer[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let ended = false;
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      ended = true;
      for (const look of waiting) look();
      resolve();
    });
  });
  socket.on('data', (chunk) => {
    rest += chunk.toString();
    const parts = rest.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((part) => JSON.parse(part)));
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    socket,
    lines,
    closed,
    next: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find(fits);
          if (found) resolve(found);
          else if (ended) reject(new Error(`closed; received ${JSON.stringify(lines).slice(0, 500)}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
  };
}

export function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

export function toolCall(id: string | number, name: string, args: object = {}): string {
  return line({ id, method: 'tools/call', params: { name, arguments: args } });
}
