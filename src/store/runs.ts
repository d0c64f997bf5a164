import { FEEDBACK_KINDS } from '../swarm/index.ts';
import type { Db } from './database.ts';
import {
  type Booking,
  type BookingRowSql,
  type NewRun,
  type RunEnd,
  type RunRecord,
  type RunRowSql,
  toBooking,
  toRun,
} from './run-rows.ts';

/** That an agent is at work on a post is no answer to it. */
const NO_ANSWER = [...FEEDBACK_KINDS, 'claim'].map((kind) => `'${kind}'`).join(', ');

/** Runs and their bookings: money is booked in the transaction that takes the wakes. */
export function runStore(db: Db) {
  const nextN = db.prepare<[], { n: number }>('SELECT coalesce(max(n), 0) + 1 AS n FROM runs');
  const insert = db.prepare(
    `INSERT INTO runs (id, n, agent, session, cause, runtime, state, second_try, about, booked_at)
     VALUES (?, ?, ?, ?, ?, ?, 'booked', ?, ?, ?)`,
  );
  const book = db.prepare(
    'INSERT INTO bookings (run, agent, at, cap, micro_usd, runs, unpriced_runs) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const take = db.prepare(
    "UPDATE wakes SET state = 'taken', run = ?, taken_at = ? WHERE id = ? AND state = 'queued'",
  );
  const link = db.prepare('INSERT INTO wake_runs (wake, run) VALUES (?, ?)');
  const spawned = db.prepare(
    "UPDATE runs SET state = 'spawned', pid = ?, start_token = ?, spawned_at = ? WHERE id = ? AND state = 'booked'",
  );
  const end = db.prepare(
    `UPDATE runs SET state = 'ended', ended_at = ?, outcome = ?, message = ?, exit_code = ?, signal = ?, cost = ?, turns = ?
      WHERE id = ? AND state <> 'ended'`,
  );
  const settle = db.prepare(
    'UPDATE bookings SET settled = 1, micro_usd = ?, runs = ?, unpriced_runs = ? WHERE run = ?',
  );
  // A wake whose post the run had already answered or drafted for is done, whatever else happened. That it was
  // working on it (progress, a claim) is no answer; a second try that says so again gets the first result.
  const done = db.prepare("UPDATE wakes SET state = 'done' WHERE run = ? AND state = 'taken'");
  const doneIfAnswered = db.prepare(
    `UPDATE wakes SET state = 'done' WHERE run = ? AND state = 'taken' AND seq IS NOT NULL AND EXISTS (
       SELECT 1 FROM posts p JOIN effects e ON e.parent = p.id
        WHERE p.seq = wakes.seq AND e.run = wakes.run AND e.kind NOT IN (${NO_ANSWER}))`,
  );
  const doneIfTried = db.prepare(
    "UPDATE wakes SET state = 'done' WHERE run = ? AND state = 'taken' AND tries > 0",
  );
  const secondTry = db.prepare(
    "UPDATE wakes SET state = 'queued', run = NULL, taken_at = NULL, tries = tries + 1 WHERE run = ? AND state = 'taken'",
  );
  const back = db.prepare(
    "UPDATE wakes SET state = 'queued', run = NULL, taken_at = NULL WHERE run = ? AND state = 'taken'",
  );
  const tell = db.prepare(
    "UPDATE verdicts INDEXED BY verdicts_feedback SET told_run = ? WHERE agent = ? AND verdict = 'feedback' AND told_run IS NULL",
  );
  const untell = db.prepare(
    'UPDATE verdicts INDEXED BY verdicts_told SET told_run = NULL WHERE agent = ? AND told_run = ?',
  );
  const tellRejections = db.prepare(
    "UPDATE drafts SET told_run = ? WHERE agent = ? AND state = 'rejected' AND told_run IS NULL",
  );
  const untellRejections = db.prepare(
    'UPDATE drafts INDEXED BY drafts_told SET told_run = NULL WHERE agent = ? AND told_run = ?',
  );
  const byId = db.prepare<[string], RunRowSql>('SELECT * FROM runs WHERE id = ?');
  const newest = db.prepare<[string, number, number], RunRowSql>(
    'SELECT * FROM runs WHERE agent = +? ORDER BY n DESC LIMIT +? OFFSET +?',
  );
  const count = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM runs WHERE agent = ?');
  const open = db.prepare<[string], RunRowSql>(
    "SELECT * FROM runs WHERE agent = +? AND state <> 'ended' ORDER BY n",
  );
  const unlisted = db.prepare<[string], { id: string }>(
    "SELECT id FROM runs WHERE agent = +? AND state = 'ended' AND logged = 0 ORDER BY n",
  );
  const list = db.prepare('UPDATE runs SET logged = 1 WHERE id = ?');
  const bookingOf = db.prepare<[string], BookingRowSql>('SELECT * FROM bookings WHERE run = ?');
  const bookings = db.prepare<[string, number], BookingRowSql>(
    'SELECT * FROM bookings WHERE agent = +? AND at >= ? ORDER BY at',
  );

  return {
    /** Books a run: its row, its money and its wakes, in one transaction. */
    book(run: NewRun): RunRecord {
      return db.transaction(() => {
        const n = nextN.get()?.n ?? 1;
        const about = run.about === null ? null : Buffer.from(run.about, 'hex');
        insert.run(
          run.id,
          n,
          run.agent,
          run.session,
          run.cause,
          run.runtime,
          run.secondTry ? 1 : 0,
          about,
          run.at,
        );
        const { microUsd, runs, unpricedRuns } = run.charge;
        book.run(run.id, run.agent, run.at, run.capMicroUsd, microUsd, runs, unpricedRuns);
        for (const wake of run.wakes) {
          if (take.run(run.id, run.at, wake).changes !== 1) throw new Error(`wake ${wake} was taken already`);
          link.run(wake, run.id);
        }
        tell.run(run.id, run.agent);
        tellRejections.run(run.id, run.agent);
        const row = byId.get(run.id);
        if (row === undefined) throw new Error('the run just booked is not there');
        return toRun(row);
      })();
    },

    spawned(id: string, process: { pid: number; startToken: string }, at: number): void {
      spawned.run(process.pid, process.startToken, at, id);
    },

    /** Ends a run, settles its booking and decides its wakes, in one transaction. A run ended already stays as it is. */
    end(ending: RunEnd): boolean {
      return db.transaction(() => {
        const { id } = ending;
        const changed = end.run(
          ending.at,
          ending.outcome,
          ending.message,
          ending.exitCode,
          ending.signal,
          ending.costMicroUsd,
          ending.turns,
          id,
        ).changes;
        if (changed === 0) return false;
        const { microUsd, runs, unpricedRuns } = ending.charge;
        settle.run(microUsd, runs, unpricedRuns, id);
        if (ending.fate === 'done') {
          done.run(id);
          return true;
        }
        doneIfAnswered.run(id);
        if (ending.fate === 'second_try') {
          doneIfTried.run(id);
          secondTry.run(id);
        } else {
          back.run(id);
        }
        // A prompt that was never read has told nobody anything.
        const agent = byId.get(id)?.agent ?? '';
        untell.run(agent, id);
        untellRejections.run(agent, id);
        return true;
      })();
    },

    /** Ended runs whose line does not stand in `runs.jsonl` yet, as far as is known, oldest first. */
    unlisted(agent: string): string[] {
      return unlisted.all(agent).map(({ id }) => id);
    },

    /** Its line stands in `runs.jsonl`. */
    listed(id: string): void {
      list.run(id);
    },

    /** The booking of a run. */
    booking(id: string): Booking | null {
      const row = bookingOf.get(id);
      return row ? toBooking(row) : null;
    },

    byId(id: string): RunRecord | null {
      const row = byId.get(id);
      return row ? toRun(row) : null;
    },

    newest(agent: string, limit: number, offset = 0): RunRecord[] {
      return newest.all(agent, limit, offset).map(toRun);
    },

    count(agent: string): number {
      return count.get(agent)?.n ?? 0;
    },

    /** Runs that have not ended: at a start, what a dead daemon left. */
    open(agent: string): RunRecord[] {
      return open.all(agent).map(toRun);
    },

    /** Bookings at or after `since` (ms), future-dated ones included. */
    bookingsSince(agent: string, since: number): Booking[] {
      return bookings.all(agent, since).map(toBooking);
    },
  };
}
