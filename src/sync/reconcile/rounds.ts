import type { Connection, Stream } from '@libp2p/interface';
import type { SyncEvent } from '../contract.ts';
import { Buckets } from '../engine/buckets.ts';
import type { Tally } from '../engine/inbox.ts';
import { RECONCILE, type Rhythm } from '../engine/limits.ts';
import { reasonOf } from '../reason.ts';
import {
  answerExchange,
  declineExchange,
  type ExchangePorts,
  type Outcome,
  startExchange,
} from './exchange.ts';
import { FrameStream } from './frames.ts';

export interface RoundsPorts {
  readonly ownId: string;
  readonly rhythm: Rhythm;
  readonly exchange: Omit<ExchangePorts, 'peer' | 'refuse'>;
  readonly refuse: (peer: string, judgement: Parameters<ExchangePorts['refuse']>[0]) => void;
  /** Peers with an open link that are not cut off. */
  readonly peers: () => string[];
  readonly isIgnored: (peer: string) => boolean;
  readonly open: (peer: string, signal: AbortSignal) => Promise<Stream>;
  readonly random: () => number;
  readonly log: (event: SyncEvent) => void;
  readonly onLag: (peer: string, lag: number) => void;
}

interface Active {
  readonly isOurs: boolean;
  /** It has read the store: what comes later is not in it. */
  hasBegun: boolean;
  readonly done: Promise<void>;
  readonly abort: AbortController;
}

