import type { Db } from './database.ts';
import { blob, blobOrNull, hexOrNull } from './rows.ts';

export type DraftState = 'held' | 'approved' | 'rejected' | 'expired';

export interface Draft {
  readonly id: string;
  readonly agent: string;
  readonly profile: string;
  readonly author: string;
  readonly space: string;
  readonly kind: string;
  readonly root: string | null;
  readonly parent: string | null;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  /** SHA-256 of what a person was shown: kind, parent, title, text, tags. 64 hex digits. */
  readonly sha256: string;
  readonly run: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly state: DraftState;
  readonly decidedAt: number | null;
  readonly decidedBy: string | null;
  readonly decidedThrough: string | null;
  readonly reason: string | null;
  readonly post: string | null;
}

interface DraftRowSql {
  id: string;
  agent: string;
  profile: string;
  author: Buffer;
  space: string;
  kind: string;
  root: Buffer | null;
  parent: Buffer | null;
  title: string;
  text: string;
  tags: string;
  sha256: Buffer;
  run: string | null;
  created_at: number;
  expires_at: number;
  state: DraftState;
  decided_at: number | null;
  decided_by: string | null;
  decided_through: string | null;
  reason: string | null;
  post: Buffer | null;
}

const toDraft = (row: DraftRowSql): Draft => ({
  id: row.id,
  agent: row.agent,
  profile: row.profile,
  author: row.author.toString('hex'),
  space: row.space,
  kind: row.kind,
  root: hexOrNull(row.root),
  parent: hexOrNull(row.parent),
  title: row.title,
  text: row.text,
  tags: JSON.parse(row.tags) as string[],
  sha256: row.sha256.toString('hex'),
  run: row.run,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  state: row.state,
  decidedAt: row.decided_at,
  decidedBy: row.decided_by,
  decidedThrough: row.decided_through,
  reason: row.reason,
  post: hexOrNull(row.post),
});

/** Drafts with their text: held until a person decides. */
export function draftStore(db: Db) {
  const insert = db.prepare(
    `INSERT INTO drafts (id, agent, profile, author, space, kind, root, parent, title, text, tags, sha256, run, created_at, expires_at, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'held')`,
  );
  const byId = db.prepare<[string], DraftRowSql>('SELECT * FROM drafts WHERE id = ?');
  const held = db.prepare<[], DraftRowSql>(
    "SELECT * FROM drafts WHERE state = 'held' ORDER BY created_at, id",
  );
  const heldCount = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM drafts WHERE state = 'held'");
  // One wins: the state is part of the condition.
  const decide = db.prepare(
    `UPDATE drafts SET state = ?, decided_at = ?, decided_by = ?, decided_through = ?, reason = ?, post = ?, title = ?, text = ?, sha256 = ?
      WHERE id = ? AND state = 'held'`,
  );
  const unreject = db.prepare(
    `UPDATE drafts SET state = 'held', decided_at = NULL, decided_by = NULL, decided_through = NULL, reason = NULL
      WHERE id = ? AND state = 'rejected' AND told_run IS NULL AND expires_at > ?`,
  );
  const expire = db.prepare<[number, number], { id: string }>(
    "UPDATE drafts SET state = 'expired', decided_at = ? WHERE state = 'held' AND expires_at <= ? RETURNING id",
  );
  const rejections = db.prepare<[string], DraftRowSql>(
    "SELECT * FROM drafts WHERE agent = +? AND state = 'rejected' AND told_run IS NULL ORDER BY decided_at",
  );
  const ofRun = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM drafts WHERE run = ?');

  return {
    hold(
      draft: Omit<Draft, 'state' | 'decidedAt' | 'decidedBy' | 'decidedThrough' | 'reason' | 'post'>,
    ): void {
      insert.run(
        draft.id,
        draft.agent,
        draft.profile,
        blob(draft.author),
        draft.space,
        draft.kind,
        blobOrNull(draft.root),
        blobOrNull(draft.parent),
        draft.title,
        draft.text,
        JSON.stringify(draft.tags),
        blob(draft.sha256),
        draft.run,
        draft.createdAt,
        draft.expiresAt,
      );
    },

    byId(id: string): Draft | null {
      const row = byId.get(id);
      return row ? toDraft(row) : null;
    },

    held(): Draft[] {
      return held.all().map(toDraft);
    },

    heldCount(): number {
      return heldCount.get()?.n ?? 0;
    },

    /** Decides a held draft. `false`: somebody else was first. */
    decide(
      draft: Draft,
      decision: {
        readonly state: 'approved' | 'rejected';
        readonly at: number;
        readonly by: string;
        readonly through: string;
        readonly reason: string | null;
        readonly post: string | null;
      },
    ): boolean {
      const { state, at, by, through, reason, post } = decision;
      return (
        decide.run(
          state,
          at,
          by,
          through,
          reason,
          blobOrNull(post),
          draft.title,
          draft.text,
          blob(draft.sha256),
          draft.id,
        ).changes === 1
      );
    },

    /** Takes a rejection back while no prompt has told it and the draft has not expired. */
    unreject(id: string, now: number): boolean {
      return unreject.run(id, now).changes === 1;
    },

    /** Expires what is due; answers the ids. */
    expire(now: number): string[] {
      return expire.all(now, now).map((row) => row.id);
    },

    /** Rejections that no prompt has told yet. */
    untoldRejections(agent: string): Draft[] {
      return rejections.all(agent).map(toDraft);
    },

    countOfRun(run: string): number {
      return ofRun.get(run)?.n ?? 0;
    },
  };
}
