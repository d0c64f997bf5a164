import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openReader } from '../../src/store/index.ts';
import { postColumns } from '../../src/store/rows.ts';
import { ANN, BOB, hex, NOW, post, put, reply, tempFolder, tempStore } from './support.ts';

afterEach(() => vi.restoreAllMocks());

/** Everything that the store and the reader ask of SQLite, and what SQLite means to do for it. */
function plans(): { sql: string; raw: string; plan: string[] }[] {
  const asked = new Set<string>();
  const { prepare } = Database.prototype;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql: string) {
    asked.add(sql);
    return prepare.call(this, sql);
  });
  const path = join(tempFolder(), 'wats.db');
  const store = tempStore(path);
  put(store, post());
  store.feedSearch(10);
  const query = { text: '', kinds: [], author: null, since: null, offset: 0, limit: 5 };
  for (const text of ['', 'word'])
    for (const kinds of [[], ['ask']])
      for (const author of [null, ANN])
        for (const since of [null, 5]) store.search({ ...query, text, kinds, author, since });
  const reader = openReader(path);
  vi.restoreAllMocks();
  const db = new Database(path);
  const found = [...asked].map((text) => {
    const rows = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(
      ...(/[@]/.test(text)
        ? [{ author: null, after: 0, limit: 1 }]
        : text
            .split('?')
            .slice(1)
            .map(() => 1)),
    );
    const raw = text.replace(/\s+/g, ' ').trim();
    const sql = raw.replaceAll(postColumns(), '*').replaceAll(postColumns('p'), 'p.*');
    return { sql: sql.replace(/\+([?@])/g, '$1'), raw, plan: rows.map(({ detail }) => detail) };
  });
  db.close();
  reader.close();
  return found;
}

/** Plans that walk a whole table or index, each for a reason. */
const WALKS: Record<string, string> = {
  'INSERT INTO agents (agent, author, first_seq, seq_cursor, resolution_cursor) SELECT ?, ?, seq, seq, (SELECT coalesce(max(n), 0) FROM resolutions) FROM (SELECT coalesce(max(seq), 0) AS seq FROM posts) WHERE true ON CONFLICT (agent) DO UPDATE SET author = excluded.author':
    'one row, the greatest',
  'SELECT n, post, after_seq FROM arrivals ORDER BY n LIMIT 1': 'the first one',
  'SELECT * FROM posts ORDER BY seq DESC LIMIT ?': 'newest first, ended by its limit',
  'SELECT seq AS seq FROM posts ORDER BY seq DESC LIMIT ?': 'newest first, ended by its limit',
  'SELECT DISTINCT space FROM days': 'an index of days, of which there are some thousands at most',
  "DELETE FROM requests WHERE run IN (SELECT id FROM runs WHERE state = 'ended')": 'a handful, at a start',
  'SELECT author, profile FROM profiles ORDER BY made_at': 'a handful',
  'SELECT address, peer, last_seen FROM peers ORDER BY added_at': 'a handful',
  'DELETE FROM peers WHERE peer = ?': 'a handful',
  'UPDATE peers SET last_seen = ? WHERE peer = ?': 'a handful',
  'DELETE FROM intents WHERE at < ?': 'those of a day',
  'SELECT author, label, added_at FROM guardians ORDER BY added_at, author': 'a handful',
  'SELECT halt FROM resumed': 'a handful',
};

/** Indexes that hold only the few rows which their condition lets in: walking one is no walk. */
const PARTIAL =
  /INDEX (wakes_bare|wakes_looping|drafts_held|drafts_untold|wakes_queued|runs_open|verdicts_feedback)\b/;