/** When to reconcile with whom, and how many exchanges at once. One exchange with a peer at a time. */
export class Rounds {
  readonly #ports: RoundsPorts;
  readonly #due = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  readonly #late = new Map<string, NodeJS.Timeout>();
  readonly #failures = new Map<string, number>();
  readonly #active = new Map<string, Active>();
  readonly #starts = new Buckets(RECONCILE.startsPerSecond, RECONCILE.startsBurst);
  #queue: (() => void)[] = [];
  #outbound = 0;
  #inbound = 0;
  #ticker: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(ports: RoundsPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#ticker = setInterval(() => {
      const peers = this.#ports.peers();
      const peer = peers[Math.floor(this.#ports.random() * peers.length)];
      if (peer !== undefined) void this.run(peer);
    }, this.#ports.rhythm.everyMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#ticker);
    for (const { timer } of this.#due.values()) clearTimeout(timer);
    for (const timer of this.#late.values()) clearTimeout(timer);
    this.#due.clear();
    const active = [...this.#active.values()];
    for (const { abort } of active) abort.abort(new Error('the node stops'));
    for (const next of this.#queue.splice(0)) next();
    await Promise.all(active.map(({ done }) => done));
  }

  /**
   * A link came up: the side that dialled starts, and starts again a few seconds later. What a node took between the
   * first exchange and the moment from which gossip passes things on over this link is in neither.
   */
  connected(peer: string): void {
    const { onConnectMs, onceMoreMs } = this.#ports.rhythm;
    this.#failures.delete(peer);
    this.schedule(peer, this.#between(onConnectMs));
    clearTimeout(this.#late.get(peer));
    const timer = setTimeout(() => {
      this.#late.delete(peer);
      this.schedule(peer, 0);
    }, this.#between(onceMoreMs));
    this.#late.set(peer, timer);
  }

  /** The last link to a peer is gone. */
  disconnected(peer: string): void {
    clearTimeout(this.#due.get(peer)?.timer);
    this.#due.delete(peer);
    clearTimeout(this.#late.get(peer));
    this.#late.delete(peer);
    this.#failures.delete(peer);
  }

  /** Reconciles with a peer in so many milliseconds, or earlier when that is due already. */
  schedule(peer: string, delayMs: number): void {
    if (this.#isStopped) return;
    const at = performance.now() + delayMs;
    const due = this.#due.get(peer);
    if (due !== undefined && due.at <= at) return;
    clearTimeout(due?.timer);
    const timer = setTimeout(() => {
      this.#due.delete(peer);
      void this.#runAnew(peer);
    }, delayMs);
    this.#due.set(peer, { at, timer });
  }

  /** One exchange with a peer that we start, or the one that is under way. Never rejects. */
  async run(peer: string): Promise<void> {
    const running = this.#active.get(peer);
    if (running !== undefined) return running.done;
    if (this.#isStopped || !this.#ports.peers().includes(peer)) return;
    const abort = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const active: Active = { isOurs: true, hasBegun: false, done: promise, abort };
    this.#active.set(peer, active);
    try {
      await this.#turn();
      if (!abort.signal.aborted && !this.#isStopped) await this.#attempt(peer, active);
    } finally {
      this.#outbound -= 1;
      this.#queue.shift()?.();
      if (this.#active.get(peer) === active) this.#active.delete(peer);
      resolve();
    }
    // The peer's own exchange took the place of ours: the round ends with that one.
    await this.#active.get(peer)?.done;
  }

  /** A peer starts an exchange. Both at once: the lower id wins. */
  async serve(stream: Stream, connection: Connection): Promise<void> {
    const peer = connection.remotePeer.toString();
    const running = this.#active.get(peer);
    const frames = new FrameStream(stream);
    const isWelcome =
      !this.#isStopped &&
      !this.#ports.isIgnored(peer) &&
      this.#inbound < RECONCILE.inboundAtOnce &&
      (running === undefined || (running.isOurs && peer < this.#ports.ownId)) &&
      this.#starts.take(peer, performance.now());
    const abort = new AbortController();
    if (!isWelcome) {
      await this.#guarded(frames, abort, () => declineExchange(frames)).catch(() => {
        // A peer that doesn't wait for the answer doesn't need it.
      });
      return;
    }
    running?.abort.abort(new Error('the peer started first'));
    const { promise, resolve } = Promise.withResolvers<void>();
    const active: Active = { isOurs: false, hasBegun: false, done: promise, abort };
    this.#active.set(peer, active);
    this.#inbound += 1;
    try {
      await this.#exchange(peer, frames, active, answerExchange);
    } finally {
      this.#inbound -= 1;
      if (this.#active.get(peer) === active) this.#active.delete(peer);
      resolve();
    }
  }

  /** A round for something that is here now: one that is under way may have read the store before it came. */
  async #runAnew(peer: string): Promise<void> {
    const running = this.#active.get(peer);
    if (running?.hasBegun) await running.done;
    await this.run(peer);
  }

  #between([from, to]: readonly [number, number]): number {
    return from + this.#ports.random() * (to - from);
  }

  /** Waits until another exchange of ours may run. */
  async #turn(): Promise<void> {
    this.#outbound += 1;
    if (this.#outbound <= RECONCILE.outboundAtOnce) return;
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  async #attempt(peer: string, active: Active): Promise<void> {
    const { abort } = active;
    let stream: Stream;
    try {
      stream = await this.#ports.open(peer, AbortSignal.any([abort.signal, AbortSignal.timeout(5_000)]));
    } catch (error) {
      if (!abort.signal.aborted) this.#failed(peer, error, true);
      return;
    }
    await this.#exchange(peer, new FrameStream(stream), active, startExchange);
  }

  async #exchange(
    peer: string,
    frames: FrameStream,
    active: Active,
    side: typeof startExchange,
  ): Promise<void> {
    const { abort } = active;
    const startedAt = performance.now();
    const tally: Tally = { stored: 0, refused: 0 };
    const { inbox } = this.#ports.exchange;
    const ports: ExchangePorts = {
      ...this.#ports.exchange,
      peer,
      refuse: (judgement) => this.#ports.refuse(peer, judgement),
    };
    let outcome: Outcome | undefined;
    try {
      outcome = await this.#guarded(frames, abort, async () => {
        await inbox.settled();
        active.hasBegun = true;
        return side(frames, ports, tally);
      });
    } catch (error) {
      if (!abort.signal.aborted) this.#failed(peer, error, active.isOurs);
    }
    await inbox.settled();
    if (outcome?.kind === 'exchanged') {
      this.#ports.log({
        kind: 'reconciled',
        peer,
        received: tally.stored,
        sent: outcome.sent,
        bytesIn: frames.bytesIn,
        bytesOut: frames.bytesOut,
        ms: Math.round(performance.now() - startedAt),
        isComplete: outcome.isComplete,
      });
    }
    this.#follow(peer, outcome, tally, side === startExchange);
  }

  /** What an exchange leads to. */
  #follow(peer: string, outcome: Outcome | undefined, tally: Tally, isOurs: boolean): void {
    const { afterNewsMs, afterBusyMs } = this.#ports.rhythm;
    if (outcome?.lag !== undefined && outcome.lag !== null) this.#ports.onLag(peer, outcome.lag);
    if (tally.stored > 0) {
      for (const other of this.#ports.peers()) if (other !== peer) this.schedule(other, afterNewsMs);
    }
    if (outcome !== undefined) this.#failures.delete(peer);
    if (!isOurs) return;
    if (outcome?.kind === 'busy') this.schedule(peer, afterBusyMs);
    // Cut short, but it brought something: go on at once.
    const moved = tally.stored + (outcome?.sent ?? 0);
    if (moved > 0 && outcome?.isComplete !== true) this.schedule(peer, 0);
  }

  /** Runs one side of an exchange within its time, and closes or ends the stream. */
  async #guarded<T>(frames: FrameStream, abort: AbortController, work: () => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(RECONCILE.timeoutMs)]);
    const cut = (): void => frames.abort(new Error(`the exchange was cut off: ${reasonOf(signal.reason)}`));
    signal.addEventListener('abort', cut);
    try {
      signal.throwIfAborted();
      const result = await work();
      await frames.close(signal);
      return result;
    } catch (error) {
      frames.abort(error instanceof Error ? error : new Error(String(error)));
      throw error;
    } finally {
      signal.removeEventListener('abort', cut);
    }
  }

  /** Ours is tried again, soon and then less and less soon: what the peer lacks may be known here only. */
  #failed(peer: string, error: unknown, isOurs: boolean): void {
    this.#ports.log({ kind: 'reconcile_failed', peer, reason: reasonOf(error) });
    if (!isOurs || this.#isStopped) return;
    const failures = (this.#failures.get(peer) ?? 0) + 1;
    this.#failures.set(peer, failures);
    const { afterBusyMs, everyMs } = this.#ports.rhythm;
    this.schedule(peer, Math.min(everyMs, afterBusyMs * 2 ** Math.min(20, failures - 1)));
  }
}
