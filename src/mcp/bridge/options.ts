import type { Readable, Writable } from 'node:stream';

/** How the bridge gets a node, for the sessions of people's hosts. */
export interface NodeStarter {
  /** Starts a node unless one is being started by somebody. Called again and again while none answers. */
  tryStart(): void;
  /** Why waiting on is useless, once that is known. */
  failed(): string | undefined;
  /** A node answered, or the bridge gave up. */
  done(): void;
}

export interface BridgeOptions {
  readonly socket: string;
  /** The line that a connection begins with, newline included, when there is one. */
  readonly hello: string | undefined;
  /**
   * `once`: one connection, the bridge ends with it (a run's). Otherwise it reconnects, with a node started by
   * `starter` where that is not `null`.
   */
  readonly persistence: 'once' | { readonly starter: NodeStarter | null };
  readonly input: Readable;
  readonly output: Writable;
  /** One line for a person. */
  readonly warn: (line: string) => void;
  readonly timing?: BridgeTiming;
}

/** In ms. */
export interface BridgeTiming {
  /** How long a request waits for a node that is being started before it is answered with an error. */
  readonly patience: number;
  /** The same where none is started. */
  readonly patienceAlone: number;
  /** After a node went away: how long it may take to come back before another is started. */
  readonly beforeStart: number;
  /** How long answers are waited for after the host closed our input. */
  readonly drain: number;
  /** Between attempts: from, and doubling up to; the second when nobody waits. */
  readonly retry: readonly [number, number];
  readonly retryIdle: number;
}

export const TIMING: BridgeTiming = {
  patience: 10_000,
  patienceAlone: 3000,
  beforeStart: 1000,
  drain: 2000,
  retry: [10, 200],
  retryIdle: 2000,
};
