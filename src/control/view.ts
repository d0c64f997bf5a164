/**
 * What a person's terminal sees of a daemon, as one value. `control/` publishes it, the live screen and
 * `wats agent attach` draw it. Every text in it was made visible by `text/`: it holds no control character,
 * no escape and no bidirectional character, so it may be put into a cell as it is.
 *
 * A view is at most 256 KiB. Lists are windows with totals. Times are ms since the epoch, money is micro-dollars.
 */
export interface View {
  /** Changes when the daemon restarts; revisions of two epochs are not compared. */
  readonly epoch: string;
  readonly revision: number;
  readonly version: string;
  readonly node: NodeView;
  /** Agent programs found on this machine, while no runtime is set; empty until they were looked for. */
  readonly programs: readonly ProgramRow[];
  /** `null` while no runtime is set: watching only. */
  readonly agent: AgentView | null;
  readonly alerts: readonly Alert[];
  readonly spend: SpendView | null;
  /** The run in progress, else the last one. */
  readonly run: RunView | null;
  readonly transcript: TranscriptWindow;
  readonly drafts: Window<DraftRow>;
  readonly paused: Window<PausedRow>;
  readonly queue: QueueView;
  readonly peers: Window<PeerRow>;
  readonly runs: Window<RunRow>;
  readonly posts: Window<PostRow>;
  readonly log: Window<LogRow>;
  /** Every setting that this daemon runs with; safety settings that nobody acknowledged come first. */
  readonly settings: Window<SettingRow>;
}

export interface Window<T> {
  readonly total: number;
  readonly rows: readonly T[];
}

export interface NodeView {
  /** The node's id shortened to 15 hex digits. */
  readonly id: string;
  readonly profile: string;
  readonly dir: string;
  readonly startedAt: number;
  readonly peersConnected: number;
  readonly peersKnown: number;
  readonly space: string;
}

export interface AgentView {
  readonly name: string;
  readonly profile: string;
  readonly runtime: string;
  readonly runtimeVersion: string | null;
  readonly access: 'locked' | 'workspace' | 'inherit';
  /** What is open at this level, as clauses. */
  readonly opens: readonly string[];
  /** What nothing guards, as clauses; empty is good. */
  readonly unguarded: readonly string[];
  readonly review: boolean;
  readonly nextHeartbeatAt: number | null;
  /** Paused by a person. */
  readonly paused: boolean;
}

/** A red line: what a person must know now. */
export interface Alert {
  readonly code:
    | 'halt'
    | 'safety'
    | 'unguarded'
    | 'budget'
    | 'login'
    | 'runtime'
    | 'config'
    | 'disk'
    | 'clock'
    | 'twin'
    | 'daemon_gone'
    | 'flags';
  readonly text: string;
  readonly fix: string | null;
}

export interface SpendView {
  readonly day: SpendWindow;
  readonly month: SpendWindow;
  readonly runsToday: number;
  readonly unpricedToday: number;
  readonly unpricedPerDay: number;
  readonly runsThisHour: number;
  readonly runsPerHour: number;
}

export interface SpendWindow {
  readonly spentMicroUsd: number;
  /** Booked for the run in progress and not settled yet; part of `spentMicroUsd`. */
  readonly bookedMicroUsd: number;
  readonly limitMicroUsd: number;
  readonly resetsAt: number;
}

export interface RunView {
  readonly id: string;
  readonly state: 'booked' | 'spawned' | 'ended';
  readonly outcome: string | null;
  /** `post`, `heartbeat` or `person`. */
  readonly cause: string;
  /** The first post it was woken for. */
  readonly about: PostRef | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly costMicroUsd: number | null;
  readonly turns: number | null;
}

export interface PostRef {
  /** Full id, 64 hex digits. */
  readonly id: string;
  readonly kind: string;
  /** Title, or the start of the text; one line. */
  readonly title: string;
}

/** One thing that a run's program said or did. */
export interface TranscriptEntry {
  /** Position in the transcript, from 0, without gaps. */
  readonly n: number;
  readonly at: number | null;
  readonly kind: 'text' | 'thinking' | 'tool_call' | 'tool_result' | 'notice' | 'error';
  /** For tool calls and results: the tool's name. */
  readonly label: string | null;
  /** May hold newlines; tabs are spaces already. */
  readonly text: string;
  /** Characters left out of `text`; the whole is in a page. */
  readonly omitted: number;
}

export interface TranscriptWindow {
  readonly runId: string | null;
  readonly total: number;
  /** The last entries, oldest first, without gaps. */
  readonly tail: readonly TranscriptEntry[];
}

