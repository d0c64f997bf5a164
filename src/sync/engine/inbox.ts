import type { AcceptBatch, ReceivedPost } from '../contract.ts';

/** How many posts of one exchange were stored, and how many weren't. */
export interface Tally {
  stored: number;
  refused: number;
}

/** The store takes 12 ms for so many at a million posts, of the 20 that nothing on the main thread may pass. */
const BATCH_POSTS = 128;
const FLUSH_MS = 20;
const ROOM_POSTS = 1_024;
const ROOM_BYTES = 8 * 1024 * 1024;
const REFUSED_KEPT = 50_000;
const REFUSED_MS = 600_000;
const FAILING_MS = 30_000;

interface Waiting {
  readonly post: ReceivedPost;
  readonly tally: Tally | undefined;
}

/**
 * Verified posts on their way to the store: handed over in batches, one at a time, so that memory is bounded by
 * how fast the store is. Knows what is under way, which the store doesn't yet.
 */
export class Inbox {
  readonly #accept: AcceptBatch;
  readonly #onFailure: (posts: number, error: unknown) => void;
  readonly #nowMs: () => number;
  #waiting: Waiting[] = [];
  readonly #underway = new Set<string>();
  readonly #refused = new Map<string, number>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #draining = false;
  #isClosed = false;
  #added = 0;
  #done = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  readonly #wakers: (() => void)[] = [];

  constructor(accept: AcceptBatch, onFailure: (posts: number, error: unknown) => void, nowMs: () => number) {
    this.#accept = accept;
    this.#onFailure = onFailure;
    this.#nowMs = nowMs;
  }

  add(post: ReceivedPost, tally?: Tally): void {
    if (this.#isClosed) return;
    this.#waiting.push({ post, tally });
    this.#added += 1;
    this.#underway.add(post.id);
    this.#bytes += post.bytes.byteLength;
    if (this.#waiting.length >= BATCH_POSTS) void this.#drain();
    else this.#timer ??= setTimeout(() => void this.#drain(), FLUSH_MS);
  }

  /** Whether a post is under way, or was refused a short while ago. */
  knows(id: string): boolean {
    return this.#underway.has(id) || this.wasRefused(id);
  }

  wasRefused(id: string): boolean {
    return (this.#refused.get(id) ?? 0) > this.#nowMs();
  }

  /** More than this would be held in memory: gossip is dropped, reconciliation waits. */
  get isFull(): boolean {
    return this.#underway.size >= ROOM_POSTS || this.#bytes >= ROOM_BYTES;
  }

  /** The store couldn't take a batch a short while ago. */
  get isFailing(): boolean {
    return this.#nowMs() - this.#failedAt < FAILING_MS;
  }

  async room(): Promise<void> {
    while (this.isFull && !this.#isClosed) await this.#progress();
  }

  /** Resolves when everything that was added before is stored or refused. */
  async settled(): Promise<void> {
    void this.#drain();
    const target = this.#added;
    while (this.#done < target && !this.#isClosed) await this.#progress();
  }

  /** Nothing is handed over any more, and nobody waits. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#wakeAll();
  }

  #progress(): Promise<void> {
    return new Promise((resolve) => this.#wakers.push(resolve));
  }

  async #drain(): Promise<void> {
    // A timer that is over must not look like one that is set, whoever drains: the next post would wait for nobody.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#draining) return; // that one takes what is waiting now, too
    this.#draining = true;
    while (this.#waiting.length > 0) await this.#hand(this.#waiting.splice(0, BATCH_POSTS));
    this.#draining = false;
  }

  async #hand(batch: Waiting[]): Promise<void> {
    let refused: ReadonlySet<string>;
    try {
      const outcome = await this.#accept(batch.map((each) => each.post));
      refused = new Set(outcome.refused);
      this.#failedAt = Number.NEGATIVE_INFINITY;
      for (const id of refused) this.#remember(id);
    } catch (error) {
      refused = new Set(batch.map((each) => each.post.id));
      this.#failedAt = this.#nowMs();
      this.#onFailure(batch.length, error);
    }
    for (const { post, tally } of batch) {
      this.#underway.delete(post.id);
      this.#bytes -= post.bytes.byteLength;
      if (tally) tally[refused.has(post.id) ? 'refused' : 'stored'] += 1;
    }
    this.#done += batch.length;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#wakers.splice(0)) wake();
  }

  #remember(id: string): void {
    this.#refused.delete(id);
    this.#refused.set(id, this.#nowMs() + REFUSED_MS);
    for (const oldest of this.#refused.keys()) {
      if (this.#refused.size <= REFUSED_KEPT) break;
      this.#refused.delete(oldest);
    }
  }
}
