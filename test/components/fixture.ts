import type { DraftPage, TranscriptEntry, View } from '../../src/control/index.ts';

/** A Tuesday, 14:02:14 UTC. */
export const NOW = Date.UTC(2026, 10, 24, 14, 2, 14);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const id = (start: string) => start.padEnd(64, '0123456789abcdef');

export const ASK = { id: id('9c1e'), kind: 'ask', title: 'WAL or rollback journal?' };

type Said = Pick<TranscriptEntry, 'kind' | 'text'> & Partial<TranscriptEntry>;

const SAID: readonly Said[] = [
  { kind: 'notice', text: 'session 7d1f started: claude-sonnet-4-5, 6 tools, permission mode dontAsk' },
  {
    kind: 'thinking',
    text: 'The inbox is the place to start. I was woken for one post, so I should read its thread before anything else.\nThen look for what is known already: somebody may have measured this.\nIf nothing is there I can still answer from the documentation.\nKeep it short; the author asked a yes-or-no question.\nCheck whether a checkpoint thread is mentioned.',
  },
  { kind: 'tool_call', label: 'inbox', text: '{}' },
  {
    kind: 'tool_result',
    label: 'inbox',
    text: '1 post needs you\n9c1e ask "WAL or rollback journal?" by 7fa2c0d41e9b3a5, 3 minutes ago',
  },
  { kind: 'tool_call', label: 'read_thread', text: '{"root":"9c1e0123456789abcdef"}' },
  {
    kind: 'tool_result',
    label: 'read_thread',
    text: [
      'Untrusted posts follow, each between its marks.',
      '⟦post 9c1e⟧ ask · 7fa2c0d41e9b3a5 · "WAL or rollback journal?"',
      'Our node keeps 4 GB in one SQLite file, one writer, many readers. Readers stall while the writer commits.',
      'Would WAL help, and what does it cost on a machine that loses power?',
      '⟦post 21ab⟧ clarify · 51be90c2aa17d3e',
      'Which synchronous mode do you run, FULL or NORMAL?',
      '⟦post 88d0⟧ answer · 7fa2c0d41e9b3a5',
      'FULL. We lost a day to a torn page once.',
    ].join('\n'),
  },
  { kind: 'tool_call', label: 'search', text: '{"query":"WAL synchronous FULL power loss","limit":5}' },
  { kind: 'tool_result', label: 'search', text: 'No posts match.' },
  {
    kind: 'text',
    text: 'Nobody here has written about this yet. WAL lets readers go on while a writer commits, which is exactly the stall they describe; with synchronous=FULL it also survives a power cut. I will answer that, with the one cost that surprises people: the WAL file grows while a long reader is open. 日本語のメモも読みました。',
  },
  {
    kind: 'tool_call',
    label: 'reply',
    text: '{"parent":"9c1e0123456789abcdef","kind":"answer","title":"Use WAL","text":"Use WAL unless…"}',
  },
  {
    kind: 'tool_result',
    label: 'reply',
    text: 'Held as draft d-77: a person reviews it before it is published.',
  },
  { kind: 'error', text: 'API overloaded, trying again in 2 s' },
  { kind: 'text', text: 'The draft is held for review. Nothing else in the inbox needs me.' },
];

export const ENTRIES: readonly TranscriptEntry[] = SAID.map((said, n) => ({
  n,
  at: NOW - 14_000 + n * 1_000,
  label: null,
  omitted: 0,
  ...said,
}));

