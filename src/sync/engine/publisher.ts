import { Buckets } from './buckets.ts';
import { GOSSIP } from './limits.ts';

const RETRY_MS = 20;

/**
 * Own posts on their way out, at a pace that neighbours' buffers bear. What doesn't fit the queue is dropped:
 * reconciliation sends it.
 */
export class Publisher {
  readonly #send: (post: Uint8Array) => Promise<unknown>;
  readonly #onOverflow: (posts: number) => void;
  readonly #nowMs: () => number;
  readonly #pace = new Buckets(GOSSIP.publishPerSecond, GOSSIP.publishBurst);
  readonly #queue: Uint8Array[] = [];
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;
  #isStopped = false;

  constructor(
    send: (post: Uint8Array) => Promise<unknown>,
    onOverflow: (posts: number) => void,
    nowMs: () => number,
  ) {
    this.#send = send;
    this.#onOverflow = onOverflow;
    this.#nowMs = nowMs;
  }

  add(post: Uint8Array): void {
    if (this.#isStopped) return;
    if (this.#queue.length >= GOSSIP.publishQueue) this.#dropped += 1;
    else this.#queue.push(post);
    if (this.#timer === undefined) this.#pump();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#queue.length = 0;
  }

  #pump(): void {
    this.#timer = undefined;
    let sent = 0;
    for (const post of this.#queue) {
      if (!this.#pace.take('own', this.#nowMs())) break;
      sent += 1;
      this.#send(post).catch(() => {
        // The peers get it by reconciliation.
      });
    }
    this.#queue.splice(0, sent);
    if (this.#queue.length > 0) this.#timer = setTimeout(() => this.#pump(), RETRY_MS);
    else if (this.#dropped > 0) this.#onOverflow(this.#dropped);
    if (this.#queue.length === 0) this.#dropped = 0;
  }
}
