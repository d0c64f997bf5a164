import type { PeerId } from '@libp2p/interface';
import type { PeerAddress } from '../address.ts';
import { throughRelay } from '../address.ts';
import type { RelayStatus, SyncEvent } from '../contract.ts';
import type { RelayLimits } from './limits.ts';

/** What reservations need of the network. A seed is named by its peer id. */
export interface Seats {
  /** Asks a linked seed for a place, or keeps the one that is there. Rejects with the reason why there is none. */
  ask(seed: PeerId): Promise<unknown>;
  /** Whether there is a link to the seed that is no relayed one itself. */
  isLinked(seed: PeerId): boolean;
}

export interface ReservationsPorts {
  readonly ownId: string;
  readonly seeds: readonly PeerAddress[];
  readonly limits: Pick<RelayLimits, 'firstRetryMs' | 'maxRetryMs'>;
  readonly random: () => number;
  readonly log: (event: SyncEvent) => void;
  readonly onChange: () => void;
}

interface Seat {
  readonly addresses: string[];
  state: RelayStatus['state'];
  reason: string | null;
  failures: number;
  isAsking: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Keeps a place on every seed that serves as a relay: asks when a link to it is up, and again, with a growing pause of
 * at most a minute, when it refused or the place was lost.
 */
export class Reservations {
  readonly #ports: ReservationsPorts;
  readonly #seats = new Map<string, Seat>();
  #network: Seats | undefined;
  #isStopped = false;

  constructor(ports: ReservationsPorts) {
    this.#ports = ports;
    for (const { peerId, text } of ports.seeds) {
      const known = this.#seats.get(peerId);
      if (known !== undefined) known.addresses.push(text);
      else
        this.#seats.set(peerId, {
          addresses: [text],
          state: 'waiting',
          reason: null,
          failures: 0,
          isAsking: false,
          timer: undefined,
        });
    }
  }

  start(network: Seats): void {
    this.#network = network;
  }

  /** A seed said, over a link that is up, whether it serves. */
  identified(peer: PeerId, serves: boolean): void {
    const seat = this.#seats.get(peer.toString());
    if (seat === undefined) return;
    if (!serves) this.#set(seat, 'not_serving');
    else if (seat.state !== 'reserved') this.#askSoon(peer, seat, 0);
  }

  /** The last link to a seed is gone, and the place with it. */
  disconnected(peer: string): void {
    const seat = this.#seats.get(peer);
    if (seat === undefined) return;
    clearTimeout(seat.timer);
    this.#lost(peer, seat);
    seat.failures = 0;
    this.#set(seat, 'waiting');
  }

  /** The place is gone though the node may still be linked: it was not renewed, or its own connection closed. */
  removed(peer: PeerId): void {
    const seat = this.#seats.get(peer.toString());
    if (seat?.state !== 'reserved') return;
    this.#lost(peer.toString(), seat);
    this.#set(seat, 'waiting');
    this.#askSoon(peer, seat, this.#pause(1));
  }

  status(): RelayStatus[] {
    return [...this.#seats].map(([seed, { state, reason }]) => ({ seed, state, reason }));
  }

  /** Addresses at which others reach this node now, through seeds. */
  addresses(): string[] {
    return [...this.#seats.values()]
      .filter(({ state }) => state === 'reserved')
      .flatMap(({ addresses }) => addresses.map((address) => throughRelay(address, this.#ports.ownId)));
  }

  stop(): void {
    this.#isStopped = true;
    for (const { timer } of this.#seats.values()) clearTimeout(timer);
  }

  #askSoon(peer: PeerId, seat: Seat, delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(seat.timer);
    seat.timer = setTimeout(() => void this.#ask(peer, seat), delayMs);
  }

  async #ask(peer: PeerId, seat: Seat): Promise<void> {
    const network = this.#network;
    // Without a link it is asked once there is one.
    if (network === undefined || seat.isAsking || !network.isLinked(peer)) return;
    seat.isAsking = true;
    try {
      await network.ask(peer);
      if (this.#isStopped || !network.isLinked(peer)) return;
      seat.failures = 0;
      this.#ports.log({ kind: 'relay_reserved', seed: peer.toString() });
      this.#set(seat, 'reserved');
    } catch (error) {
      if (this.#isStopped || !network.isLinked(peer)) return;
      seat.failures += 1;
      const retryInMs = this.#pause(seat.failures);
      const reason = wordsFor(error);
      const attempt = seat.failures;
      if ((attempt & (attempt - 1)) === 0)
        this.#ports.log({ kind: 'relay_refused', seed: peer.toString(), attempt, retryInMs, reason });
      this.#set(seat, 'refused', reason);
      this.#askSoon(peer, seat, retryInMs);
    } finally {
      seat.isAsking = false;
    }
  }

  #pause(failures: number): number {
    const { firstRetryMs, maxRetryMs } = this.#ports.limits;
    const grown = firstRetryMs * 2 ** Math.min(20, failures - 1);
    return Math.round(Math.min(maxRetryMs, grown) * (0.75 + this.#ports.random() / 2));
  }

  #lost(seed: string, seat: Seat): void {
    if (seat.state === 'reserved') this.#ports.log({ kind: 'relay_lost', seed });
  }

  #set(seat: Seat, state: Seat['state'], reason: string | null = null): void {
    seat.state = state;
    seat.reason = reason;
    this.#ports.onChange();
  }
}

/** The relay's answer as the library tells it, in our words: nothing that a peer chose reaches a screen. */
function wordsFor(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  if (text.includes('RESERVATION_REFUSED')) return 'all its places are taken';
  if (text.includes('PERMISSION_DENIED')) return 'it does not admit this node';
  return 'it did not answer as a relay does';
}
