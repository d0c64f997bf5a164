/**
 * What the rest of the house knows of replication (reference `replication.md`, "Interface to keep").
 * Everything else is private to the engine and its worker.
 */
export interface SyncOptions {
  /** 32 bytes that seed the node's link identity. */
  readonly nodeSeed: Uint8Array;
  /** Key of the private swarm (the 95-byte file of libp2p), or `null` for the open swarm. */
  readonly swarmKeyFile: string | null;
  readonly space: string;
  /** Multiaddresses to listen on; empty: no listener. */
  readonly listen: readonly string[];
  /** Multiaddresses with `/p2p/<id>`. */
  readonly peers: readonly string[];
  /** Peer ids admitted; `null`: all. */
  readonly allow: readonly string[] | null;
  /** Absolute path of `wats.db`, which the worker opens read-only. */
  readonly database: string;
}

/** A batch of posts that the worker verified already; `accept` answers once they are stored. */
export type AcceptBatch = (
  posts: readonly { readonly bytes: Uint8Array; readonly from: string }[],
) => Promise<void>;

export interface PeerStatus {
  readonly id: string;
  readonly addresses: readonly string[];
  readonly state: 'connected' | 'connecting' | 'unreachable' | 'ignored';
  readonly lastSeenAt: number | null;
  /** Posts of it that were refused. */
  readonly refusedPosts: number;
}

export interface SyncStatus {
  readonly nodeId: string;
  readonly listening: readonly string[];
  readonly peers: readonly PeerStatus[];
}

export interface Sync {
  /** Sends an own or accepted post to the peers. Never rejects: what gossip loses, reconciliation repairs. */
  publish(bytes: Uint8Array): void;
  /** Reconciles with one peer, or with all. Resolves when the round has ended. */
  syncNow(peerId?: string): Promise<void>;
  addPeer(address: string): Promise<void>;
  removePeer(peerId: string): Promise<void>;
  status(): SyncStatus;
  /** Called after a peer's state changed. */
  onChange(listener: () => void): void;
  stop(): Promise<void>;
}
