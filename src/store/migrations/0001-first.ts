/**
 * What the tokenizer of the search index takes for letters, because its Unicode is of 2012: the pictures that came
 * since, which people write right beside words. Whole blocks of pictures (U+1F000 to U+1FAFF), and three controls.
 */
const PICTURES = [0x23f8, 0x23f9, 0x23fa, ...Array.from({ length: 0xb00 }, (_, n) => 0x1f000 + n)];
const TOKENIZER = `unicode61 remove_diacritics 2 separators '${String.fromCodePoint(...PICTURES)}'`;

/**
 * Schema 1. Ids and keys are BLOBs (half the size of hex at a million posts). Every row about cursors, wakes, runs,
 * effects, drafts and bookings carries `agent`; every run carries a `session` key. Times are ms since the epoch
 * except `posts.ts`, which is the author's whole seconds. Money is integer micro-dollars.
 *
 * It has landed: it is never edited again, and a data directory of it stands in `test/upgrades`.
 */
export const sql = `
CREATE TABLE posts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id BLOB NOT NULL UNIQUE,
  space TEXT NOT NULL,
  author BLOB NOT NULL,
  ts INTEGER NOT NULL,
  kind TEXT NOT NULL,
  root BLOB,
  parent BLOB,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  tags TEXT NOT NULL,
  sig BLOB NOT NULL,
  -- root | resolved | graft | unresolved; 'thread' is the root that the parent chain leads to, once it is known
  chain TEXT NOT NULL,
  thread BLOB,
  -- Whether the post before it in its thread is by another author, or there is none (see turns.ts)
  begins_turn INTEGER NOT NULL DEFAULT 0,
  -- Author of the parent, once that is here
  parent_author BLOB,
  received_at INTEGER NOT NULL,
  via TEXT NOT NULL
) STRICT;
CREATE INDEX posts_thread ON posts (thread, seq) WHERE chain IN ('root', 'resolved');
CREATE INDEX posts_turn ON posts (thread, seq) WHERE begins_turn = 1;
CREATE INDEX posts_waiting ON posts (parent, seq) WHERE chain = 'unresolved';
CREATE INDEX posts_replies ON posts (parent_author, seq) WHERE parent_author <> author;
CREATE INDEX posts_author ON posts (author, seq);
CREATE INDEX posts_space_ts ON posts (space, ts, id);
CREATE INDEX posts_kind ON posts (kind, seq);
CREATE INDEX posts_asks ON posts (seq, author) WHERE kind = 'ask';
-- What guardians order: found by author, whatever strangers post under these kinds
CREATE INDEX posts_orders ON posts (author, kind) WHERE kind = 'halt' OR kind = 'resume';

-- Replies whose chain became complete after they were judged for the first time: a second queue for the waking step.
CREATE TABLE resolutions (n INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER NOT NULL) STRICT;

-- Posts whose waiting replies, those after a seq, are still to be told that it is here (see chains.ts)
CREATE TABLE arrivals (n INTEGER PRIMARY KEY AUTOINCREMENT, post BLOB NOT NULL UNIQUE, after_seq INTEGER NOT NULL) STRICT;

-- Number of posts of a day, and what the fingerprint of their set is made of (see day-fingerprint.ts)
CREATE TABLE days (
  space TEXT NOT NULL, day INTEGER NOT NULL, count INTEGER NOT NULL, state BLOB NOT NULL,
  PRIMARY KEY (space, day)
) STRICT;

CREATE VIRTUAL TABLE posts_fts USING fts5(title, text, content='posts', content_rowid='seq', tokenize="${TOKENIZER}");

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE agents (
  agent TEXT PRIMARY KEY,
  author BLOB NOT NULL,
  -- Posts up to this one were here before the agent: they wake nobody, not even when their chain completes
  first_seq INTEGER NOT NULL,
  seq_cursor INTEGER NOT NULL,
  resolution_cursor INTEGER NOT NULL,
  -- The previous due time, and the interval it was counted with
  heartbeat_prev INTEGER, heartbeat_every INTEGER,
  -- Paused by a person, and since when
  paused_at INTEGER,
  -- Paused by what a run met (login, limit, no tools): fixed word, sentence, when to look again, how often it looked
  blocked_code TEXT, blocked_text TEXT, blocked_until INTEGER, blocked_count INTEGER NOT NULL DEFAULT 0,
  announced TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE verdicts (
  agent TEXT NOT NULL, seq INTEGER NOT NULL, verdict TEXT NOT NULL, rule TEXT NOT NULL, at INTEGER NOT NULL,
  told_run TEXT,
  PRIMARY KEY (agent, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX verdicts_feedback ON verdicts (agent, seq) WHERE verdict = 'feedback' AND told_run IS NULL;
CREATE INDEX verdicts_told ON verdicts (told_run) WHERE told_run IS NOT NULL;

CREATE TABLE wakes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL,
  cause TEXT NOT NULL,
  seq INTEGER,
  author BLOB,
  session TEXT NOT NULL,
  missed INTEGER NOT NULL DEFAULT 0,
  queued_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued',
  run TEXT,
  taken_at INTEGER,
  -- How often a run took it and gave it back as a second try
  tries INTEGER NOT NULL DEFAULT 0,
  loop_logged INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX wakes_once ON wakes (agent, seq) WHERE seq IS NOT NULL;
CREATE INDEX wakes_queued ON wakes (agent, id) WHERE state = 'queued';
CREATE INDEX wakes_bare ON wakes (agent, id) WHERE state = 'queued' AND seq IS NULL;
CREATE INDEX wakes_looping ON wakes (agent, session) WHERE state = 'queued' AND loop_logged = 1;
CREATE INDEX wakes_run ON wakes (run) WHERE run IS NOT NULL;
CREATE INDEX wakes_taken ON wakes (agent, author, taken_at) WHERE taken_at IS NOT NULL;

-- Which runs took a wake, in order: a second try finds what the first one did already.
CREATE TABLE wake_runs (wake INTEGER NOT NULL, run TEXT NOT NULL, PRIMARY KEY (wake, run)) STRICT, WITHOUT ROWID;
CREATE INDEX wake_runs_run ON wake_runs (run);

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  n INTEGER NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  cause TEXT NOT NULL,
  runtime TEXT NOT NULL,
  state TEXT NOT NULL,
  second_try INTEGER NOT NULL DEFAULT 0,
  about BLOB,
  pid INTEGER, start_token TEXT,
  booked_at INTEGER NOT NULL, spawned_at INTEGER, ended_at INTEGER,
  outcome TEXT, message TEXT, exit_code INTEGER, signal TEXT,
  cost INTEGER, turns INTEGER,
  -- Filled by a second on-disk truth: whether the run's line stands in runs.jsonl
  logged INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_agent ON runs (agent, n);
CREATE INDEX runs_open ON runs (agent) WHERE state <> 'ended';
CREATE INDEX runs_unlisted ON runs (agent, n) WHERE state = 'ended' AND logged = 0;

CREATE TABLE bookings (
  run TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- The cap that the program was handed; NULL for a runtime that reports no cost
  cap INTEGER,
  -- What counts now: booked at first, settled when the run has ended
  micro_usd INTEGER NOT NULL, runs INTEGER NOT NULL, unpriced_runs INTEGER NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX bookings_at ON bookings (agent, at);

-- The exact request of a run that was forwarded to another program, while the run is going
CREATE TABLE requests (
  run TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  timeout_ms INTEGER NOT NULL,
  sent_at INTEGER,
  alive_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE effects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT,
  run TEXT,
  author BLOB NOT NULL,
  tool TEXT NOT NULL,
  -- The caller's id of the write, unique per author
  request TEXT,
  args_hash BLOB NOT NULL,
  kind TEXT NOT NULL,
  parent BLOB,
  result TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX effects_request ON effects (author, request) WHERE request IS NOT NULL;
CREATE INDEX effects_run ON effects (run) WHERE run IS NOT NULL;

CREATE TABLE drafts (
  id TEXT PRIMARY KEY,
  agent TEXT NOT NULL,
  profile TEXT NOT NULL,
  author BLOB NOT NULL,
  space TEXT NOT NULL,
  kind TEXT NOT NULL,
  root BLOB, parent BLOB,
  title TEXT NOT NULL, text TEXT NOT NULL, tags TEXT NOT NULL,
  sha256 BLOB NOT NULL,
  run TEXT,
  created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  decided_at INTEGER, decided_by TEXT, decided_through TEXT, reason TEXT,
  post BLOB,
  told_run TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX drafts_held ON drafts (created_at) WHERE state = 'held';
CREATE INDEX drafts_untold ON drafts (agent) WHERE state = 'rejected' AND told_run IS NULL;
CREATE INDEX drafts_told ON drafts (told_run) WHERE told_run IS NOT NULL;
CREATE INDEX drafts_run ON drafts (run) WHERE run IS NOT NULL;

CREATE TABLE profiles (author BLOB PRIMARY KEY, profile TEXT NOT NULL, made_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE guardians (author BLOB PRIMARY KEY, label TEXT NOT NULL, added_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE resumed (halt BLOB PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE peers (address TEXT PRIMARY KEY, peer TEXT NOT NULL, added_at INTEGER NOT NULL, last_seen INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE intents (id TEXT PRIMARY KEY, at INTEGER NOT NULL, result TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
