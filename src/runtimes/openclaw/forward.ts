import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../contract.ts';
import { type Meaning, meaningOf, meaningOfRepeat } from './answers.ts';
import { exchange, type Reply } from './http.ts';
import { uptime } from './look.ts';
import type { Gateway, KeptRequest, RequestBook, Waits } from './ports.ts';
import { bearer } from './token.ts';

/** How a forward ended. */
export interface Told {
  readonly outcome: Outcome;
  readonly message: string;
  /** The gateway named how long to wait, ms. */
  readonly retryAfterMs: number | null;
  /** OpenClaw's own list of sessions may know better. */
  readonly lookUp: boolean;
}

export interface Errand {
  readonly gateway: Gateway;
  readonly token: string;
  readonly requests: RequestBook;
  readonly now: () => number;
  readonly waits: Waits;
  readonly signal: AbortSignal;
  /** The request without a session key, for a gateway that takes none; `null`: it is that one already. */
  readonly isolated: KeptRequest | null;
  /** It leaves now, ms; `null`: it did not after all. */
  readonly onSent: (at: number | null) => void;
  /** One line for the transcript. */
  readonly say: (level: 'info' | 'warn', text: string) => void;
}

/** How often one request is repeated after its connection broke. */
const MOST_REPEATS = 8;

/**
 * Forwards one wake and waits for the end of its turn. The same request is repeated only where the gateway must still
 * know it: the same bytes, the same process on the other side, within the time that it remembers. Where that is not
 * certain the run ends as `unknown` rather than to risk a second turn.
 *
 * @param first `false` for a run that a dead daemon left: it was sent already
 * @returns `null` when the signal ended the wait
 */
export async function forward(request: KeptRequest, first: boolean, errand: Errand): Promise<Told | null> {
  const { requests, waits, now } = errand;
  let kept = request;
  let isolated = errand.isolated;
  let fresh = first;
  let withinMs = kept.timeoutMs + waits.admissionMs + waits.marginMs;
  let late = false;
  let conflicts = 0;
  for (let repeats = 0; repeats <= MOST_REPEATS; ) {
    if (!fresh) {
      const doubt = await doubtOf(kept, errand);
      if (errand.signal.aborted) return null;
      if (doubt !== null) return over('unknown', doubt);
    }
    const at = now();
    if (kept.sentAt === null) requests.sent(kept.run, at);
    kept = { ...kept, sentAt: kept.sentAt ?? at, aliveAt: at };
    errand.onSent(kept.sentAt);
    const { reply, aliveAt } = await send(kept, withinMs, errand);
    if (reply.is === 'cut_short') return null;
    if (reply.is === 'unreached' && fresh) {
      requests.sent(kept.run, null);
      errand.onSent(null);
      return away(reply.code);
    }
    kept = { ...kept, aliveAt };
    if (reply.is === 'late') {
      if (late) return over('unknown', 'OpenClaw did not say in time how the run ended.');
      // The turn is over by its own limit: what is asked for again is the answer that got lost.
      late = true;
      withinMs = waits.admissionMs + waits.marginMs;
    }
    const meaning: Meaning =
      reply.is !== 'answer'
        ? { is: 'lost', why: reply.is === 'late' ? 'no answer in time' : reply.code }
        : fresh
          ? meaningOf(reply, isolated === null)
          : meaningOfRepeat(reply);
    switch (meaning.is) {
      case 'over':
        return meaning;
      case 'isolate':
        if (isolated === null) return over('config', meaning.why);
        errand.say('warn', `OpenClaw keeps no conversation of ours: ${meaning.why}`);
        kept = isolated;
        isolated = null;
        fresh = true;
        requests.keep(kept);
        break;
      case 'again':
        conflicts++;
        if (conflicts > 1) return over('deferred', `OpenClaw did not take the wake now: ${meaning.why}.`);
        fresh = true;
        if (!(await rested(waits.againMs, errand.signal))) return null;
        break;
      case 'lost':
        repeats++;
        fresh = false;
        errand.say(
          'warn',
          `The connection to OpenClaw broke (${meaning.why}); asking again for the same run.`,
        );
        if (!(await rested(waits.againMs, errand.signal))) return null;
        break;
      default:
        return meaning satisfies never;
    }
  }
  return over('unknown', 'The connection to OpenClaw broke again and again: how the run ended is not known.');
}

/** Sends it once, and writes down while it waits that it does. */
async function send(
  kept: KeptRequest,
  withinMs: number,
  errand: Errand,
): Promise<{ readonly reply: Reply; readonly aliveAt: number }> {
  const { gateway, token, requests, now, waits, signal } = errand;
  let aliveAt = kept.aliveAt;
  let slept = false;
  const beat = (): void => {
    const at = now();
    // A machine that slept has heard nothing meanwhile, and what the gateway knew may have run out.
    slept ||= at < aliveAt || at - aliveAt > 2 * waits.aliveMs;
    if (slept) return;
    aliveAt = at;
    requests.alive(kept.run, at);
  };
  const beats = setInterval(beat, waits.aliveMs);
  try {
    const reply = await exchange({
      gateway,
      method: 'POST',
      path: `${gateway.hooksPath}/agent`,
      headers: { ...bearer(token), 'idempotency-key': kept.key },
      body: kept.body,
      withinMs,
      signal,
    });
    if (reply.is !== 'unreached') beat();
    return { reply, aliveAt };
  } finally {
    clearInterval(beats);
  }
}

/**
 * Why the gateway may have forgotten the request, as a sentence; `null` when it must know it. It keeps a request while
 * its turn runs and five minutes longer, in memory: it has to be the process that got it.
 */
async function doubtOf(kept: KeptRequest, errand: Errand): Promise<string | null> {
  const { waits, now, gateway, signal } = errand;
  const sentAt = kept.sentAt ?? now();
  for (let waitMs = waits.againMs; ; waitMs *= 2) {
    const at = now();
    if (at < sentAt || at - kept.aliveAt > waits.rememberedMs)
      return 'Too much time went by to ask OpenClaw again: how the run ended is not known. It is not repeated.';
    const up = await uptime(gateway, waits.lookMs, signal);
    if (up === null)
      return 'This address does not say how long OpenClaw has been up, so a lost answer is not asked for again: how the run ended is not known.';
    if (up !== 'away')
      return up > now() - sentAt
        ? null
        : 'OpenClaw was started anew during the run and has forgotten it: how it ended is not known. It is not repeated.';
    if (waitMs > waits.rememberedMs / 8)
      return 'OpenClaw went away during the run: how it ended is not known. It is not repeated.';
    if (!(await rested(waitMs, signal))) return 'stopped';
  }
}

function away(code: string): Told {
  return over(
    'deferred',
    code === 'EOUTSIDE'
      ? 'The name of the gateway leads out of the private network; nothing was sent.'
      : `OpenClaw’s gateway is not there (${code}). Start it: openclaw gateway run`,
  );
}

function over(outcome: Outcome, message: string): Told {
  return { outcome, message, retryAfterMs: null, lookUp: outcome === 'unknown' };
}

/** @returns `false` when the signal ended the rest */
async function rested(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal });
    return true;
  } catch {
    return false; // stopped
  }
}