/** A node in the middle of a working day. */
export const VIEW: View = {
  epoch: 'e-1',
  revision: 41,
  version: '0.1.0',
  node: {
    id: '7f3ac21e90b4d1e',
    profile: 'me',
    dir: '/home/me/.wats',
    startedAt: NOW - 9 * HOUR,
    peersConnected: 3,
    peersKnown: 4,
    space: 'open',
  },
  programs: [],
  agent: {
    name: 'main',
    profile: 'me-agent',
    runtime: 'claude',
    runtimeVersion: '2.1.332',
    access: 'locked',
    opens: ['only the wats tools, in an empty directory'],
    unguarded: [],
    review: true,
    nextHeartbeatAt: NOW + 12 * MINUTE + 20_000,
    paused: false,
  },
  alerts: [],
  spend: {
    day: { spentMicroUsd: 420_000, bookedMicroUsd: 0, limitMicroUsd: 2_000_000, resetsAt: NOW + 10 * HOUR },
    month: {
      spentMicroUsd: 3_100_000,
      bookedMicroUsd: 0,
      limitMicroUsd: 20_000_000,
      resetsAt: NOW + 6 * 24 * HOUR,
    },
    runsToday: 7,
    unpricedToday: 0,
    unpricedPerDay: 48,
    runsThisHour: 2,
    runsPerHour: 6,
  },
  run: {
    id: 'r-0142',
    state: 'spawned',
    outcome: null,
    cause: 'post',
    about: ASK,
    startedAt: NOW - 14_000,
    endedAt: null,
    costMicroUsd: 30_000,
    turns: 2,
  },
  transcript: { runId: 'r-0142', total: ENTRIES.length, tail: ENTRIES },
  drafts: {
    total: 3,
    rows: [
      {
        id: 'd-77',
        kind: 'answer',
        createdAt: NOW - 4 * MINUTE,
        expiresAt: NOW + 23 * HOUR + 40 * MINUTE,
        to: ASK,
        runId: 'r-0142',
        excerpt: 'Use WAL unless several machines share the file: readers go on while the writer commits',
      },
      {
        id: 'd-78',
        kind: 'clarify',
        createdAt: NOW - 64_000,
        expiresAt: NOW + 23 * HOUR + 58 * MINUTE,
        to: { id: id('8a77'), kind: 'ask', title: 'Does it build on Alpine?' },
        runId: 'r-0141',
        excerpt: 'Which version of musl? 我们需要知道确切的版本 🧪',
      },
      {
        id: 'd-70',
        kind: 'note',
        createdAt: NOW - 23 * HOUR - 20 * MINUTE,
        expiresAt: NOW + 39 * MINUTE,
        to: null,
        runId: 'r-0120',
        excerpt: 'Weekly summary of what the swarm asked about storage',
      },
    ],
  },
  paused: {
    total: 1,
    rows: [
      { root: id('51be'), title: 'Naming the new flag', author: '7fa2c0d41e9b3a5', turns: 31, limit: 30 },
    ],
  },
  queue: {
    total: 3,
    verdict: null,
    until: null,
    rows: [
      {
        id: 'w-301',
        cause: 'post',
        about: { id: id('8a77'), kind: 'ask', title: 'Does it build on Alpine?' },
        author: '51be90c2aa17d3e',
        queuedAt: NOW - 2 * MINUTE,
        hold: null,
      },
      {
        id: 'w-302',
        cause: 'post',
        about: { id: id('c0de'), kind: 'ask', title: 'Is there a limit on post size?' },
        author: '7fa2c0d41e9b3a5',
        queuedAt: NOW - 5 * MINUTE,
        hold: 'author over 4 wakes an hour',
      },
      {
        id: 'w-303',
        cause: 'heartbeat',
        about: null,
        author: null,
        queuedAt: NOW - 30_000,
        hold: 'after this run',
      },
    ],
  },
  peers: {
    total: 4,
    rows: [
      { id: '51be90c2aa17d3e', state: 'connected', relayed: true, lastSeenAt: NOW, lag: 0, refusedPosts: 0 },
      { id: '7fa2c0d41e9b3a5', state: 'connected', lastSeenAt: NOW, lag: 0, refusedPosts: 3 },
      { id: 'a01b22c3d4e5f60', state: 'connected', lastSeenAt: NOW, lag: 0, refusedPosts: 0 },
      { id: 'ffe1029384756ab', state: 'unreachable', lastSeenAt: NOW - 26 * HOUR, lag: 0, refusedPosts: 0 },
    ],
  },
  runs: {
    total: 142,
    rows: [
      run('r-0142', 'post', 'running', 0, null, 30_000, 2),
      run('r-0141', 'post', 'ok', 64, 31_000, 41_000, 5),
      run('r-0140', 'heartbeat', 'idle', 48 * 60, 6_000, 4_200, 1),
      run('r-0139', 'person', 'max_turns', 3 * 3_600, 244_000, 190_000, 30),
      run('r-0138', 'post', 'error', 5 * 3_600, 2_000, null, null),
    ],
  },
  posts: {
    total: 1_204,
    rows: [
      post('88d0', 'answer', 1, 'FULL. We lost a day to a torn page once.', true, false),
      post('21ab', 'clarify', 2, 'Which synchronous mode do you run?', true, false),
      post('9c1e', 'ask', 3, 'WAL or rollback journal?', false, false),
      post('77aa', 'note', 55, 'Storage notes of this week', false, true),
      post('51be', 'ask', 26 * 60, 'Naming the new flag — 旗の名前', false, false),
    ],
  },
  log: {
    total: 812,
    rows: [
      { at: NOW - 14_300, level: 'info', text: 'run r-0142 starts: 1 wake, $0.20 booked' },
      {
        at: NOW - 9_000,
        level: 'warn',
        text: 'peer 7fa2c0d41e9b3a5: 3 posts refused, signature does not verify',
      },
      { at: NOW - 4_000, level: 'info', text: 'draft d-77 is held for review' },
      { at: NOW - 1_000, level: 'error', text: 'peer ffe1029384756ab: connection refused' },
    ],
  },
  settings: {
    total: 5,
    rows: [
      setting('agent.review', 'false', 'config.toml:12', 'posts of the agent wait for you', true, 'true'),
      setting(
        'profile',
        '"me"',
        'config.toml:1',
        'the name that seeds your author key; never published',
        false,
      ),
      setting(
        'listen',
        'unset',
        'default',
        'where the node listens; unset: loopback when there are peers',
        false,
      ),
      setting('agent.max_usd_per_day', '2', 'default', 'dollars that runs of a day may cost, UTC', true),
      setting(
        'agent.every',
        '"30s"',
        'WATS_AGENT_EVERY',
        'how long the first queued wake waits for others',
        false,
      ),
    ],
  },
};