/** Statements that sort, each for a reason. */
const SORTS: [RegExp, string][] = [
  [/FROM (profiles|peers|guardians) ORDER BY/, 'a handful'],
  [/^SELECT (p\.\*|count\(\*\) AS n) FROM \( ?SELECT seq FROM/, 'two lists that were cut by a limit already'],
  [/AND loop_logged = 1 GROUP BY session ORDER BY min\(id\)/, 'threads that are paused now'],
  [/^SELECT e\.result FROM effects e/, 'what the first try of one run did'],
  [
    /FROM drafts WHERE agent = \? AND state = 'rejected' AND told_run IS NULL/,
    'rejections since the last run',
  ],
];

/** Tables that stay small, and what SQLite builds for itself out of a few rows. */
const SMALL = /^SCAN (\(?subquery|new$|CONSTANT|pragma_|\d+ CONSTANT)/i;

describe('query plans', () => {
  const all = plans();

  it('walk no table that grows, but for the reviewed ones', () => {
    const walking = all.filter(({ plan }) =>
      plan.some(
        (step) =>
          /^SCAN /.test(step) &&
          !SMALL.test(step) &&
          !PARTIAL.test(step) &&
          !/VIRTUAL TABLE INDEX/.test(step),
      ),
    );
    // A statement that is gone goes from the list, too.
    expect(walking.map(({ sql }) => sql).toSorted()).toEqual(Object.keys(WALKS).toSorted());
  });

  it('walk no rows of an agent, of which there are as many as posts, for want of a better index', () => {
    const walking = all.filter(({ plan }) =>
      plan.some((step) => /^SEARCH .*\(agent=\?\)$/.test(step) && !PARTIAL.test(step)),
    );
    // The table of agents itself has one row for each; runs are read in order and end with their limit.
    expect(
      walking.map(({ sql }) => sql).filter((sql) => !/(FROM|UPDATE) agents |FROM runs WHERE/.test(sql)),
    ).toEqual([]);
  });

  it('sort only what is short already', () => {
    const sorting = all.filter(({ plan }) => plan.some((step) => /USE TEMP B-TREE/.test(step)));
    expect(sorting.map(({ sql }) => sql).filter((sql) => !SORTS.some(([known]) => known.test(sql)))).toEqual(
      [],
    );
  });

  it('are made once, not again for every value: parameters whose value could matter are written +?', () => {
    const again = all.filter(
      ({ raw }) =>
        /^(SELECT|WITH)/.test(raw) &&
        (/(LIMIT|OFFSET) [?@]/.test(raw) ||
          (/ORDER BY| JOIN /.test(raw) && /( = | IS | IN \()[?@]/.test(raw))),
    );
    expect(again.map(({ raw }) => raw)).toEqual([]);
  });

  it.each([
    [
      'a thread',
      /FROM posts WHERE thread = \? AND chain IN .* AND seq > \? ORDER BY seq LIMIT/,
      'posts_thread (thread=? AND seq>?)',
    ],
    ['the turn before', /begins_turn = 1 AND seq <= \?/, 'posts_turn (thread=? AND seq<?)'],
    [
      'the post before',
      /chain IN .* AND seq < \? ORDER BY seq DESC LIMIT 1/,
      'posts_thread (thread=? AND seq<?)',
    ],
    ['replies that wait for a parent', /FROM posts WHERE parent = \?/, 'posts_waiting (parent=? AND seq>?)'],
    ['asks of the inbox', /^SELECT p\.\* FROM \( ?SELECT seq/, 'COVERING INDEX posts_asks (seq>?)'],
    [
      'replies of the inbox',
      /^SELECT p\.\* FROM \( ?SELECT seq/,
      'posts_replies (parent_author=? AND seq>?)',
    ],
    ['an id by its start', /WHERE id >= \? AND id <= \?/, '(id>? AND id<?)'],
    [
      'queued wakes',
      /FROM wakes WHERE agent = \? AND state = 'queued' AND id > \? ORDER BY id LIMIT/,
      'wakes_queued (agent=? AND id>?)',
    ],
    ['queued wakes without a post', /state = 'queued' AND seq IS NULL ORDER BY id$/, 'wakes_bare (agent=?)'],
    ['threads that loop', /state = 'queued' AND loop_logged = 1 GROUP BY/, 'wakes_looping (agent=?)'],
    [
      'wakes of an author that were taken',
      /FROM wakes WHERE agent = \? AND author = \? AND taken_at >= \?/,
      'wakes_taken (agent=? AND author=? AND taken_at>?)',
    ],
    ['bookings since', /FROM bookings WHERE agent = \? AND at >= \?/, 'bookings_at (agent=? AND at>?)'],
    ['runs', /FROM runs WHERE agent = \? ORDER BY n DESC LIMIT/, 'runs_agent (agent=?)'],
    ['held drafts', /FROM drafts WHERE state = 'held' ORDER BY/, 'drafts_held'],
    [
      'untold feedback',
      /v\.verdict = 'feedback' AND v\.told_run IS NULL ORDER BY/,
      'verdicts_feedback (agent=?)',
    ],
    [
      'effects of a request',
      /FROM effects WHERE author = \? AND request = \?/,
      'effects_request (author=? AND request=?)',
    ],
    [
      'a search for words',
      /^SELECT posts_fts\.rowid AS seq FROM posts_fts WHERE posts_fts MATCH \? ORDER BY posts_fts\.rowid DESC LIMIT/,
      'SCAN posts_fts VIRTUAL TABLE INDEX',
    ],
    [
      'a search for words of an author',
      /^SELECT posts_fts\.rowid AS seq FROM posts_fts WHERE posts_fts MATCH \? AND EXISTS \(SELECT 1 FROM posts INDEXED BY posts_author/,
      'COVERING INDEX posts_author (author=? AND seq=?',
    ],
    [
      'posts of an author',
      /^SELECT p\.seq AS seq FROM posts p WHERE p\.author = \? ORDER/,
      'posts_author (author=?)',
    ],
    [
      'posts of a kind',
      /^SELECT \* FROM \(SELECT p\.seq FROM posts p WHERE p\.kind = \? ORDER/,
      'posts_kind (kind=?)',
    ],
    ['posts since a time', /INDEXED BY posts_space_ts/, 'posts_space_ts (space=? AND ts>?)'],
    [
      'ids of days',
      /SELECT ts, id FROM posts WHERE space = \?/,
      'COVERING INDEX posts_space_ts (space=? AND ts>? AND ts<?)',
    ],
    ['fingerprints of days', /FROM days WHERE space = \? AND day >= \?/, '(space=? AND day>?)'],
  ])('answer %s from an index', (_, sql, index) => {
    const matching = all.filter((one) => sql.test(one.sql));
    expect(matching.length).toBeGreaterThan(0);
    for (const { plan } of matching) expect(plan.join('\n')).toContain(index);
  });
});

describe('turnBefore', () => {
  it('does three look-ups at most, however long the turns are', () => {
    const store = tempStore();
    const root = post({ author: BOB });
    const turn = Array.from({ length: 3_000 }, () => reply(root, { author: ANN }));
    put(store, root, ...turn);
    const last = store.posts.newestSeq();
    const statement = Object.getPrototypeOf(
      new Database(':memory:').prepare('SELECT 1'),
    ) as Database.Statement;
    const get = vi.spyOn(statement, 'get');
    expect(store.turnBefore(root.id, last, ANN)).toEqual({ seq: 1, author: BOB });
    expect(get.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it('is kept up to date at a bounded cost when a reply joins a long thread late', () => {
    const store = tempStore();
    const root = post({ author: BOB });
    const missing = reply(root, { author: ANN, id: hex('missing') });
    const late = reply(missing, { author: BOB, root: root.id });
    put(store, root, late, ...Array.from({ length: 2_000 }, () => reply(root, { author: ANN })));
    const statement = Object.getPrototypeOf(
      new Database(':memory:').prepare('SELECT 1'),
    ) as Database.Statement;
    const run = vi.spyOn(statement, 'run');
    expect(store.append(missing, NOW, 'peer')?.resolved).toEqual([2]);
    expect(run.mock.calls.length).toBeLessThan(15);
    expect(store.turnBefore(root.id, 2_000, ANN)).toEqual({ seq: 2, author: BOB });
  });
});
