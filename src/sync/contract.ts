import type { PostProblem } from '../swarm/index.ts';

/**
 * What the rest of the house knows of replication. Everything else is private to the engine and its worker,
 * so that another engine can take its place.
 */
export interface SyncOptions {
  /** 32 bytes that seed the node's link identity. It authenticates the link and carries no authorship. */
  readonly nodeSeed: Uint8Array;
  /** Key of the private swarm (the 95-byte file of libp2p), or `null` for the open swarm. */
  readonly swarmKeyFile: string | null;
  /** `open`, or 64 hex digits of a private swarm; never `local`. */
  readonly space: string;
  /** Multiaddresses to listen on; empty: no listener. */
  readonly listen: readonly string[];
  /** Multiaddresses with `/p2p/<id>`: the only ones this node ever dials. */
  readonly peers: readonly string[];
  /** Peer ids admitted, in and out; `null`: all; empty: none. */
  readonly allow: readonly string[] | null;
  /** `null`: no relay, in neither direction, and nothing of it is loaded. */
  readonly relay: RelayOptions | null;
  /** Absolute path of `wats.db`, which the worker opens read-only. */
  readonly database: string;
  /** The worker's script, where it doesn't lie beside this module or one folder above (see `workerScript`). */
  readonly worker?: URL;
}

/** How a node takes part in relaying between nodes that cannot dial each other. */
export interface RelayOptions {
  /**
   * Whole addresses of the nodes through which this one may be reached, and through which it dials a named peer that it
   * cannot reach straight.
   */
  readonly seeds: readonly string[];
  /** Whether this node relays for the members of its swarm. It is reached straight itself, so it takes no place elsewhere. */
  readonly serves: boolean;
}

/** A post that came from a peer and passed every check of `readPost`, in its canonical encoding. */
export interface ReceivedPost {
  /** 64 hex digits. */
  readonly id: string;
  /** What `encodePost` gives for it. */
  readonly bytes: Uint8Array;
  /** The peer that handed it over; not its author. */
  readonly from: string;
  /** `gossip` was rate-limited here, per peer and per author; `reconciled` has limits of its own. */
  readonly via: 'gossip' | 'reconciled';
}

/**
 * Stores a batch (1 to 128 posts; reconciled ones in (ts, id) order). It answers once the batch is committed,
 * and names the ids that were not stored, which the engine then doesn't fetch again for ten minutes.
 * One batch is under way at a time: the engine holds peers back while it waits.
 * A rejection means that nothing of the batch was stored (a full disk); it is logged and tried again later.
 */
export type AcceptBatch = (
  posts: readonly ReceivedPost[],
) => Promise<{ readonly refused: readonly string[] }>;

/** What the worker reads of the store (`openReader` of store/). Answers reflect what is committed. */
export interface StoreReader {
  has(id: string): boolean;
  /** The posts of a space with `sinceSeconds <= ts < untilSeconds`, sorted by (ts, id). Each id is 32 bytes. */
  ids(space: string, sinceSeconds: number, untilSeconds: number): { ts: number; id: Uint8Array }[];
  /** The encoded post, or `null`. */
  bytes(id: string): Uint8Array | null;
  /**
   * A fingerprint of each day (`floor(ts / 86400)`) from `sinceDay` that has posts, sorted by day. It depends
   * on the set of ids of that day and on nothing else: two stores with the same posts give the same bytes.
   */
  dayFingerprints(space: string, sinceDay: number): { day: number; count: number; fingerprint: Uint8Array }[];
  close(): void;
}

export interface PeerStatus {
  readonly id: string;
  /** Where it is dialled; for a peer that only dials us, where it came from. */
  readonly addresses: readonly string[];
  /** `ignored`: it sent invalid posts and is cut off for a while. `unreachable`: the last dial failed. */
  readonly state: 'connected' | 'connecting' | 'unreachable' | 'ignored';
  /** Connected, and only through a relay. */
  readonly relayed: boolean;
  /** Milliseconds since the epoch; `null`: not since this daemon started. */
  readonly lastSeenAt: number | null;
  /** Posts of it that were refused. */
  readonly refusedPosts: number;
  /** Posts that it has and we lack, as of the last reconciliation; 0: in step; `null`: not compared yet. */
  readonly lag: number | null;
}

