/**
 * Relaying between nodes that cannot dial each other, over circuit relay v2. The only module that loads the package, and
 * it is loaded itself only where a relay is used.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CircuitRelayService,
  circuitRelayServer,
  circuitRelayTransport,
  RELAY_V2_HOP_CODEC,
  RELAY_V2_STOP_CODEC,
} from '@libp2p/circuit-relay-v2';
import type { ConnectionGater, PeerId, StreamHandler, Transport } from '@libp2p/interface';
import type { PeerAddress } from '../address.ts';
import type { RelayStatus, SyncEvent, SyncStatus } from '../contract.ts';
import type { RelayLimits } from './limits.ts';
import { isRelayed, type Network, type RelayPlug } from './network.ts';
import { Reservations } from './reservations.ts';

export interface RelayPorts {
  readonly ownId: string;
  readonly seeds: readonly PeerAddress[];
  readonly serves: boolean;
  /** Whether a peer may be linked with at all. */
  readonly isAdmitted: (peer: string) => boolean;
  /** A protocol that every member of the swarm speaks, and nobody else. */
  readonly memberProtocol: string;
  readonly limits: RelayLimits;
  /** A seed that serves was linked. */
  readonly onServing: () => void;
  readonly random: () => number;
  readonly log: (event: SyncEvent) => void;
  readonly onChange: () => void;
}

/** What the library's transport has beside its interface, as far as it is used here. */
interface RelayTransport extends Transport {
  /** A relay brings a link. */
  onStop: StreamHandler;
  readonly reservationStore: {
    addRelay(relay: PeerId, type: 'configured'): Promise<unknown>;
    hasReservation(relay: PeerId): boolean;
    addEventListener(
      type: 'relay:removed',
      listener: (event: CustomEvent<{ readonly relay: PeerId }>) => void,
    ): void;
  };
}

/** A member is told by what it speaks, which it says just after the link is up. */
const IDENTIFY_TURNS = 30;
const IDENTIFY_TURN_MS = 100;

/**
 * This node as a client of relays (its seeds), and as one itself where it serves.
 *
 * As a client it takes the addresses that the person listed and none that a relay tells; it never looks for relays, and
 * only a relay on which it holds a place may bring it links.
 */
export class Relay implements RelayPlug {
  readonly #ports: RelayPorts;
  readonly #reservations: Reservations;
  #network: Network | undefined;
  #transport: RelayTransport | undefined;
  #server: CircuitRelayService | undefined;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
    // Who serves is reached straight.
    this.#reservations = new Reservations({ ...ports, seeds: ports.serves ? [] : ports.seeds });
  }

  get maxConnections(): number | undefined {
    return this.#ports.serves ? this.#ports.limits.maxConnections : undefined;
  }

  /** The transport for links through relays. */
  readonly transport: RelayPlug['transport'] = (components) => {
    const make = circuitRelayTransport({
      // "Every peer is known already": it is never told of one, so it looks for no relay by itself.
      discoveryFilter: { has: () => true, add: () => {}, remove: () => {} },
      maxInboundStopStreams: this.#ports.limits.links,
    });
    const transport = make(components) as RelayTransport;
    const bring = transport.onStop;
    // The library would ask for a place on any peer that brings a link. (Its own middleware for streams is no way to
    // stop that: it runs what earlier streams left in the list.)
    transport.onStop = async (stream, connection) => {
      if (transport.reservationStore.hasReservation(connection.remotePeer)) await bring(stream, connection);
      else stream.abort(new Error('this node holds no place on that relay'));
    };
    this.#transport = transport;
    return transport;
  };

  get services(): RelayPlug['services'] {
    const { limits, serves } = this.#ports;
    if (!serves) return {};
    const make = circuitRelayServer({
      reservations: {
        maxReservations: limits.places,
        reservationTtl: limits.placeMs,
        defaultDurationLimit: limits.linkMs,
        defaultDataLimit: BigInt(limits.linkBytes),
      },
      maxInboundHopStreams: limits.linksPerPeer,
      maxOutboundStopStreams: limits.linksPerPeer,
    });
    return {
      relay: (components) => {
        this.#server = make(components);
        return this.#server;
      },
    };
  }

  readonly gate: ConnectionGater = {
    denyInboundRelayReservation: async (source) => {
      if (!(await this.#isMember(source))) return true;
      // Renewing a place would end it early: the library's timer keeps the first renewal's date. A new one is right.
      this.#release(source);
      return false;
    },
    denyOutboundRelayedConnection: async (source, destination) =>
      !this.#ports.isAdmitted(destination.toString()) ||
      this.#linksThrough() >= this.#ports.limits.links ||
      !(await this.#isMember(source)),
    denyInboundRelayedConnection: (_relay, remote) => !this.#ports.isAdmitted(remote.toString()),
  };

  /** Before the network starts. */
  attach(network: Network): void {
    this.#network = network;
    const store = this.#transport?.reservationStore;
    if (store === undefined) throw new Error('the relay is not part of this network');
    store.addEventListener('relay:removed', ({ detail }) => this.#reservations.removed(detail.relay));
    network.addEventListener('peer:identify', ({ detail: { peerId, protocols, connection } }) => {
      if (isRelayed(connection)) return;
      const serves = protocols.includes(RELAY_V2_HOP_CODEC);
      this.#reservations.identified(peerId, serves);
      if (serves && this.#isSeed(peerId)) this.#ports.onServing();
    });
    network.addEventListener('peer:disconnect', ({ detail }) => {
      this.#release(detail);
      this.#reservations.disconnected(detail.toString());
    });
    this.#reservations.start({
      ask: (seed) => store.addRelay(seed, 'configured'),
      isLinked: (seed) => network.getConnections(seed).some((connection) => !isRelayed(connection)),
    });
  }

  status(): RelayStatus[] {
    return this.#reservations.status();
  }

  addresses(): string[] {
    return this.#reservations.addresses();
  }

  serving(): SyncStatus['serving'] {
    if (this.#server === undefined) return null;
    return {
      places: this.#server.reservations.size,
      of: this.#ports.limits.places,
      links: this.#linksThrough(),
    };
  }

  stop(): void {
    this.#reservations.stop();
  }

  /** Links between other nodes that go through this one now. */
  #linksThrough(): number {
    const connections = this.#network?.getConnections() ?? [];
    return connections
      .flatMap(({ streams }) => streams)
      .filter(({ protocol, direction }) => protocol === RELAY_V2_STOP_CODEC && direction === 'outbound')
      .length;
  }

  #isSeed(peer: PeerId): boolean {
    return this.#ports.seeds.some(({ peerId }) => peerId === peer.toString());
  }

  async #isMember(peer: PeerId): Promise<boolean> {
    if (!this.#ports.isAdmitted(peer.toString())) return false;
    for (let turn = 0; turn < IDENTIFY_TURNS; turn += 1) {
      const known = await this.#network?.peerStore.get(peer).catch(() => undefined); // not identified yet
      if (known?.protocols.includes(this.#ports.memberProtocol)) return true;
      await sleep(IDENTIFY_TURN_MS);
    }
    return false;
  }

  /** Takes a place back, its timer with it: that would end the place that the same node gets next. */
  #release(peer: PeerId): void {
    this.#server?.reservations.get(peer)?.signal.clear();
    this.#server?.reservations.delete(peer);
  }
}
