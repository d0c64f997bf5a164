import type { Ending, Outcome, Ready, RunEvent, RunSpec, Session } from '../contract.ts';
import { forward, type Told } from './forward.ts';
import { knock } from './look.ts';
import { bodyOf, storedKeyOf } from './payload.ts';
import { type KeptRequest, type OpenclawDeps, WAITS, type Waits } from './ports.ts';
import { readinessOf } from './readiness.ts';
import { abortTurn, endOf } from './sessions.ts';
import { admitSpend, readSpent } from './spend.ts';
import { tokenHash, usableToken } from './token.ts';

/** OpenClaw's command line takes seconds; a run that is over does not wait for it longer than this. */
const LOOK_UP_MS = 30_000;

type Interruption = Parameters<Session['interrupt']>[0];

/** What a session and a rejoined run need besides their request. */
export interface Desk extends OpenclawDeps {
  /** Endings in a row that deferred a run: the wait grows with them. */
  readonly deferred: { inRow: number };
}

export function waitsOf(deps: OpenclawDeps): Waits {
  return { ...WAITS, ...deps.waits };
}

export type ForwardSpec = Pick<RunSpec, 'runId' | 'session' | 'model' | 'timeoutMs' | 'onLine'>;

/** One wake on its way through the gateway. There is no process of ours behind it, and nothing of it is seen. */
export class ForwardSession implements Session {
  readonly #spec: ForwardSpec;
  readonly #desk: Desk;
  readonly #abort = new AbortController();
  #interruption: Interruption | null = null;
  #token = '';
  /** When the request left, ms: from then on the gateway may have it. */
  #sentAt: number | null = null;