/** A seed as a relay of this node. */
export interface RelayStatus {
  /** Its peer id. */
  readonly seed: string;
  /**
   * `reserved`: others reach this node through it. `waiting`: there is no link to it, or it was not asked yet.
   * `refused`: it gave no place, see `reason`. `not_serving`: it is no relay.
   */
  readonly state: 'reserved' | 'waiting' | 'refused' | 'not_serving';
  /** Why it refused, in a few words of ours. */
  readonly reason: string | null;
}

export interface SyncStatus {
  /** The peer id: `12D3Koo…`. */
  readonly nodeId: string;
  /** Addresses that a peer can dial, with `/p2p/<id>`; those through relays last. */
  readonly listening: readonly string[];
  readonly peers: readonly PeerStatus[];
  /** The seeds as relays of this node; empty where it uses none. */
  readonly relays: readonly RelayStatus[];
  /** What this node does as a relay: places taken, places there are, links that go through it now. */
  readonly serving: { readonly places: number; readonly of: number; readonly links: number } | null;
}

/**
 * What happened, for the log. Reasons are printable ASCII of at most 200 characters; nothing that a peer
 * chose is in them.
 */
export type SyncEvent =
  | {
      readonly kind: 'connected';
      readonly peer: string;
      readonly direction: 'inbound' | 'outbound';
      readonly relayed: boolean;
    }
  | { readonly kind: 'disconnected'; readonly peer: string }
  /** Reported for the 1st, 2nd, 4th, 8th … failure in a row. */
  | {
      readonly kind: 'dial_failed';
      readonly peer: string;
      readonly attempt: number;
      readonly retryInMs: number;
      readonly reason: string;
    }
  /** A seed keeps a place for this node: others reach it through that seed. */
  | { readonly kind: 'relay_reserved'; readonly seed: string }
  /** Reported for the 1st, 2nd, 4th, 8th … failure in a row. */
  | {
      readonly kind: 'relay_refused';
      readonly seed: string;
      readonly attempt: number;
      readonly retryInMs: number;
      readonly reason: string;
    }
  | { readonly kind: 'relay_lost'; readonly seed: string }
  | {
      readonly kind: 'post_refused';
      readonly peer: string;
      readonly via: ReceivedPost['via'];
      readonly code: PostProblem['code'] | 'wrong_space' | 'wrong_version';
    }
  | { readonly kind: 'peer_ignored'; readonly peer: string; readonly untilMs: number }
  | {
      readonly kind: 'reconciled';
      readonly peer: string;
      readonly received: number;
      readonly sent: number;
      readonly bytesIn: number;
      readonly bytesOut: number;
      readonly ms: number;
      /** Whether nothing is left for another round. */
      readonly isComplete: boolean;
    }
  | { readonly kind: 'reconcile_failed'; readonly peer: string; readonly reason: string }
  /** A link that looked open but carried no gossip was closed, to be dialled again. */
  | { readonly kind: 'link_healed'; readonly peer: string }
  | { readonly kind: 'accept_failed'; readonly posts: number; readonly reason: string }
  /** More local posts at once than gossip is paced for; reconciliation sends the rest. */
  | { readonly kind: 'publish_overflow'; readonly posts: number }
  | { readonly kind: 'worker_failed'; readonly reason: string; readonly restartInMs: number }
  | { readonly kind: 'worker_restarted' };

export interface SyncPorts {
  readonly accept: AcceptBatch;
  /** Must not throw. */
  readonly log: (event: SyncEvent) => void;
}

export interface Sync {
  /**
   * Sends an own or accepted post to the peers. Never throws: what gossip loses, reconciliation repairs.
   * Posts of another space (`local` above all) are not sent.
   */
  publish(bytes: Uint8Array): void;
  /**
   * Reconciles with one peer, or with all that are connected. Resolves when the round has ended, well or not
   * (the log says which); at once for a peer that isn't connected.
   */
  syncNow(peerId?: string): Promise<void>;
  /** Dials the address from now on. @throws WatsError `usage`: no address with `/p2p/<id>`, or our own. */
  addPeer(address: string): Promise<void>;
  /** Hangs up and doesn't dial it any more. An unknown id changes nothing. */
  removePeer(peerId: string): Promise<void>;
  status(): SyncStatus;
  /** Called after a peer's state changed. */
  onChange(listener: () => void): void;
  /** Hangs up on everybody and ends the worker. */
  stop(): Promise<void>;
}
