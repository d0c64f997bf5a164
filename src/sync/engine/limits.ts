/** The limits of replication, and its rhythm (docs/architecture.md, "Limits"; measured in the engine's report). */
export const GOSSIP = {
  /** Posts a second, and at once, that one peer may propagate. */
  peerPerSecond: 50,
  peerBurst: 500,
  /** The same once a peer has sent an invalid post. */
  throttledPerSecond: 1,
  throttledBurst: 5,
  /** Posts a second, and at once, of one author. */
  authorPerSecond: 1,
  authorBurst: 60,
  /** Own posts a second, and at once: more overflow the neighbours' buffers. */
  publishPerSecond: 500,
  publishBurst: 500,
  /** Own posts that wait for their turn; reconciliation sends what doesn't fit. */
  publishQueue: 5_000,
} as const;

export const LINKS = {
  maxConnections: 64,
  /** Connections a second from one host; the default of 5 refuses offices and tests. */
  inboundPerSecond: 50,
  firstRetryMs: 500,
  retryFactor: 1.6,
  maxRetryMs: 30_000,
  dialTimeoutMs: 10_000,
  /** The same for a straight dial, where a relay could be tried instead. */
  straightTimeoutMs: 4_000,
  /** A link that lasted this long was a good one: the next dial starts without waiting. */
  stableMs: 10_000,
  /** After the link to a seed came up, peers that may be reached through it are dialled: it needs a moment to know them. */
  afterSeedMs: 1_000,
} as const;

/** What a node gives as a relay, and how often it asks for a place on one. */
export interface RelayLimits {
  /** Nodes that may be reached through it. A place goes when its node hangs up. */
  readonly places: number;
  /** How long a place lasts unless it is asked for again, which nodes do five minutes before. */
  readonly placeMs: number;
  /** Relayed links at once; and of one node. */
  readonly links: number;
  readonly linksPerPeer: number;
  /** A relayed link is cut after so long and after so many bytes (both ways); the nodes dial again and reconcile. */
  readonly linkMs: number;
  readonly linkBytes: number;
  /** Connections of a node that serves; others have `LINKS.maxConnections`. */
  readonly maxConnections: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
}

export const RELAY: RelayLimits = {
  places: 128,
  placeMs: 3_600_000,
  links: 256,
  linksPerPeer: 32,
  linkMs: 3_600_000,
  linkBytes: 128 * 1024 * 1024,
  maxConnections: 300,
  firstRetryMs: 1_000,
  maxRetryMs: 60_000,
};

export const RECONCILE = {
  /** Frame length, type byte included. Negentropy's own limit must fit in. */
  frameBytes: 256 * 1024,
  negentropyBytes: 250_000,
  /** Days that are compared. */
  windowDays: 400,
  streamsPerConnection: 2,
  rounds: 64,
  /** Ids that one side may ask for, and posts that one side sends, in one exchange. */
  wanted: 50_000,
  /** Posts of the days that one exchange treats; a single day may have more. */
  postsPerExchange: 50_000,
  /** Own posts that a peer may make us index for it in one exchange. */
  postsPerPick: 200_000,
  timeoutMs: 60_000,
  outboundAtOnce: 2,
  inboundAtOnce: 4,
  /** Exchanges that one peer may start: at once, and a second. */
  startsBurst: 30,
  startsPerSecond: 0.2,
} as const;

/** When to reconcile, in milliseconds. Tests shorten it. */
export interface Rhythm {
  readonly everyMs: number;
  /** After a link came up, and once more after that: when gossip passes things on over it (its heartbeat is a second). */
  readonly onConnectMs: readonly [number, number];
  readonly onceMoreMs: readonly [number, number];
  readonly afterNewsMs: number;
  readonly afterLossMs: number;
  readonly afterBusyMs: number;
  readonly guardMs: number;
  /** Links younger than this are left alone by the guard. */
  readonly guardAgeMs: number;
  /** How often each link is asked whether it is alive, and how long it may take to answer. */
  readonly pingMs: number;
  readonly pingTimeoutMs: number;
  /** How often a peer that is linked through a relay is tried straight. */
  readonly straightMs: number;
}

export const RHYTHM: Rhythm = {
  everyMs: 60_000,
  onConnectMs: [100, 400],
  onceMoreMs: [3_000, 5_000],
  afterNewsMs: 250,
  afterLossMs: 2_000,
  afterBusyMs: 5_000,
  guardMs: 2_000,
  guardAgeMs: 5_000,
  pingMs: 10_000,
  pingTimeoutMs: 5_000,
  straightMs: 60_000,
};