  constructor(spec: ForwardSpec, desk: Desk, signal: AbortSignal) {
    this.#spec = spec;
    this.#desk = desk;
    signal.addEventListener('abort', () => this.#abort.abort());
    if (signal.aborted) this.#abort.abort();
  }

  /** Whether the gateway would take the wake, and its budget has room: neither costs anything. */
  async ready(): Promise<Ready> {
    const { gateway, agentId, ask, spend, now } = this.#desk;
    const { signal } = this.#abort;
    const usable = usableToken(this.#desk.token());
    if (!usable.ok) return this.#notReady(told('config', `${usable.message} ${usable.fix}`));
    this.#token = usable.token;
    const answer = await knock(gateway, usable.token, waitsOf(this.#desk).lookMs, signal);
    const problem = readinessOf(answer);
    if (problem !== null) return this.#notReady(problem);
    if (spend.by === 'openclaw') return { ok: true };
    const spent = await readSpent(ask, agentId, now(), signal);
    const held = readinessOf({ is: 'spend', verdict: admitSpend(spend, spent), agentId, now: now() });
    return held === null ? { ok: true } : this.#notReady(held);
  }

  async *turn(prompt: string): AsyncIterable<RunEvent> {
    const { gateway, agentId, requests, now } = this.#desk;
    const { runId, session, model, timeoutMs } = this.#spec;
    const events: RunEvent[] = [];
    const say = (level: 'info' | 'warn', text: string): void => {
      events.push({ type: 'notice', level, text });
      this.#spec.onLine(JSON.stringify({ type: 'notice', level, text }));
    };
    const base = { run: runId, url: gateway.origin + gateway.hooksPath, tokenHash: tokenHash(this.#token) };
    const request = (isolated: boolean): KeptRequest => ({
      ...base,
      key: isolated ? `${runId}:isolated` : runId,
      body: bodyOf({ prompt, agentId, session, isolated, model, timeoutMs }),
      timeoutMs,
      sentAt: null,
      aliveAt: now(),
    });
    const first = request(false);
    requests.keep(first);
    say(
      'info',
      `Forwarded to OpenClaw’s agent ${agentId} at ${gateway.origin}. What it does is in openclaw logs.`,
    );
    yield* events.splice(0);
    const errand = { ...this.#errand(say), isolated: request(true) };
    const end = await this.#forwarded(() => forward(first, true, errand));
    yield* events.splice(0);
    yield { type: 'end', ending: await this.#ending(end, session) };
  }

  /** A fault of ours after the request left must not give its wakes back: the gateway may have run them. */
  async #forwarded(act: () => Promise<Told | null>): Promise<Told | null> {
    try {
      return await act();
    } catch (error) {
      if (this.#sentAt === null) throw error;
      const why = error instanceof Error ? error.message : String(error);
      return { ...told('unknown', `wats failed while it waited for OpenClaw: ${why}`), lookUp: true };
    }
  }

  /** What became of a run that a dead daemon left. */
  async rejoin(kept: KeptRequest): Promise<Ending> {
    const usable = usableToken(this.#desk.token());
    const { gateway } = this.#desk;
    const { session } = this.#spec;
    const same =
      usable.ok &&
      tokenHash(usable.token) === kept.tokenHash &&
      kept.url === gateway.origin + gateway.hooksPath;
    if (!same)
      return this.#toEnding(
        told('unknown', 'The gateway or its token is another one now: how the run ended is not known.'),
      );
    this.#token = usable.token;
    this.#sentAt = kept.sentAt;
    const say = (level: string, text: string): void =>
      this.#spec.onLine(JSON.stringify({ type: 'notice', level, text }));
    const errand = { ...this.#errand(say), isolated: null };
    return this.#ending(await this.#forwarded(() => forward(kept, false, errand)), session);
  }

  interrupt(outcome: Interruption): void {
    this.#interruption ??= outcome;
    this.#abort.abort();
  }

  async close(): Promise<void> {
    this.#abort.abort();
  }

  #errand(say: (level: 'info' | 'warn', text: string) => void) {
    const { gateway, requests, now } = this.#desk;
    const onSent = (at: number | null): void => {
      this.#sentAt = at;
    };
    const waits = waitsOf(this.#desk);
    return { gateway, token: this.#token, requests, now, waits, signal: this.#abort.signal, onSent, say };
  }

  /** The ending of a forward, after OpenClaw's own list of sessions was asked where that can say more. */
  async #ending(end: Told | null, session: string): Promise<Ending> {
    if (end === null) return this.#cutShort(session);
    if (!end.lookUp) return this.#toEnding(end);
    const { ask, agentId } = this.#desk;
    const key = storedKeyOf(agentId, session);
    const status =
      this.#sentAt === null
        ? null
        : await endOf(ask, agentId, key, this.#sentAt, AbortSignal.timeout(LOOK_UP_MS));
    if (status === 'timeout')
      return this.#toEnding(
        told('timeout', 'The turn took longer than agent.timeout, and OpenClaw ended it.'),
      );
    if (status === 'killed') return this.#toEnding(told('stopped', 'The turn was stopped in OpenClaw.'));
    if (status === 'done' && end.outcome === 'unknown')
      return this.#toEnding(told('ok', 'OpenClaw’s turn ended; what it answered at its end was lost.'));
    return this.#toEnding(end);
  }

  /** Nobody waits any longer, but a gateway goes on with a turn until it is told. */
  async #cutShort(session: string): Promise<Ending> {
    const outcome = this.#interruption ?? 'stopped';
    const { ask, agentId } = this.#desk;
    if (this.#sentAt === null)
      return this.#toEnding(told(outcome, 'It was stopped before it was forwarded.'));
    const ended = await abortTurn(ask, storedKeyOf(agentId, session), AbortSignal.timeout(LOOK_UP_MS));
    return this.#toEnding(
      told(
        outcome,
        ended
          ? 'The turn was stopped in OpenClaw.'
          : 'wats waits no longer, but OpenClaw may go on with the turn until its own limit.',
      ),
    );
  }

  #notReady(end: Told): Ready {
    const interruption = this.#interruption;
    return {
      ok: false,
      ending: this.#toEnding(
        interruption === null ? end : told(interruption, 'It was stopped before it was forwarded.'),
      ),
    };
  }

  #toEnding(end: Told): Ending {
    const { deferred, now } = this.#desk;
    const [first, longest] = waitsOf(this.#desk).deferMs;
    if (end.outcome === 'deferred') deferred.inRow++;
    else deferred.inRow = 0;
    const waitMs =
      end.retryAfterMs ??
      (end.outcome === 'deferred' ? Math.min(longest, first * 2 ** (deferred.inRow - 1)) : null);
    return {
      outcome: end.outcome,
      message: end.message,
      costMicroUsd: null,
      turns: null,
      resetAt: waitMs === null ? null : now() + Math.max(waitMs, 1_000),
      exitCode: null,
      signal: null,
    };
  }
}

function told(outcome: Outcome, message: string): Told {
  return { outcome, message, retryAfterMs: null, lookUp: false };
}
