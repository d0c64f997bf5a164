import { z } from 'zod';
import { type Answered, failure } from './answers.ts';
import { exchange } from './http.ts';
import type { Gateway } from './ports.ts';
import { bearer } from './token.ts';

/** What the gateway says of a token, without running anything. */
export type Knock =
  /** It answers `message required`: address, path, hooks and token are right. */
  | { readonly is: 'welcome' }
  | { readonly is: 'unknown_token' }
  | { readonly is: 'throttled'; readonly retryAfterMs: number }
  /** No hooks at that path. */
  | { readonly is: 'no_hooks'; readonly status: number }
  /** Not now: it is starting, stopping or full. */
  | { readonly is: 'busy'; readonly retryAfterMs: number | null }
  | { readonly is: 'redirects' }
  /** Something answers there that is no OpenClaw. */
  | { readonly is: 'stranger'; readonly status: number }
  /** Nobody answers. */
  | { readonly is: 'away'; readonly code: string };

/**
 * Asks for a turn without a message, which OpenClaw refuses after it has looked at everything else: free, and it runs
 * nothing. A wrong token counts towards the 20 a minute that it bears.
 */
export async function knock(
  gateway: Gateway,
  token: string,
  withinMs: number,
  signal: AbortSignal,
): Promise<Knock> {
  const reply = await exchange({
    gateway,
    method: 'POST',
    path: `${gateway.hooksPath}/agent`,
    headers: bearer(token),
    body: '{}',
    withinMs,
    signal,
  });
  switch (reply.is) {
    case 'answer':
      return knockOf(reply);
    case 'unreached':
    case 'lost':
      return { is: 'away', code: reply.code };
    case 'late':
      return { is: 'away', code: 'no answer' };
    case 'cut_short':
      return { is: 'away', code: 'stopped' };
    default:
      return reply satisfies never;
  }
}

function knockOf(answer: Answered): Knock {
  const { status } = answer;
  if (status === 400 && failure(answer) === 'message required') return { is: 'welcome' };
  if (status === 401) return { is: 'unknown_token' };
  if (status === 429) return { is: 'throttled', retryAfterMs: answer.retryAfterMs ?? 60_000 };
  if (status === 404 || status === 405) return { is: 'no_hooks', status };
  if (status === 502 || status === 503 || status === 504)
    return { is: 'busy', retryAfterMs: answer.retryAfterMs };
  if (status >= 300 && status < 400) return { is: 'redirects' };
  return { is: 'stranger', status };
}

const READY = z.object({ uptimeMs: z.number().nonnegative() });

/** How long the gateway has been up, ms; `null` when it does not say, `'away'` when nobody answers. */
export async function uptime(
  gateway: Gateway,
  withinMs: number,
  signal: AbortSignal,
): Promise<number | null | 'away'> {
  const reply = await exchange({ gateway, method: 'GET', path: '/ready', withinMs, signal });
  if (reply.is !== 'answer') return 'away';
  try {
    const read = READY.safeParse(JSON.parse(reply.text));
    return read.success ? read.data.uptimeMs : null;
  } catch {
    return null; // a page of something else
  }
}
