import type { PeerStatus } from '../contract.ts';
import type { Links } from './links.ts';
import type { Standing } from './standing.ts';

/** What is remembered of peers between links, and the table of them that a person sees. */
export class Roster {
  static readonly #maxPeers = 1_000;
  readonly #links: Links;
  readonly #standing: Standing;
  readonly #isRelayed: (peer: string) => boolean;
  readonly #seen = new Map<string, { at: number; address: string | undefined; lag: number | null }>();
  readonly #connected = new Map<string, string>();

  /** @param isRelayed whether a connected peer is linked through a relay only */
  constructor(links: Links, standing: Standing, isRelayed: (peer: string) => boolean) {
    this.#links = links;
    this.#standing = standing;
    this.#isRelayed = isRelayed;
  }

  connected(peer: string, address: string, nowMs: number): void {
    this.#connected.set(peer, address);
    this.#note(peer, { at: nowMs, address });
  }

  disconnected(peer: string, nowMs: number): void {
    this.#connected.delete(peer);
    this.#note(peer, { at: nowMs });
  }

  lag(peer: string, posts: number, nowMs: number): void {
    this.#note(peer, { at: nowMs, lag: posts });
  }

  isConnected(peer: string): boolean {
    return this.#connected.has(peer);
  }

  connectedPeers(): string[] {
    return [...this.#connected.keys()];
  }

  /** Named peers first, then those that dialled us, then those that are cut off. */
  table(nowMs: number): PeerStatus[] {
    const named = new Map(this.#links.named().map((link) => [link.peer, link]));
    const ids = new Set([...named.keys(), ...this.#connected.keys(), ...this.#standing.ignored(nowMs)]);
    return [...ids].map((id) => {
      const link = named.get(id);
      const seen = this.#seen.get(id);
      const dialled = link?.addresses ?? [];
      return {
        id,
        addresses: dialled.length > 0 || seen?.address === undefined ? dialled : [seen.address],
        state: this.#state(id, link, nowMs),
        relayed: this.#connected.has(id) && this.#isRelayed(id),
        lastSeenAt: this.#connected.has(id) ? nowMs : (seen?.at ?? null),
        refusedPosts: this.#standing.refusedPosts(id),
        lag: seen?.lag ?? null,
      };
    });
  }

  #state(
    id: string,
    link: { failures: number; isDialling: boolean } | undefined,
    nowMs: number,
  ): PeerStatus['state'] {
    if (this.#standing.isIgnored(id, nowMs)) return 'ignored';
    if (this.#connected.has(id)) return 'connected';
    return link !== undefined && link.failures === 0 ? 'connecting' : 'unreachable';
  }

  #note(peer: string, change: { at: number; address?: string; lag?: number }): void {
    const before = this.#seen.get(peer) ?? { at: 0, address: undefined, lag: null };
    this.#seen.delete(peer);
    this.#seen.set(peer, { ...before, ...change });
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= Roster.#maxPeers) break;
      this.#seen.delete(oldest);
    }
  }
}
