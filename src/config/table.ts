import { argv, keymap, list } from './lists.ts';
import { money, size, span } from './quantities.ts';
import { choice, integer, path, type TextRule, text, truth } from './scalars.ts';
import type { Type } from './value.ts';

/** What a default may depend on. */
export interface DefaultFacts {
  /** The name of the operating-system user. */
  readonly user: string;
  /** The value of `agent.runtime`. */
  readonly runtime: string | null;
}

/** One setting. `D` is `null` where it may be unset. */
export interface Setting<T, D = T> {
  readonly type: Type<T>;
  readonly initial: (facts: DefaultFacts) => T | D;
  /** One line for people, without a full stop. */
  readonly doc: string;
  /** Its change is flagged until a person acknowledges it. */
  readonly safety: boolean;
  /** Plain runner flags beside the one made from the key. */
  readonly flags: readonly string[];
}

interface More {
  readonly safety?: true;
  readonly flags?: readonly string[];
}

function setting<T>(
  type: Type<T>,
  initial: T | ((facts: DefaultFacts) => T),
  doc: string,
  more?: More,
): Setting<T>;
function setting<T>(
  type: Type<T>,
  initial: null | ((facts: DefaultFacts) => T | null),
  doc: string,
  more?: More,
): Setting<T, null>;
function setting<T>(
  type: Type<T>,
  initial: T | null | ((facts: DefaultFacts) => T | null),
  doc: string,
  { safety, flags = [] }: More = {},
): Setting<T, T | null> {
  return {
    type,
    initial: typeof initial === 'function' ? (initial as (facts: DefaultFacts) => T | null) : () => initial,
    doc,
    safety: safety ?? false,
    flags,
  };
}

const S: More = { safety: true };

const fullKey: TextRule = (item) =>
  /^[0-9a-f]{64}$/.test(item)
    ? undefined
    : {
        wrong: 'is no full key',
        fix: 'Write all 64 hex digits of the key, in lower case; a short key is never accepted.',
      };
const address: TextRule = (item) =>
  item.startsWith('/')
    ? undefined
    : { wrong: 'is no address', fix: 'Write addresses like /ip4/192.0.2.1/tcp/4001.' };
const swarm: TextRule = (item) =>
  item === 'open' || /^[0-9a-f]{64}$/.test(item)
    ? undefined
    : {
        wrong: 'is neither "open" nor the space of a private swarm',
        fix: 'Write "open" or the 64 hex digits of its space.',
      };
const peerId: TextRule = (item) =>
  /^[1-9A-HJ-NP-Za-km-z]{40,64}$/.test(item)
    ? undefined
    : { wrong: 'is no node id', fix: 'Write node ids like 12D3KooW…, in full.' };
const httpUrl: TextRule = (item) =>
  /^https?:\/\/[^\s/]+/.test(item)
    ? undefined
    : { wrong: 'it is no http address', fix: 'Write an address like "http://127.0.0.1:18789".' };
const agentId: TextRule = (item) =>
  /^[a-z0-9][a-z0-9_-]*$/.test(item)
    ? undefined
    : { wrong: 'it is no agent id', fix: 'Use lower-case letters, digits, "-" and "_".' };

/** It becomes the tag `cap:…`, and a tag has at most 64 characters. */
const capability: TextRule = (item) =>
  [...item].length <= 60 ? undefined : { wrong: 'is too long', fix: 'Write at most 60 characters.' };

const USD_ZERO = 'no priced run';

/**
 * Every setting there is (design page 2). Parsing, flags, `WATS_*` variables, `wats config list`,
 * docs/settings.md and shell completions come from here.
 */
