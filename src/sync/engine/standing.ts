/**
 * What a peer has earned. An honest peer checks posts before it passes them on, so an invalid one is proof of
 * a fault: the first throttles the peer, the third within the hour cuts it off for an hour.
 * The count of refused posts stays, for the person to see.
 */
export class Standing {
  static readonly ignoreAt = 3;
  static readonly memoryMs = 3_600_000;
  static readonly #maxPeers = 2_000;

  readonly #peers = new Map<
    string,
    { refused: number; faults: number; lastFaultAt: number; ignoredUntil: number }
  >();

  /** Counts a post that was refused. `fault: false`: it may be the clock's fault, not the peer's. */
  refuse(peer: string, nowMs: number, fault = true): 'counted' | 'throttled' | 'ignored' {
    const record = this.#peers.get(peer) ?? { refused: 0, faults: 0, lastFaultAt: 0, ignoredUntil: 0 };
    this.#peers.delete(peer);
    this.#peers.set(peer, record);
    record.refused += 1;
    this.#makeRoom(nowMs);
    if (!fault) return 'counted';
    if (nowMs - record.lastFaultAt > Standing.memoryMs) record.faults = 0;
    record.faults += 1;
    record.lastFaultAt = nowMs;
    if (record.faults < Standing.ignoreAt) return 'throttled';
    record.ignoredUntil = nowMs + Standing.memoryMs;
    return 'ignored';
  }

  refusedPosts(peer: string): number {
    return this.#peers.get(peer)?.refused ?? 0;
  }

  isThrottled(peer: string, nowMs: number): boolean {
    const record = this.#peers.get(peer);
    return record !== undefined && record.faults > 0 && nowMs - record.lastFaultAt <= Standing.memoryMs;
  }

  /** Until when the peer is cut off (ms), or `undefined`. */
  ignoredUntil(peer: string, nowMs: number): number | undefined {
    const until = this.#peers.get(peer)?.ignoredUntil ?? 0;
    return until > nowMs ? until : undefined;
  }

  isIgnored(peer: string, nowMs: number): boolean {
    return this.ignoredUntil(peer, nowMs) !== undefined;
  }

  /** Peers that are cut off now. */
  ignored(nowMs: number): string[] {
    return [...this.#peers.keys()].filter((peer) => this.isIgnored(peer, nowMs));
  }

  /** A stranger can make up ids, so the record is bounded; those cut off go last. */
  #makeRoom(nowMs: number): void {
    if (this.#peers.size <= Standing.#maxPeers) return;
    for (const [peer, record] of this.#peers) {
      if (record.ignoredUntil <= nowMs) {
        this.#peers.delete(peer);
        return;
      }
    }
    for (const peer of this.#peers.keys()) {
      this.#peers.delete(peer);
      return;
    }
  }
}
