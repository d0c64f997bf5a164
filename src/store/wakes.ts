import type { Db } from './database.ts';
import {
  blob,
  hexOrNull,
  type PostRowSql,
  postColumns,
  presentOrNull,
  type StoredPost,
  toStored,
} from './rows.ts';

export type WakeCause = 'post' | 'heartbeat' | 'person';

/** A wake as a decision sees it: who caused it and where, without the post. */
export interface Wake {
  readonly id: number;
  readonly cause: WakeCause;
  /** Author of the post that caused it. */
  readonly author: string | null;
  /** Root of the thread that the post stands in. */
  readonly thread: string | null;
  /** What later runs of the same conversation share: `thread:<root>`, `heartbeat`, `person`. */
  readonly session: string;
  /** Heartbeats that were missed before this one. */
  readonly missed: number;
  readonly queuedAt: number;
  readonly tries: number;
  readonly loopLogged: boolean;
}

/** A wake with its post, and who wrote the post that it replies to. */
export interface LoadedWake extends Wake {
  readonly post: StoredPost | null;
  readonly parentAuthor: string | null;
}

/** What a rule said of a post. `later`: an unresolved reply, judged again when its chain is here. */
export interface Judged {
  readonly verdict: 'wake' | 'feedback' | 'no' | 'later';
  readonly rule: string;
}

/** What is judged: the post, and who wrote the post it replies to, when that is here. */
export interface Candidate {
  readonly stored: StoredPost;
  readonly parentAuthor: string | null;
}

export interface StepResult {
  readonly read: number;
  readonly woken: readonly StoredPost[];
}

interface WakeRowSql {
  id: number;
  cause: WakeCause;
  seq: number | null;
  author: Buffer | null;
  session: string;
  missed: number;
  queued_at: number;
  tries: number;
  loop_logged: number;
}

/** Begins the session key of a conversation. */
const THREAD = 'thread:';

