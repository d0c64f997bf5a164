/** Limits of one connection. Every one of them protects the other connections, and the daemon, from this one. */
export interface ConnectionLimits {
  /** Bytes of one line, its newline left out. */
  readonly lineBytes: number;
  /** Requests that were handed over and not yet answered; further ones wait unread. */
  readonly inFlight: number;
  /** Messages handled before other connections get their turn. */
  readonly batch: number;
  /** Bytes waiting to be written above which no further message is read. */
  readonly outSoftBytes: number;
  /** Bytes waiting to be written above which the client is dropped. */
  readonly outHardBytes: number;
  /** How long a client may leave its answers unread, in ms. */
  readonly stallMs: number;
  /** Lines that are no JSON-RPC message before the connection is closed. */
  readonly badLines: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  lineBytes: 1_048_576,
  inFlight: 64,
  batch: 16,
  outSoftBytes: 262_144,
  outHardBytes: 8_388_608,
  stallMs: 30_000,
  badLines: 16,
};

/** Connections of one socket at a time. */
export const MAX_CONNECTIONS = 256;
