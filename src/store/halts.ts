import type { Db } from './database.ts';
import { blob } from './rows.ts';

export interface GuardianRecord {
  /** Author key, 64 hex digits. */
  readonly author: string;
  readonly label: string;
  /** ms since the epoch. */
  readonly addedAt: number;
}

export interface StoredHalt {
  readonly id: string;
  readonly author: string;
  readonly ts: number;
  /** The reason that the author gave; a stranger's text. */
  readonly text: string;
}

export const HALTS_OF = "SELECT id, ts, text FROM posts WHERE author = ? AND kind = 'halt'";
export const RESUMES_OF =
  "SELECT parent FROM posts WHERE author = ? AND kind = 'resume' AND parent IS NOT NULL";

/**
 * Guardians, their halts and resumes, and what was lifted here. Posts are looked up by author: however many halts
 * strangers post, none of them is read.
 */
export function haltStore(db: Db) {
  const guardians = db.prepare<[], { author: Buffer; label: string; added_at: number }>(
    'SELECT author, label, added_at FROM guardians ORDER BY added_at, author',
  );
  const add = db.prepare(
    `INSERT INTO guardians (author, label, added_at) VALUES (?, ?, ?)
     ON CONFLICT (author) DO UPDATE SET label = excluded.label`,
  );
  const remove = db.prepare('DELETE FROM guardians WHERE author = ?');
  const halts = db.prepare<[Buffer], { id: Buffer; ts: number; text: string }>(HALTS_OF);
  const resumes = db.prepare<[Buffer], { parent: Buffer }>(RESUMES_OF);
  const lifted = db.prepare<[], { halt: Buffer }>('SELECT halt FROM resumed');
  const lift = db.prepare('INSERT INTO resumed (halt, at) VALUES (?, ?) ON CONFLICT DO NOTHING');

  return {
    guardians(): readonly GuardianRecord[] {
      return guardians.all().map((row) => ({
        author: row.author.toString('hex'),
        label: row.label,
        addedAt: row.added_at,
      }));
    },
    /** Adds a guardian; one that is there gets the label. */
    addGuardian(author: string, label: string, at: number): void {
      add.run(blob(author), label, at);
    },
    /** Answers whether there was one. */
    removeGuardian(author: string): boolean {
      return remove.run(blob(author)).changes > 0;
    },

    haltsBy(author: string): readonly StoredHalt[] {
      return halts
        .all(blob(author))
        .map(({ id, ts, text }) => ({ id: id.toString('hex'), author, ts, text }));
    },
    resumesBy(author: string): readonly { readonly author: string; readonly parent: string }[] {
      return resumes.all(blob(author)).map(({ parent }) => ({ author, parent: parent.toString('hex') }));
    },

    /** Ids of halts that a person lifted at this node. */
    lifted(): ReadonlySet<string> {
      return new Set(lifted.all().map(({ halt }) => halt.toString('hex')));
    },
    lift(halt: string, at: number): void {
      lift.run(blob(halt), at);
    },
  };
}
