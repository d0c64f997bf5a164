import type { Loaded } from '../config/index.ts';
import type { Controls } from '../control/index.ts';
import type { Places, SocketPlace } from '../paths/index.ts';
import type { Log } from './log.ts';
import type { Occurrences } from './occurrences.ts';
import type { AgentSources } from './view.ts';

export interface DaemonOptions {
  readonly places: Places;
  readonly place: SocketPlace;
  readonly loaded: Loaded;
  /** The operating-system user. */
  readonly user: string;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  readonly self: { readonly node: string; readonly script: string };
  readonly shippedHeartbeat: string;
  /** A background node never runs agents, and yields its directory to a foreground daemon. */
  readonly background: boolean;
  readonly now: () => number;
  /** Writes bytes that take no room (a bell) to the terminal of the live screen; does nothing while none is up. */
  readonly terminal: (bytes: string) => void;
  /** A person asked the daemon to quit. */
  readonly onQuit: (how: 'drain' | 'now') => void;
}

export interface Daemon {
  readonly controls: Controls;
  readonly log: Log;
  readonly agent: AgentSources | null;
  /** What happened, as ids and numbers. */
  readonly onOccurrence: Occurrences['listen'];
  /** Calls back once nobody has been attached for that long. @returns the end of it */
  whenIdle(afterMs: number, idle: () => void): () => void;
  /** Ends everything in reverse; with `drain` the run in progress ends by itself first. */
  close(how: 'drain' | 'now'): Promise<void>;
}