/** Wakes, verdicts and the agents' cursors. */
export function wakeStore(db: Db) {
  const cursorOf = db.prepare<[string], { first_seq: number; seq_cursor: number; resolution_cursor: number }>(
    'SELECT first_seq, seq_cursor, resolution_cursor FROM agents WHERE agent = ?',
  );
  const postsAfter = db.prepare<[number, number], PostRowSql>(
    `SELECT ${postColumns()} FROM posts WHERE seq > ? ORDER BY seq LIMIT +?`,
  );
  const resolutionsAfter = db.prepare<[number, number], PostRowSql & { n: number }>(
    `SELECT r.n, ${postColumns('p')} FROM resolutions r JOIN posts p ON p.seq = r.seq
      WHERE r.n > ? ORDER BY r.n LIMIT +?`,
  );
  const setCursor = db.prepare('UPDATE agents SET seq_cursor = ?, resolution_cursor = ? WHERE agent = ?');
  const putVerdict = db.prepare(
    `INSERT INTO verdicts (agent, seq, verdict, rule, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (agent, seq) DO UPDATE SET verdict = excluded.verdict, rule = excluded.rule, at = excluded.at
      WHERE verdicts.verdict = 'later'`,
  );
  const putWake = db.prepare(
    `INSERT INTO wakes (agent, cause, seq, author, session, missed, queued_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const queued = db.prepare<[string, number, number], WakeRowSql>(
    "SELECT * FROM wakes WHERE agent = +? AND state = 'queued' AND id > ? ORDER BY id LIMIT +?",
  );
  const withoutPost = db.prepare<[string], WakeRowSql>(
    "SELECT * FROM wakes WHERE agent = +? AND state = 'queued' AND seq IS NULL ORDER BY id",
  );
  const looping = db.prepare<[string, number], { session: string }>(
    `SELECT session FROM wakes WHERE agent = +? AND state = 'queued' AND loop_logged = 1
      GROUP BY session ORDER BY min(id) LIMIT +?`,
  );
  const queuedCount = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM wakes WHERE agent = ? AND state = 'queued'",
  );
  const queuedCause = db.prepare<[string, string], { id: number }>(
    "SELECT id FROM wakes WHERE agent = ? AND cause = ? AND state = 'queued' LIMIT 1",
  );
  const addMissed = db.prepare('UPDATE wakes SET missed = missed + ? WHERE id = ?');
  const postBySeq = db.prepare<[number], PostRowSql>(`SELECT ${postColumns()} FROM posts WHERE seq = ?`);
  const takenSince = db.prepare<[string, Buffer, number], { taken_at: number }>(
    'SELECT taken_at FROM wakes WHERE agent = +? AND author = +? AND taken_at >= ? ORDER BY taken_at',
  );
  const logLoop = db.prepare('UPDATE wakes SET loop_logged = 1 WHERE id = ?');
  const verdictOf = db.prepare<[string, number], { verdict: Judged['verdict']; rule: string; at: number }>(
    'SELECT verdict, rule, at FROM verdicts WHERE agent = ? AND seq = ?',
  );
  const wakeOf = db.prepare<
    [string, number],
    { id: number; state: string; run: string | null; tries: number }
  >('SELECT id, state, run, tries FROM wakes WHERE agent = ? AND seq = ?');
  // Named, because SQLite would rather walk all verdicts of the agent, which are as many as there are posts.
  const feedback = db.prepare<[string, number], PostRowSql>(
    `SELECT ${postColumns('p')} FROM verdicts v INDEXED BY verdicts_feedback JOIN posts p ON p.seq = v.seq
      WHERE v.agent = +? AND v.verdict = 'feedback' AND v.told_run IS NULL ORDER BY v.seq LIMIT +?`,
  );
  const feedbackCount = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM verdicts INDEXED BY verdicts_feedback WHERE agent = ? AND verdict = 'feedback' AND told_run IS NULL",
  );
  const byId = db.prepare<[number], WakeRowSql>('SELECT * FROM wakes WHERE id = ?');

  const candidate = (row: PostRowSql): Candidate => ({
    stored: toStored(row),
    parentAuthor: presentOrNull(row.parent_author),
  });

  const toWake = (row: WakeRowSql): Wake => ({
    id: row.id,
    cause: row.cause,
    author: hexOrNull(row.author),
    thread: row.session.startsWith(THREAD) ? row.session.slice(THREAD.length) : null,
    session: row.session,
    missed: row.missed,
    queuedAt: row.queued_at,
    tries: row.tries,
    loopLogged: row.loop_logged === 1,
  });

  const load = (row: WakeRowSql): LoadedWake => {
    const post = row.seq === null ? undefined : postBySeq.get(row.seq);
    const asked = post === undefined ? null : candidate(post);
    return { ...toWake(row), post: asked?.stored ?? null, parentAuthor: asked?.parentAuthor ?? null };
  };

  return {
    /**
     * One waking step: reads at most `limit` posts after the agent's cursors, asks `judge` of each, and writes wakes,
     * verdicts and cursors in one transaction. A crash repeats the step, never a wake.
     */
    step(agent: string, limit: number, now: number, judge: (candidate: Candidate) => Judged): StepResult {
      return db.transaction((): StepResult => {
        const cursor = cursorOf.get(agent);
        if (cursor === undefined) return { read: 0, woken: [] };
        const fresh = postsAfter.all(cursor.seq_cursor, limit);
        const late = resolutionsAfter.all(cursor.resolution_cursor, limit);
        const woken: StoredPost[] = [];
        for (const row of [...fresh, ...late]) {
          if (row.seq <= cursor.first_seq) continue;
          const asked = candidate(row);
          const judged = judge(asked);
          if (putVerdict.run(agent, row.seq, judged.verdict, judged.rule, now).changes === 0) continue;
          if (judged.verdict !== 'wake') continue;
          const { stored } = asked;
          const session = `${THREAD}${stored.thread ?? stored.post.id}`;
          if (putWake.run(agent, 'post', row.seq, blob(row.author), session, 0, now).changes > 0)
            woken.push(stored);
        }
        if (fresh.length + late.length > 0) {
          setCursor.run(
            fresh.at(-1)?.seq ?? cursor.seq_cursor,
            late.at(-1)?.n ?? cursor.resolution_cursor,
            agent,
          );
        }
        return { read: fresh.length + late.length, woken };
      })();
    },

    /** Queues a wake without a post, unless one of this cause waits already: a heartbeat that waits was missed then. */
    queue(agent: string, cause: 'heartbeat' | 'person', missed: number, now: number): boolean {
      const waiting = queuedCause.get(agent, cause);
      if (waiting === undefined) putWake.run(agent, cause, null, null, cause, missed, now);
      else if (cause === 'heartbeat') addMissed.run(missed + 1, waiting.id);
      return waiting === undefined;
    },

    /** Queued wakes, oldest first, after the one with the id `after`. */
    queued(agent: string, limit: number, after = 0): Wake[] {
      return queued.all(agent, after, limit).map(toWake);
    },

    /** Queued heartbeats and requests of a person. */
    withoutPost(agent: string): Wake[] {
      return withoutPost.all(agent).map(toWake);
    },

    /** Threads with queued wakes that the loop detector was seen to hold, the longest held first. */
    loopingThreads(agent: string, limit: number): string[] {
      return looping
        .all(agent, limit)
        .flatMap(({ session }) => (session.startsWith(THREAD) ? [session.slice(THREAD.length)] : []));
    },

    queuedCount(agent: string): number {
      return queuedCount.get(agent)?.n ?? 0;
    },

    /** Wakes with their posts, in the order given; those that are gone are left out. */
    load(ids: readonly number[]): LoadedWake[] {
      return ids.flatMap((id) => {
        const row = byId.get(id);
        return row === undefined ? [] : [load(row)];
      });
    },

    /** When runs took wakes of an author, at or after `since` (ms), future-dated ones included. */
    takenAt(agent: string, author: string, since: number): number[] {
      return takenSince.all(agent, blob(author), since).map((row) => row.taken_at);
    },

    markLoopLogged(wake: number): void {
      logLoop.run(wake);
    },

    /** What was decided about a post, and what became of its wake: for `wats why`. */
    history(agent: string, seq: number) {
      return { verdict: verdictOf.get(agent, seq) ?? null, wake: wakeOf.get(agent, seq) ?? null };
    },

    candidate(stored: StoredPost): Candidate {
      const row = postBySeq.get(stored.seq);
      return row ? candidate(row) : { stored, parentAuthor: null };
    },

    /** Feedback replies that no prompt has listed yet. */
    untoldFeedback(
      agent: string,
      limit: number,
    ): { readonly posts: readonly StoredPost[]; readonly total: number } {
      return { posts: feedback.all(agent, limit).map(toStored), total: feedbackCount.get(agent)?.n ?? 0 };
    },
  };
}
