import type { Booking, Charge } from '../budget/index.ts';
import type { Ending, ProcessIdentity, Runtime } from '../runtimes/index.ts';
import type { Post } from '../swarm/index.ts';

/** A queued wake as a decision sees it: who caused it and where, without the post. */
export interface QueuedWake {
  readonly id: number;
  readonly cause: 'post' | 'heartbeat' | 'person';
  /** Author of the post that caused it, and the root of its thread. */
  readonly author: string | null;
  readonly thread: string | null;
  readonly session: string;
  /** Heartbeats that were missed before this one. */
  readonly missed: number;
  readonly queuedAt: number;
  /** How often a run gave it back. */
  readonly tries: number;
  readonly loopLogged: boolean;
}

export interface StoredPost {
  readonly post: Post;
  readonly seq: number;
  readonly chain: 'root' | 'resolved' | 'graft' | 'unresolved';
  readonly thread: string | null;
}

/** A wake that a run has taken, with its post and who wrote the post that it replies to. */
export interface TakenWake extends QueuedWake {
  readonly post: StoredPost | null;
  readonly parentAuthor: string | null;
}

export interface RunFact {
  readonly id: string;
  readonly n: number;
  readonly process: ProcessIdentity | null;
  readonly bookedAt: number;
  readonly cause: string;
  /** The key of its conversation. */
  readonly session: string;
}

/** The previous due time of the heartbeat, and the interval it was counted with. */
export interface Heartbeat {
  readonly prev: number;
  readonly everyMs: number;
}

export interface Blocked {
  readonly code: string;
  readonly text: string;
  readonly until: number;
  readonly count: number;
}

/** The durable side of the runner: every call is one transaction. */
export interface RunnerStore {
  readonly wakes: {
    step(
      agent: string,
      limit: number,
      now: number,
      judge: (candidate: { readonly stored: StoredPost; readonly parentAuthor: string | null }) => {
        readonly verdict: 'wake' | 'feedback' | 'no' | 'later';
        readonly rule: string;
      },
    ): { readonly read: number; readonly woken: readonly { readonly post: Post }[] };
    queue(agent: string, cause: 'heartbeat' | 'person', missed: number, now: number): boolean;
    /** Oldest first, after the one with the id `after`. */
    queued(agent: string, limit: number, after: number): readonly QueuedWake[];
    /** Queued heartbeats and requests of a person. */
    withoutPost(agent: string): readonly QueuedWake[];
    load(ids: readonly number[]): readonly TakenWake[];
    takenAt(agent: string, author: string, since: number): number[];
    markLoopLogged(wake: number): void;
    untoldFeedback(
      agent: string,
      limit: number,
    ): {
      readonly posts: readonly { readonly post: Post }[];
      readonly total: number;
    };
  };
  readonly runs: {
    book(run: {
      readonly id: string;
      readonly agent: string;
      readonly session: string;
      readonly cause: string;
      readonly runtime: string;
      readonly secondTry: boolean;
      readonly about: string | null;
      readonly wakes: readonly number[];
      readonly charge: Charge;
      readonly capMicroUsd: number | null;
      readonly at: number;
    }): RunFact;
    spawned(id: string, process: ProcessIdentity, at: number): void;
    end(ending: {
      readonly id: string;
      readonly at: number;
      readonly outcome: string;
      readonly message: string;
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly costMicroUsd: number | null;
      readonly turns: number | null;
      readonly charge: Charge;
      readonly fate: 'done' | 'second_try' | 'back';
    }): boolean;
    open(agent: string): readonly RunFact[];
    bookingsSince(agent: string, since: number): readonly Booking[];
    booking(run: string): Booking | null;
  };
  readonly effects: { countOfRun(run: string): number };
  readonly drafts: {
    untoldRejections(agent: string): readonly {
      readonly id: string;
      readonly kind: string;
      readonly parent: string | null;
      readonly reason: string | null;
      readonly decidedBy: string | null;
    }[];
  };
  readonly people: {
    agent(name: string): {
      readonly heartbeat: Heartbeat | null;
      readonly pausedAt: number | null;
      readonly blocked: Blocked | null;
    } | null;
    setHeartbeat(name: string, kept: Heartbeat | null): void;
    setPaused(name: string, at: number | null): void;
    setBlocked(name: string, blocked: Blocked | null): void;
  };
  atomically<T>(act: () => T): T;
  turnBefore(
    thread: string,
    seq: number,
    notAuthor: string | null,
  ): { readonly seq: number; readonly author: string } | null;
  readonly posts: { newestSeq(): number };
}

/** What a run needs on disk and on sockets while it goes on; gone when it ends. */
export interface Stage {
  readonly runDir: string;
  readonly workDir: string;
  readonly mcp: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  readonly env: Readonly<Record<string, string>>;
  /** A line the program printed, into the transcript; `full` over its limits. Must not throw. */
  line(line: string): 'written' | 'full' | 'failed';
  /** Ends the transcript with its footer and takes everything else down. Must not throw. */
  close(ending: Ending, durationMs: number): Promise<void>;
}

export interface RunnerPorts {
  readonly store: RunnerStore;
  readonly runtime: Runtime;
  /** @throws WatsError `storage` when the run's directory cannot be made */
  readonly stage: (run: {
    readonly id: string;
    readonly cause: string;
    readonly wakes: readonly TakenWake[];
    readonly at: number;
  }) => Promise<Stage>;
  readonly processes: {
    /** Ends every process that a run left behind, in its group or marked with its directory. */
    endLeftovers(run: { readonly id: string; readonly process: ProcessIdentity | null }): Promise<void>;
  };
  /** Wall clock, ms. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Id of a halt in force, or `null`. */
  readonly halt: () => string | null;
  readonly localAuthors: () => readonly string[];
  /** Text of HEARTBEAT.md. @throws WatsError when it cannot be read */
  readonly template: () => string;
  /** A look or a record failed: for the log and the screen. Must not throw. */
  readonly onFault: (error: unknown) => void;
  /** Ids and numbers only: for the log, the plain lines, the screen. Must not throw. */
  readonly tell: (occurrence: Occurrence) => void;
  /** A post was judged and does not wake the agent; by which rule. Must not throw. */
  readonly ignored?: (post: string, rule: string) => void;
}

/** What happened, as ids, words of ours and numbers. */
export type Occurrence =
  | { readonly type: 'woken'; readonly post: string; readonly kind: string }
  | { readonly type: 'loop'; readonly thread: string; readonly limit: number }
  | {
      readonly type: 'run_booked';
      readonly run: string;
      readonly cause: string;
      readonly posts: readonly string[];
      readonly capMicroUsd: number | null;
    }
  | { readonly type: 'run_spawned'; readonly run: string; readonly pid: number }
  | {
      readonly type: 'run_progress';
      readonly run: string;
      readonly costMicroUsd: number | null;
      readonly turns: number | null;
    }
  | {
      readonly type: 'run_ended';
      readonly run: string;
      readonly outcome: string;
      readonly costMicroUsd: number | null;
      readonly turns: number | null;
      readonly durationMs: number;
    }
  | { readonly type: 'blocked'; readonly code: string; readonly until: number }
  | { readonly type: 'verdict' };

export type { Ending, ProcessIdentity };
