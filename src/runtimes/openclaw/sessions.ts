import { z } from 'zod';
import type { AskOpenclaw } from './ports.ts';

const SESSIONS = z.object({
  sessions: z.array(z.object({ key: z.string(), status: z.string(), updatedAt: z.number() })),
});

/** How OpenClaw says that the newest turn of a conversation ended: `done`, `failed`, `timeout`, `killed`. */
export async function endOf(
  ask: AskOpenclaw,
  agentId: string,
  key: string,
  since: number,
  signal: AbortSignal,
): Promise<string | null> {
  const text = await ask(['sessions', '--agent', agentId, '--json'], signal);
  if (text === null) return null;
  try {
    const { sessions } = SESSIONS.parse(JSON.parse(text));
    return sessions.find((one) => one.key === key && one.updatedAt >= since)?.status ?? null;
  } catch {
    return null; // another version lists them otherwise: then it is not known
  }
}

/** Ends the turn that is going in a conversation: a gateway goes on when nobody waits for it. @returns whether it did */
export async function abortTurn(ask: AskOpenclaw, key: string, signal: AbortSignal): Promise<boolean> {
  const text = await ask(
    ['gateway', 'call', 'sessions.abort', '--params', JSON.stringify({ key }), '--json'],
    signal,
  );
  return text !== null && /"ok":\s*true/.test(text);
}