export interface DraftRow {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly to: PostRef | null;
  readonly runId: string | null;
  /** First line of the text. */
  readonly excerpt: string;
}

/** A draft in full, beside the post it answers. */
export interface DraftPage {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly state: 'held' | 'approved' | 'rejected' | 'expired';
  /** SHA-256 of the bytes that would be published: an approval gives it back. */
  readonly sha256: string;
  readonly runId: string | null;
  readonly parent: PostPage | null;
}

export interface PostPage {
  readonly id: string;
  readonly author: string;
  readonly authorName: string | null;
  readonly kind: string;
  /** What its author says, which may be any time. */
  readonly at: number;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
}

/** A thread as far as it is here, grafts left out. */
export interface ThreadPage {
  /** Id of the post that was asked for. */
  readonly id: string;
  readonly root: string;
  readonly total: number;
  /** Arrival order, after the seq that was asked for. */
  readonly posts: readonly ThreadPost[];
}

export interface ThreadPost extends PostPage {
  readonly seq: number;
  readonly parent: string | null;
  /** `graft` and `unresolved` are said. */
  readonly chain: 'root' | 'resolved' | 'graft' | 'unresolved';
  /** Written with a profile of this node. */
  readonly own: boolean;
}

/** Posts that a search found, newest first. */
export interface SearchPage {
  /** As it was asked for. */
  readonly text: string;
  readonly offset: number;
  /** Hits that were counted. */
  readonly total: number;
  /** There are more than were counted, or were looked at. */
  readonly isMore: boolean;
  readonly posts: readonly PostRow[];
}

/** Every rule of waking in order with the value it saw, and what became of the post. */
export interface WhyPage {
  readonly post: PostRef;
  /** What was decided when it was judged, in words; `null` when it was not judged. */
  readonly decided: string | null;
  readonly rules: readonly {
    readonly rule: string;
    readonly saw: string;
    readonly limit: string;
    readonly decided: boolean;
  }[];
  /** What became of its wake, in words; `null` when there is none. */
  readonly wake: string | null;
  /** What keeps the wake queued, in words. */
  readonly hold: string | null;
}

/** An agent program that was looked for, for the first start. */
export interface ProgramRow {
  readonly name: string;
  /** `null`: not found. */
  readonly version: string | null;
  /** `null`: it has no login, or does not say. */
  readonly loggedIn: boolean | null;
  /** What to type to have it, or to log in; `null` when nothing is missing. */
  readonly fix: string | null;
}

export interface PausedRow {
  readonly root: string;
  readonly title: string;
  /** The other author, shortened to 15 hex digits. */
  readonly author: string;
  readonly turns: number;
  readonly limit: number;
}

export interface QueueView extends Window<QueueRow> {
  /** Why nothing starts now, in words ("waiting 12 s: every 30s"); `null` while a run is going or nothing waits. */
  readonly verdict: string | null;
  readonly until: number | null;
}

export interface QueueRow {
  readonly id: string;
  readonly cause: string;
  readonly about: PostRef | null;
  readonly author: string | null;
  readonly queuedAt: number;
  /** Why this wake waits, in words; `null` when it would start with the next run. */
  readonly hold: string | null;
}

export interface PeerRow {
  readonly id: string;
  readonly state: 'connected' | 'connecting' | 'unreachable' | 'ignored';
  /** Connected, and only through a relay. Missing in the answer of an older daemon. */
  readonly relayed?: boolean;
  readonly lastSeenAt: number | null;
  /** Posts that it has and this node lacks, at least; `null`: not learnt yet. */
  readonly lag: number | null;
  readonly refusedPosts: number;
}

export interface RunRow {
  readonly id: string;
  readonly cause: string;
  readonly outcome: string;
  readonly startedAt: number;
  readonly durationMs: number | null;
  readonly costMicroUsd: number | null;
  readonly turns: number | null;
}

export interface PostRow {
  readonly id: string;
  readonly author: string;
  readonly kind: string;
  /** What its author says, which may be any time. */
  readonly at: number;
  readonly title: string;
  readonly reply: boolean;
  readonly own: boolean;
}

export interface SettingRow {
  readonly key: string;
  /** As it would stand in config.toml; `unset` for none. */
  readonly value: string;
  /** `--agent-max-turns`, `WATS_AGENT_MAX_TURNS`, `config.toml:12`, `default`. */
  readonly source: string;
  /** One line, without a full stop. */
  readonly doc: string;
  readonly safety: boolean;
  /** The value that a person acknowledged, where it is another one; `null` where nothing is to be acknowledged. */
  readonly acknowledged: string | null;
}

export interface LogRow {
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}
