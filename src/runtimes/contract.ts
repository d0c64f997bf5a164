/**
 * What a runtime is: the one small interface behind which `claude`, `codex`, `command` and `openclaw` stand.
 * A run of today is one turn of one session; workers will take several, so a session opens before its turn.
 */
import type { ProcessIdentity } from '../processes/index.ts';

export type { ProcessIdentity };

/** What `probe()` found. `problem` is set when a run would fail, with the fix as a person would type it. */
export interface Probe {
  readonly found: boolean;
  readonly path: string | null;
  readonly version: string | null;
  /** `null` when the program has no login of its own. */
  readonly loggedIn: boolean | null;
  readonly problem: { readonly message: string; readonly fix: string } | null;
  readonly reportsCost: boolean;
  /** What it opens and cannot hold back at each level; short clauses for the banner. */
  readonly enforces: Readonly<Record<AccessLevel, AccessStatement>>;
}

export type AccessLevel = 'locked' | 'workspace' | 'inherit';

export interface AccessStatement {
  /** What a run may use at this level, one short clause each ("only the wats tools, in an empty directory"). */
  readonly opens: readonly string[];
  /** What nothing guards: shown as warnings. */
  readonly unguarded: readonly string[];
}

export interface RunSpec {
  readonly runId: string;
  /** What later runs of the same conversation share: `thread:<root>`, `heartbeat`, `person`. */
  readonly session: string;
  /** Absolute path of the run's own directory (`agent/run/<id>`), made already, mode 0700. */
  readonly runDir: string;
  /** The empty working directory inside it, or the workspace. */
  readonly workDir: string;
  readonly access: AccessLevel;
  readonly model: string | null;
  readonly maxTurns: number;
  /** Cap in micro-dollars handed to the program; `null` for a runtime that reports no cost. */
  readonly maxMicroUsd: number | null;
  readonly maxTokens: number | null;
  /** How the program reaches this run's MCP server: `[node, script, 'mcp', '--run-socket', path]`. */
  readonly mcp: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** Environment the program gets, an allow list made by the runner; the runtime may add its own switches. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths that no file tool of the program may touch (data directory and whatever moved out of it). */
  readonly denyPaths: readonly string[];
  /** The setting `agent.tools`, for `workspace`. */
  readonly tools: readonly string[];
  /** The setting `agent.command`: argv of the `command` runtime. */
  readonly command: readonly string[];
  readonly timeoutMs: number;
  readonly stallTimeoutMs: number;
  /** Called once, before anything is written to the program's stdin. Must not throw. */
  readonly onSpawn: (process: ProcessIdentity) => void;
  /** Every line the program printed on stdout, as it is, without its newline. Must not throw. */
  readonly onLine: (line: string) => void;
}

/** What a session tells while a turn goes on. Text is the program's, untrusted, not yet made visible. */
export type RunEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_call'; readonly callId: string; readonly name: string; readonly args: unknown }
  | { readonly type: 'tool_result'; readonly callId: string; readonly ok: boolean; readonly text: string }
  | { readonly type: 'notice'; readonly level: 'info' | 'warn' | 'error'; readonly text: string }
  /** Totals of the turn so far; absent figures are unknown. */
  | {
      readonly type: 'usage';
      readonly costMicroUsd?: number;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      readonly turns?: number;
    }
  /** Always the last event, exactly once. */
  | { readonly type: 'end'; readonly ending: Ending };

export type Outcome =
  | 'ok'
  | 'idle'
  | 'max_turns'
  | 'max_usd'
  | 'refused'
  | 'timeout'
  | 'stopped'
  | 'unknown'
  | 'interrupted'
  | 'stalled'
  | 'error'
  | 'auth'
  | 'rate_limited'
  | 'no_tools'
  | 'config'
  /** Nothing reached the provider or the other side, and nothing was spent: another time. */
  | 'deferred';

export interface Ending {
  readonly outcome: Outcome;
  /** One sentence for a person: what happened; may hold the program's words, untrusted. */
  readonly message: string;
  /** Micro-dollars the program reported, rounded up; `null` when it reported none. */
  readonly costMicroUsd: number | null;
  readonly turns: number | null;
  /** When a limit that the provider named resets, in ms since the epoch. */
  readonly resetAt: number | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export type Ready = { readonly ok: true } | { readonly ok: false; readonly ending: Ending };

export interface Session {
  /**
   * Resolves when the wats tools are there, before anything is paid; otherwise with the ending of the run. Never
   * rejects, and is called once. A program that checks its tools itself (`codex`) or has no such check (`command`)
   * is ready at once; its turn then ends with `no_tools` or as the program sees fit.
   */
  ready(): Promise<Ready>;
  /**
   * One turn, from this call on, whether or not the events are read. Never throws; ends with one `end` event.
   * The time limit and the stall limit of the spec count per turn.
   */
  turn(prompt: string): AsyncIterable<RunEvent>;
  /**
   * Ends the turn in the program's own way, so that its cost is known; the turn then ends with `outcome`. Before the
   * turn it makes `ready` and `turn` end with `outcome` at once; after it, it does nothing. The first reason stands.
   */
  interrupt(outcome: Extract<Outcome, 'timeout' | 'stopped' | 'stalled' | 'max_turns' | 'error'>): void;
  /**
   * Ends a turn in progress as `stopped`, then the process and everything of its group and its run. Resolves when
   * nothing of it is left. Safe to repeat.
   *
   * @throws WatsError `failed` when a process survives even SIGKILL
   */
  close(): Promise<void>;
}

/** What of a run is seen from outside while it goes on. */
export interface Sight {
  readonly output: boolean;
  readonly tokens: boolean;
  readonly turns: boolean;
}

/** A run that goes on where its program is, and is waited for again. */
export interface Rejoined {
  /** Never rejects. */
  readonly ended: Promise<Ending>;
  interrupt: Session['interrupt'];
}

export interface Runtime {
  readonly name: 'claude' | 'codex' | 'openclaw' | 'command';
  /** Absent: everything. */
  readonly sees?: Sight;
  /** Each thread is a conversation of its own on the other side: a run takes the posts of one. Absent: of any. */
  readonly oneThreadPerRun?: true;
  /**
   * Waits again for a run that a dead daemon left on the other side. Absent, or `null`: nothing of it went there.
   */
  rejoin?(run: { readonly runId: string; readonly session: string }, signal: AbortSignal): Rejoined | null;
  probe(signal: AbortSignal): Promise<Probe>;
  /**
   * Spawns the program. Rejects with a WatsError `runtime` when it cannot be started, and with the signal's reason
   * when that was aborted before. A signal aborted later is `interrupt('stopped')`.
   */
  open(spec: RunSpec, signal: AbortSignal): Promise<Session>;
}