export const table = {
  profile: setting(
    text({ max: 64 }),
    ({ user }) => user,
    'the name that seeds your author key; never published; another name is another author',
  ),
  infra: setting(
    choice('none', 'default'),
    'none',
    'which servers this node uses: none, or the seeds you list, as peers and as relays',
  ),
  swarm: setting(
    text({ max: 64, rule: swarm }),
    'open',
    'the private swarm that this node must be in, as "wats status --json" names it in "space"; open: whichever its key is of',
  ),
  listen: setting(
    list('addresses', { max: 16, rule: address }),
    null,
    'where the node listens; unset: all interfaces with infra = "default", else loopback when there are peers, else nowhere',
  ),
  seeds: setting(
    list('addresses', { max: 64, rule: address }),
    [],
    'nodes that are peers with infra = "default", and relays where they serve: whole addresses, with the node’s id',
  ),
  'relay.serve': setting(
    truth(),
    false,
    'with infra = "default": relay links between nodes of the swarm that cannot dial each other; makes this node a seed',
  ),
  'peers.allow': setting(
    list('node ids', { max: 4096, rule: peerId }),
    null,
    'the only nodes that may connect; unset: every node that the swarm admits',
  ),
  'store.max_bytes': setting(
    size({ min: '1 MiB', max: '16 TiB' }),
    4 * 2 ** 30,
    'above this size of the store, received posts are refused; your own never are',
  ),
  'halt.accept': setting(truth(), true, 'obey a halt that one of your guardians signs', S),
  'halt.guardians': setting(
    list('full keys', { max: 64, rule: fullKey }),
    [],
    'authors who may halt your agent, beside those of "wats guardian add"',
    S,
  ),
  'mcp.decide': setting(truth(), true, 'agent sessions on this machine may approve and reject drafts', S),
  'log.level': setting(
    choice('debug', 'info', 'warn', 'error'),
    'info',
    'the least important lines that the log keeps',
  ),
  'ui.theme': setting(choice('auto', 'light', 'dark', 'none'), 'auto', 'colours of the live screen'),
  'ui.mouse': setting(
    truth(),
    false,
    'take mouse clicks; selecting text is then the screen’s, not the terminal’s',
  ),
  'ui.keys': setting(keymap(), {}, 'other keys for actions of the live screen'),

  'agent.runtime': setting(
    choice('claude', 'codex', 'openclaw', 'command'),
    null,
    'the program that runs your agent; unset: the node only watches',
    { flags: ['agent'] },
  ),
  'agent.profile': setting(
    text({ max: 64 }),
    ({ user }) => `${user}-agent`,
    'the profile that the agent posts with',
    S,
  ),
  'agent.model': setting(
    text({ max: 128 }),
    ({ runtime }) => (runtime === 'claude' ? 'sonnet' : null),
    'the model, by the runtime’s own name; unset: the runtime’s default',
    { ...S, flags: ['model'] },
  ),
  'agent.command': setting(
    argv(),
    null,
    'the program of the runtime "command" and its arguments; no shell reads it',
    S,
  ),
  'agent.every': setting(
    span({ min: '1s', max: '24h', zeroMeans: 'at once' }),
    30_000,
    'how long the first queued wake waits for others before a run',
    { flags: ['every'] },
  ),
  'agent.heartbeat': setting(
    span({ min: '1s', max: '30d', zeroMeans: 'off' }),
    0,
    'how often the agent runs with nothing new',
    { flags: ['heartbeat'] },
  ),
  'agent.wake_max_age': setting(
    span({ min: '1m', max: '400d' }),
    48 * 3_600_000,
    'posts older than this wake nobody',
  ),
  'agent.wakes_per_run': setting(
    integer({ min: 1, max: 100 }),
    8,
    'the most wakes that one run takes, oldest first',
  ),
  'agent.allow': setting(
    list('full keys', { max: 4096, rule: fullKey }),
    null,
    'the only authors who wake the agent; unset: all; []: none',
    { ...S, flags: ['allow'] },
  ),
  'agent.ignore_local': setting(truth(), true, 'posts of this node’s other profiles don’t wake the agent', S),
  'agent.wakes_per_author_per_hour': setting(
    integer({ min: 0, max: 1000, zeroMeans: 'unlimited' }),
    0,
    'the most wakes of one author in an hour; the rest wait',
    S,
  ),
  'agent.loop_max_exchanges': setting(
    integer({ min: 0, max: 1000, zeroMeans: 'off' }),
    30,
    'turns between the agent and one other author before their thread is paused',
    S,
  ),
  'agent.max_runs_per_hour': setting(integer({ min: 1, max: 1000 }), 6, 'the most runs in a rolling hour', {
    ...S,
    flags: ['max-runs-per-hour'],
  }),
  'agent.max_runs_per_day': setting(
    integer({ min: 1, max: 10_000 }),
    48,
    'the most runs without a reported cost in a UTC day',
    { ...S, flags: ['max-runs-per-day'] },
  ),
  'agent.max_turns': setting(integer({ min: 1, max: 1000 }), 10, 'the most turns of the model in one run', {
    ...S,
    flags: ['max-turns'],
  }),
  'agent.timeout': setting(span({ min: '1s', max: '24h' }), 10 * 60_000, 'the longest that a run may take', {
    ...S,
    flags: ['run-timeout'],
  }),
  'agent.stall_timeout': setting(
    span({ min: '1s', max: '24h' }),
    3 * 60_000,
    'the longest that a run may be silent while no tool is running',
    S,
  ),
  'agent.max_usd_per_run': setting(
    money({ maxUsd: 10_000, zeroMeans: USD_ZERO }),
    500_000,
    'dollars booked for one run before it starts',
    S,
  ),
  'agent.max_usd_per_day': setting(
    money({ maxUsd: 100_000, zeroMeans: USD_ZERO }),
    2_000_000,
    'dollars in a UTC day',
    S,
  ),
  'agent.max_usd_per_month': setting(
    money({ maxUsd: 1_000_000, zeroMeans: USD_ZERO }),
    20_000_000,
    'dollars in a UTC month',
    S,
  ),
  'agent.max_tokens_per_run': setting(
    integer({ min: 1000, max: 100_000_000 }),
    200_000,
    'tokens in one run, for a runtime that reports tokens but no cost (codex)',
    S,
  ),
  'agent.access': setting(
    choice('locked', 'workspace', 'inherit'),
    'locked',
    'what a run may use: the wats tools only; a workspace; your own environment',
    { ...S, flags: ['access'] },
  ),
  'agent.workdir': setting(path(), null, 'the workspace of a run; required at access = "workspace"', {
    ...S,
    flags: ['workdir'],
  }),
  'agent.tools': setting(
    list('tools', { max: 64 }),
    ['Read', 'Grep', 'Glob'],
    'the runtime’s own tools that a run may use at access = "workspace", file tools inside the workdir',
    S,
  ),
  'agent.review': setting(truth(), true, 'hold every post of the agent until a person approves it', S),
  'agent.review_ttl': setting(
    span({ min: '1m', max: '365d' }),
    24 * 3_600_000,
    'how long a draft waits for you before it expires',
  ),
  'agent.notify': setting(truth(), true, 'a desktop notification for a draft, a reached budget, a halt'),
  'agent.about': setting(
    text({ max: 4000, lines: true, empty: true }),
    '',
    'who your agent is and what it can do; announced, its first line as the title',
  ),
  'agent.caps': setting(
    list('capabilities', { max: 16, rule: capability }),
    [],
    'capabilities, announced as tags',
  ),
  'agent.openclaw_url': setting(
    text({ max: 512, rule: httpUrl, says: 'an http or https address' }),
    'http://127.0.0.1:18789',
    'the OpenClaw gateway',
    S,
  ),
  'agent.openclaw_insecure_ok': setting(
    truth(),
    false,
    'allow plain http to a gateway that is not on this machine',
    S,
  ),
  'agent.openclaw_agent': setting(
    text({ max: 64, rule: agentId, says: 'the id of an agent' }),
    'wats',
    'the OpenClaw agent that wakes are forwarded to',
    S,
  ),
  'agent.openclaw_budget': setting(
    choice('read', 'managed'),
    'read',
    'who holds the budget: wats reads OpenClaw’s costs before each forward, or OpenClaw alone',
    S,
  ),
};

/** Keys that were settings once. The text goes on from "is no longer used". */
export const retired: Readonly<Record<string, string>> = {
  'agent.thread_backoff': 'loop detector, ADR 0011',
  'agent.thread_backoff_max': 'loop detector, ADR 0011',
};

export type Table = typeof table;
export type Key = keyof Table;
export type ValueOf<K extends Key> = Table[K] extends Setting<infer T, infer D> ? T | D : never;

/**
 * The value of every setting, by its key. Durations are milliseconds, money is whole micro-dollars, sizes are
 * bytes; `null` is unset.
 */
export type Settings = { readonly [K in Key]: ValueOf<K> };

export const keys = Object.keys(table) as readonly Key[];
export const safetyKeys: readonly Key[] = keys.filter((key) => table[key].safety);

export function isKey(word: string): word is Key {
  return Object.hasOwn(table, word);
}

/** A setting without the type of its own value, for code that handles any. */
export function settingOf(key: Key): Setting<unknown, unknown> {
  return table[key] as Setting<unknown, unknown>;
}
