import type { PeerId } from '@libp2p/interface';
import { peerIdFromString } from '@libp2p/peer-id';
import { type Multiaddr, multiaddr } from '@multiformats/multiaddr';
import { WatsError } from '../../errors/index.ts';
import { type PeerAddress, parsePeerAddress, throughRelay } from '../address.ts';
import type { SyncEvent } from '../contract.ts';
import { reasonOf } from '../reason.ts';
import { LINKS } from './limits.ts';
import type { Reach } from './network.ts';

/** What the links need of the network. */
export interface Dialler {
  dial(addresses: Multiaddr[], options: { signal: AbortSignal }): Promise<unknown>;
  reach(peer: PeerId): Reach;
  hangUp(peer: PeerId): Promise<void>;
}

export interface LinksPorts {
  readonly ownId: string;
  readonly nowMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly mayDial: (peer: string) => boolean;
  /** Nodes through which a named peer may be dialled when it can't be reached straight; `null`: no relay is used. */
  readonly seeds: readonly PeerAddress[] | null;
  /** How often a peer that is linked through a relay is tried straight. */
  readonly straightMs: number;
  readonly log: (event: SyncEvent) => void;
  readonly onChange: () => void;
}

interface Link {
  readonly peer: PeerId;
  /** As they were named: those that are dialled straight, and those through a relay, with that relay. */
  readonly straight: Map<string, Multiaddr>;
  readonly relayed: Map<string, PeerAddress>;
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

  /**
   * Whether this node may dial a peer at an address: only what it was told to. That is the named addresses, a named peer
   * through a seed, and the relay of a named address, which is part of what was named.
   */
  isNamed(peer: string, address?: Multiaddr): boolean {
    const link = this.#links.get(peer);
    const asRelay = this.#relaysNamed().filter(({ peerId }) => peerId === peer);
    if (address === undefined) return link !== undefined || asRelay.length > 0;
    const text = address.toString();
    const named = new Set([
      ...(link?.straight.keys() ?? []),
      ...(link === undefined ? [] : this.#throughSeeds(peer)),
      ...(link === undefined || this.#ports.seeds === null ? [] : link.relayed.keys()),
      ...asRelay.map((relay) => multiaddr(relay.text).toString()),
    ]);
    return named.has(text) || named.has(`${text}/p2p/${peer}`);
  }

  named(): { peer: string; addresses: string[]; isDialling: boolean; failures: number }[] {
    return [...this.#links].map(([peer, link]) => ({
      peer,
      addresses: [...link.straight.keys(), ...link.relayed.keys()],
      isDialling: link.isDialling,
      failures: link.failures,
    }));
  }

  connected(peer: string): void {
    const link = this.#links.get(peer);
    if (link === undefined) return;
    link.connectedAt = this.#ports.nowMs();
    this.#dialSoon(link, this.#ports.straightMs);
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

  /** A seed that serves is linked now: peers that could not be reached may be, by way of it. */
  seedServes(): void {
    for (const link of this.#links.values()) {
      if (this.#dialler?.reach(link.peer) !== 'none' || link.isDialling) continue;
      link.failures = 0;
      this.#dialSoon(link, LINKS.afterSeedMs);
    }
  }

  stop(): void {
    this.#stop.abort();
    for (const link of this.#links.values()) clearTimeout(link.timer);
    this.#links.clear();
  }

  #name(address: string): Link {
    const named = parsePeerAddress(address);
    const { peerId } = named;
    if (peerId === this.#ports.ownId) {
      throw new WatsError('usage', 'this address is the one of this node itself', {
        fix: 'Give the address that `wats peer invite` prints on the other node.',
      });
    }
    const known = this.#links.get(peerId);
    const link: Link = known ?? {
      peer: peerIdFromString(peerId),
      straight: new Map(),
      relayed: new Map(),
      failures: 0,
      isDialling: false,
      connectedAt: undefined,
      timer: undefined,
    };
    const parsed = multiaddr(address);
    if (named.relay === null) link.straight.set(parsed.toString(), parsed);
    else link.relayed.set(parsed.toString(), named);
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
    if (dialler === undefined || link.isDialling) return;
    const reach = dialler.reach(link.peer);
    if (reach === 'straight') return;
    if (reach === 'relayed') {
      await this.#straighten(link, dialler);
      return;
    }
    if (!this.#ports.mayDial(peer)) {
      this.#failed(link, peer, new Error('the allow list does not admit it, or it is ignored'));
      return;
    }
    link.isDialling = true;
    this.#ports.onChange();
    try {
      await this.#reach(link, dialler);
      if (this.#links.get(peer) !== link) await dialler.hangUp(link.peer); // removed meanwhile
    } catch (error) {
      this.#failed(link, peer, error);
    } finally {
      link.isDialling = false;
      this.#ports.onChange();
    }
  }

  /** Straight first; through relays when that fails. */
  async #reach(link: Link, dialler: Dialler): Promise<void> {
    const isRelayable = this.#through(link, dialler).length > 0;
    if (link.straight.size > 0) {
      const patienceMs = isRelayable ? LINKS.straightTimeoutMs : LINKS.dialTimeoutMs;
      try {
        await dialler.dial([...link.straight.values()], { signal: this.#within(patienceMs) });
        return;
      } catch (error) {
        if (this.#through(link, dialler).length === 0) throw error;
      }
    }
    const through = this.#through(link, dialler);
    if (through.length === 0)
      throw new Error('it is reached through a relay only, and infra = "none" uses none');
    await dialler.dial(through, { signal: this.#within(LINKS.dialTimeoutMs) });
  }

  /**
   * A peer that is linked through a relay is tried straight. When that works every link to it is closed, and the next dial,
   * straight first, is the only one: gossip must not be left on a stream of the relayed link.
   */
  async #straighten(link: Link, dialler: Dialler): Promise<void> {
    if (link.straight.size === 0) return;
    link.isDialling = true;
    try {
      await dialler.dial([...link.straight.values()], { signal: this.#within(LINKS.straightTimeoutMs) });
      await dialler.hangUp(link.peer);
    } catch {
      // It is reached through the relay as before.
      this.#dialSoon(link, this.#ports.straightMs);
    } finally {
      link.isDialling = false;
    }
  }

  /** Addresses of a peer through relays: those that were named, and those through seeds that are linked now. */
  #through(link: Link, dialler: Dialler): Multiaddr[] {
    if (this.#ports.seeds === null) return [];
    const seeds = this.#throughSeeds(link.peer.toString(), (seed) => dialler.reach(seed) === 'straight');
    return [...new Set([...link.relayed.keys(), ...seeds])].map((text) => multiaddr(text));
  }

  /** A peer through seeds. A seed itself is dialled straight, or not at all. */
  #throughSeeds(peer: string, isUsed: (seed: PeerId) => boolean = () => true): string[] {
    const seeds = this.#ports.seeds ?? [];
    if (seeds.some(({ peerId }) => peerId === peer)) return [];
    return seeds
      .filter(({ peerId }) => isUsed(peerIdFromString(peerId)))
      .map(({ text }) => multiaddr(throughRelay(text, peer)).toString());
  }

  #relaysNamed(): { readonly peerId: string; readonly text: string }[] {
    if (this.#ports.seeds === null) return [];
    return [...this.#links.values()]
      .flatMap(({ relayed }) => [...relayed.values()])
      .flatMap(({ relay }) => relay ?? []);
  }

  #within(ms: number): AbortSignal {
    return AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ms)]);
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