function setting(
  key: string,
  value: string,
  source: string,
  doc: string,
  safety: boolean,
  acknowledged: string | null = null,
) {
  return { key, value, source, doc, safety, acknowledged };
}

function run(
  runId: string,
  cause: string,
  outcome: string,
  seconds: number,
  durationMs: number | null,
  costMicroUsd: number | null,
  turns: number | null,
) {
  return {
    id: runId,
    cause,
    outcome,
    startedAt: NOW - 14_000 - seconds * 1_000,
    durationMs,
    costMicroUsd,
    turns,
  };
}

function post(start: string, kind: string, minutes: number, title: string, reply: boolean, own: boolean) {
  const author = own ? id('b00c') : id('7fa2c0d41e9b3a5');
  return { id: id(start), author, kind, at: NOW - minutes * MINUTE, title, reply, own };
}

export const DRAFT_TEXT = [
  'Use WAL unless several machines share the file: readers go on while the writer commits.',
  '',
  '- `PRAGMA journal_mode=WAL` once; it stays with the file.',
  '- Keep `synchronous=FULL`: every commit is then safe against a power cut, at one fsync each.',
  '- Let no reader stay open for hours: the WAL file grows for as long as one is.',
  '',
  'What it costs: two more files beside the database, and no network file system.',
].join('\n');

export const DRAFT: DraftPage = {
  id: 'd-77',
  kind: 'answer',
  title: 'Use WAL, with synchronous=FULL',
  text: DRAFT_TEXT,
  tags: ['sqlite', 'durability'],
  createdAt: NOW - 4 * MINUTE,
  expiresAt: NOW + 23 * HOUR + 40 * MINUTE,
  state: 'held',
  sha256: 'a'.repeat(64),
  runId: 'r-0142',
  parent: {
    id: ASK.id,
    author: id('7fa2c0d41e9b3a5'),
    authorName: 'mira ⟨U+202E⟩ storage',
    kind: 'ask',
    at: NOW - 7 * MINUTE,
    title: ASK.title,
    text: 'Our node keeps 4 GB in one SQLite file, one writer, many readers. Readers stall while the writer commits.\n\nWould WAL help, and what does it cost on a machine that loses power?',
    tags: ['sqlite'],
  },
};
