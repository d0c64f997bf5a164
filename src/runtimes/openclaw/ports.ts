/** Where wakes go, once the address rules of the settings admitted it. */
export interface Gateway {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly hooksPath: string;
  readonly host: string;
  readonly clear: 'encrypted' | 'loopback' | 'private';
  /** Whether a connection in clear may go to this IP address: what the host's name turned out to be. */
  readonly reaches: (ip: string) => boolean;
}

/**
 * The exact request of a run, kept with it until it ended: a gateway recognises a repeated request by its bytes, and
 * a daemon that was killed in the middle asks again with these. Times are ms since the epoch.
 */
export interface KeptRequest {
  readonly run: string;
  readonly url: string;
  /** The value of `Idempotency-Key`. */
  readonly key: string;
  /** Bytes of the body, as text. */
  readonly body: string;
  /** SHA-256 of the token: another token is another request to the gateway. */
  readonly tokenHash: string;
  readonly timeoutMs: number;
  /** Just before it was sent for the first time; `null`: it never left. */
  readonly sentAt: number | null;
  /** When the daemon was last known to wait for its answer. */
  readonly aliveAt: number;
}

/** The durable side of forwarding; every call is one transaction. */
export interface RequestBook {
  /** Keeps a request in place of the one that the run had, and forgets those of runs that ended. */
  keep(request: KeptRequest): void;
  /** The request leaves now (a time), or did not leave after all (`null`). */
  sent(run: string, at: number | null): void;
  /** Must not throw: a run that is going must not end by what is only written down. */
  alive(run: string, at: number): void;
  of(run: string): KeptRequest | null;
}

/** Runs OpenClaw's own command line once. `null`: it is not there, failed, or did not answer in time. */
export type AskOpenclaw = (args: readonly string[], signal: AbortSignal) => Promise<string | null>;

/** Which dollars hold a forward back. Integer micro-dollars. */
export type SpendRule =
  | { readonly by: 'openclaw' }
  | { readonly by: 'wats'; readonly dayMicroUsd: number; readonly monthMicroUsd: number };

export interface OpenclawDeps {
  readonly gateway: Gateway;
  /** The OpenClaw agent that wakes are forwarded to. */
  readonly agentId: string;
  /** The hook token, read anew for each run: setup may have made another. @returns `null` when there is none */
  readonly token: () => string | null;
  readonly requests: RequestBook;
  readonly ask: AskOpenclaw;
  readonly spend: SpendRule;
  /** Wall clock, ms. */
  readonly now: () => number;
  readonly waits?: Partial<Waits>;
}

/** In ms; a test is in a hurry. */
export interface Waits {
  /** How long the gateway may take to begin a turn. */
  readonly admissionMs: number;
  /** What a turn may take beyond its own limit: OpenClaw's retries of a provider are not counted in it. */
  readonly marginMs: number;
  /** From a lost connection to the next attempt. */
  readonly againMs: number;
  /** How long a gateway surely remembers a request: 5 min after the end of its turn, less what a dead link takes to be noticed. */
  readonly rememberedMs: number;
  /** How long a look at the gateway may take. */
  readonly lookMs: number;
  /** How often a waiting run is written down as alive. */
  readonly aliveMs: number;
  /** Until a deferred run is tried again: the first time, doubling up to the second. */
  readonly deferMs: readonly [number, number];
}

export const WAITS: Waits = {
  admissionMs: 15_000,
  marginMs: 60_000,
  againMs: 1_000,
  rememberedMs: 240_000,
  lookMs: 5_000,
  aliveMs: 30_000,
  deferMs: [15_000, 600_000],
};
