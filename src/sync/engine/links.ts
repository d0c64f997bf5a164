import type { PeerId } from '@libp2p/interface';
import { peerIdFromString } from '@libp2p/peer-id';
import { type Multiaddr, multiaddr } from '@multiformats/multiaddr';
import { WatsError } from '../../errors/index.ts';
import { parsePeerAddress } from '../address.ts';
import type { SyncEvent } from '../contract.ts';
import { reasonOf } from '../reason.ts';
import { LINKS } from './limits.ts';

/** What the links need of the network. */
export interface Dialler {
  dial(addresses: Multiaddr[], options: { signal: AbortSignal }): Promise<unknown>;
  isConnected(peer: PeerId): boolean;
  hangUp(peer: PeerId): Promise<void>;
}

export interface LinksPorts {
  readonly ownId: string;
  readonly nowMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly mayDial: (peer: string) => boolean;
  readonly log: (event: SyncEvent) => void;
  readonly onChange: () => void;
}

interface Link {
  readonly peer: PeerId;
  readonly addresses: Map<string, Multiaddr>;
  failures: number;
  isDialling: boolean;
  connectedAt: number | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Keeps a connection to every named peer: dials until it is there, and again when it is lost, with a growing pause of
 * at most 30 s. It doesn't use the engine's own "keep alive" redials: they wait longer and longer without
 * bound, and they hammer a peer whose allow list refuses us (40 connections a second, measured).
 */
export class Links {
  readonly #links = new Map<string, Link>();
  readonly #ports: LinksPorts;
  readonly #stop = new AbortController();
  #dialler: Dialler | undefined;

  constructor(addresses: readonly string[], ports: LinksPorts) {
    this.#ports = ports;
    for (const address of addresses) this.#name(address);
  }

  start(dialler: Dialler): void {
    this.#dialler = dialler;
    for (const link of this.#links.values()) this.#dialSoon(link, 0);
  }

  /** @throws WatsError `usage` */
  add(address: string): void {
    this.#dialSoon(this.#name(address), 0);
    this.#ports.onChange();
  }

  async remove(peer: string): Promise<void> {
    const link = this.#links.get(peer);
    if (link === undefined) return;
    clearTimeout(link.timer);
    this.#links.delete(peer);
    await this.#dialler?.hangUp(link.peer);
    this.#ports.onChange();
  }

  /** Whether this node may dial a peer at an address: only what it was told to. */
  isNamed(peer: string, address?: Multiaddr): boolean {
    const link = this.#links.get(peer);
    if (link === undefined || address === undefined) return link !== undefined;
    const text = address.toString();
    return link.addresses.has(text) || link.addresses.has(`${text}/p2p/${peer}`);
  }

  named(): { peer: string; addresses: string[]; isDialling: boolean; failures: number }[] {
    return [...this.#links].map(([peer, link]) => ({
      peer,
      addresses: [...link.addresses.keys()],
      isDialling: link.isDialling,
      failures: link.failures,
    }));
  }

  connected(peer: string): void {
    const link = this.#links.get(peer);
    if (link) link.connectedAt = this.#ports.nowMs();
  }

  disconnected(peer: string): void {
    const link = this.#links.get(peer);
    if (link === undefined) return;
    const lastedMs = this.#ports.nowMs() - (link.connectedAt ?? this.#ports.nowMs());
    link.connectedAt = undefined;
    if (lastedMs < LINKS.stableMs) {
      // Being refused by the other end's allow list shows as a link that opens and is cut at once.
      this.#failed(link, peer, new Error('the peer hung up soon; its allow list may not admit this node'));
      return;
    }
    link.failures = 0;
    this.#dialSoon(link, this.#pause(1));
  }

  /** The machine slept, or the network changed: every pause is over. */
  wake(): void {
    for (const link of this.#links.values()) {
      link.failures = 0;
      this.#dialSoon(link, 0);
    }
  }

  stop(): void {
    this.#stop.abort();
    for (const link of this.#links.values()) clearTimeout(link.timer);
    this.#links.clear();
  }

  #name(address: string): Link {
    const { peerId } = parsePeerAddress(address);
    if (peerId === this.#ports.ownId) {
      throw new WatsError('usage', 'this address is the one of this node itself', {
        fix: 'Give the address that `wats peer invite` prints on the other node.',
      });
    }
    const known = this.#links.get(peerId);
    const link: Link = known ?? {
      peer: peerIdFromString(peerId),
      addresses: new Map(),
      failures: 0,
      isDialling: false,
      connectedAt: undefined,
      timer: undefined,
    };
    const parsed = multiaddr(address);
    link.addresses.set(parsed.toString(), parsed);
    this.#links.set(peerId, link);
    return link;
  }

  #pause(failures: number): number {
    const grown = LINKS.firstRetryMs * LINKS.retryFactor ** Math.max(0, failures - 1);
    return Math.round(Math.min(LINKS.maxRetryMs, grown) * (0.75 + this.#ports.random() / 2));
  }

  #dialSoon(link: Link, delayMs: number): void {
    if (this.#stop.signal.aborted || this.#dialler === undefined) return;
    clearTimeout(link.timer);
    link.timer = setTimeout(() => void this.#dial(link), delayMs);
  }

  async #dial(link: Link): Promise<void> {
    const peer = link.peer.toString();
    const dialler = this.#dialler;
    if (dialler === undefined || link.isDialling || dialler.isConnected(link.peer)) return;
    if (!this.#ports.mayDial(peer)) {
      this.#failed(link, peer, new Error('the allow list does not admit it, or it is ignored'));
      return;
    }
    link.isDialling = true;
    this.#ports.onChange();
    try {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(LINKS.dialTimeoutMs)]);
      await dialler.dial([...link.addresses.values()], { signal });
      if (this.#links.get(peer) !== link) await dialler.hangUp(link.peer); // removed meanwhile
    } catch (error) {
      this.#failed(link, peer, error);
    } finally {
      link.isDialling = false;
      this.#ports.onChange();
    }
  }

  #failed(link: Link, peer: string, error: unknown): void {
    if (this.#links.get(peer) !== link || this.#stop.signal.aborted) return;
    link.failures += 1;
    const retryInMs = this.#pause(link.failures);
    const { failures } = link;
    if ((failures & (failures - 1)) === 0) {
      this.#ports.log({ kind: 'dial_failed', peer, attempt: failures, retryInMs, reason: reasonOf(error) });
    }
    this.#dialSoon(link, retryInMs);
  }
}
