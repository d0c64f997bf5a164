import type { Db } from './database.ts';

/** The exact request of a run that was forwarded to another program. Times are ms since the epoch. */
export interface StoredRequest {
  readonly run: string;
  readonly url: string;
  readonly key: string;
  readonly body: string;
  readonly tokenHash: string;
  readonly timeoutMs: number;
  /** `null`: it never left. */
  readonly sentAt: number | null;
  /** When the daemon was last known to wait for its answer. */
  readonly aliveAt: number;
}

interface RequestRowSql {
  run: string;
  url: string;
  key: string;
  body: string;
  token_hash: string;
  timeout_ms: number;
  sent_at: number | null;
  alive_at: number;
}

/** Requests of runs that are going: the other side knows a repeated one by its bytes, also after a crash of ours. */
export function requestStore(db: Db) {
  const forget = db.prepare("DELETE FROM requests WHERE run IN (SELECT id FROM runs WHERE state = 'ended')");
  const put = db.prepare(
    `INSERT OR REPLACE INTO requests (run, url, key, body, token_hash, timeout_ms, sent_at, alive_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const sent = db.prepare('UPDATE requests SET sent_at = ? WHERE run = ?');
  const alive = db.prepare('UPDATE requests SET alive_at = ? WHERE run = ?');
  const byRun = db.prepare<[string], RequestRowSql>('SELECT * FROM requests WHERE run = ?');

  return {
    /** Keeps a request in place of the run's earlier one, and forgets those of runs that ended. */
    keep(request: StoredRequest): void {
      db.transaction(() => {
        forget.run();
        const { run, url, key, body, tokenHash, timeoutMs, sentAt, aliveAt } = request;
        put.run(run, url, key, body, tokenHash, timeoutMs, sentAt, aliveAt);
      })();
    },

    sent(run: string, at: number | null): void {
      sent.run(at, run);
    },

    alive(run: string, at: number): void {
      alive.run(at, run);
    },

    of(run: string): StoredRequest | null {
      const row = byRun.get(run);
      if (row === undefined) return null;
      return {
        run: row.run,
        url: row.url,
        key: row.key,
        body: row.body,
        tokenHash: row.token_hash,
        timeoutMs: row.timeout_ms,
        sentAt: row.sent_at,
        aliveAt: row.alive_at,
      };
    },
  };
}
