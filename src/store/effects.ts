import type { Db } from './database.ts';
import { blob, blobOrNull } from './rows.ts';

export interface NewEffect {
  readonly agent: string | null;
  readonly run: string | null;
  readonly author: string;
  readonly tool: string;
  /** The caller's own id of the write, or `null`. */
  readonly request: string | null;
  /** SHA-256 of the arguments, 64 hex digits: what was asked, without keeping it twice. */
  readonly argsHash: string;
  readonly kind: string;
  readonly parent: string | null;
  /** The answer that was given, as JSON. */
  readonly result: string;
  readonly at: number;
}

/** What runs and sessions did. An effect is written in the transaction that makes it. */
export function effectStore(db: Db) {
  const insert = db.prepare(
    `INSERT INTO effects (agent, run, author, tool, request, args_hash, kind, parent, result, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byRequest = db.prepare<[Buffer, string], { result: string; args_hash: Buffer }>(
    'SELECT result, args_hash FROM effects WHERE author = ? AND request = ?',
  );
  // Effects of earlier runs that had taken one of this run's wakes.
  const firstTry = db.prepare<[string, string, string, Buffer | null], { result: string }>(
    `SELECT e.result FROM effects e
      WHERE e.run IN (SELECT w1.run FROM wake_runs w1 JOIN wake_runs w2 ON w2.wake = w1.wake WHERE w2.run = +? AND w1.run <> ?)
        AND e.kind = +? AND e.parent IS +? ORDER BY e.id LIMIT 1`,
  );
  const ofRun = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM effects WHERE run = ?');

  return {
    record(effect: NewEffect): void {
      insert.run(
        effect.agent,
        effect.run,
        blob(effect.author),
        effect.tool,
        effect.request,
        blob(effect.argsHash),
        effect.kind,
        blobOrNull(effect.parent),
        effect.result,
        effect.at,
      );
    },

    /** The first answer to a write with this request id by this author. */
    byRequest(
      author: string,
      request: string,
    ): { readonly result: string; readonly argsHash: string } | null {
      const row = byRequest.get(blob(author), request);
      return row ? { result: row.result, argsHash: row.args_hash.toString('hex') } : null;
    },

    /** What an earlier run did for the same wakes: same kind, same parent. */
    ofFirstTry(run: string, kind: string, parent: string | null): string | null {
      return firstTry.get(run, run, kind, blobOrNull(parent))?.result ?? null;
    },

    countOfRun(run: string): number {
      return ofRun.get(run)?.n ?? 0;
    },
  };
}
