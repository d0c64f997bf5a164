import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Gateway } from './ports.ts';
import { lookupWithin } from './reach.ts';

/** What became of one request. Its text is the other side's: untrusted. */
export type Reply =
  | {
      readonly is: 'answer';
      readonly status: number;
      /** At most {@link MOST_BYTES}. */
      readonly text: string;
      /** There was more, which nobody read. */
      readonly cut: boolean;
      readonly retryAfterMs: number | null;
    }
  /** No connection: not a byte of the request left. */
  | { readonly is: 'unreached'; readonly code: string }
  /** The connection was there and broke before an answer: the request may have arrived. */
  | { readonly is: 'lost'; readonly code: string }
  /** No answer in time. */
  | { readonly is: 'late' }
  /** The caller gave up. */
  | { readonly is: 'cut_short' };

export interface Asking {
  readonly gateway: Gateway;
  readonly method: 'GET' | 'POST';
  /** From the root of the host. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** A gateway's answers have a few hundred bytes; what is longer comes from something else. */
export const MOST_BYTES = 65_536;
/** A peer that vanished without a word is noticed by the system's own probes. */
const KEEP_ALIVE_MS = 30_000;

/**
 * One request, one connection, no redirect followed, no proxy asked. Never rejects. Not `fetch`: that gives up on an
 * answer after 300 s, and a turn may take longer.
 */
export function exchange(asking: Asking): Promise<Reply> {
  const { gateway, method, path, body, withinMs, signal } = asking;
  const secure = gateway.clear === 'encrypted';
  return new Promise((resolve) => {
    let connected = false;
    let over = false;
    const settle = (reply: Reply): void => {
      if (over) return;
      over = true;
      clearTimeout(deadline);
      signal.removeEventListener('abort', giveUp);
      resolve(reply);
      request.destroy();
    };
    const giveUp = (): void => settle({ is: 'cut_short' });
    const bytes = body === undefined ? undefined : Buffer.from(body, 'utf8');
    const request = (secure ? httpsRequest : httpRequest)(`${gateway.origin}${path}`, {
      method,
      agent: secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
      lookup: lookupWithin(gateway),
      headers: { ...asking.headers, ...(bytes === undefined ? {} : { 'content-length': bytes.length }) },
    });
    const deadline = setTimeout(() => settle({ is: 'late' }), withinMs);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp);
    request.on('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected = true;
        socket.setKeepAlive(true, KEEP_ALIVE_MS);
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? 'EUNKNOWN';
      settle(connected ? { is: 'lost', code } : { is: 'unreached', code });
    });
    request.on('response', (response) => {
      collect(response, (text, cut) =>
        settle({
          is: 'answer',
          status: response.statusCode ?? 0,
          text,
          cut,
          retryAfterMs: secondsIn(response.headers['retry-after']),
        }),
      ).catch((error: NodeJS.ErrnoException) => settle({ is: 'lost', code: error.code ?? 'ECONNRESET' }));
    });
    request.end(bytes);
  });
}

/** Reads a body to its end or to its limit. Rejects when the connection breaks before. */
async function collect(response: IncomingMessage, done: (text: string, cut: boolean) => void): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES) break;
  }
  const text = Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8');
  done(text, size > MOST_BYTES);
}

/** `Retry-After` in whole seconds, at most a day; a date is not used by any gateway seen. */
function secondsIn(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,5}$/.test(header)) return null;
  return Math.min(Number(header), 86_400) * 1000;
}
