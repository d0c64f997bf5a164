import type { Db } from './database.ts';
import type { Chain } from './rows.ts';
import { IN_THREAD, turnKeeper } from './turns.ts';

/** Where a parent chain leads: the root's id and space. */
export interface Thread {
  readonly root: Buffer;
  readonly space: string;
}

export interface ParentRow {
  author: Buffer;
  root: Buffer | null;
  space: string | null;
}

interface WaitingRow {
  seq: number;
  id: Buffer;
  root: Buffer;
  space: string;
}

interface Arrival {
  n: number;
  post: Buffer;
  after_seq: number;
}

/** A reply whose claimed root, or whose space, is not that of the root its chain leads to is a graft. */
export function chainIn(thread: Thread, reply: { root: Buffer | null; space: string }): Chain {
  return reply.root?.equals(thread.root) && reply.space === thread.space ? 'resolved' : 'graft';
}

export function threadOf(parent: ParentRow | undefined): Thread | null {
  if (parent === undefined || parent.root === null || parent.space === null) return null;
  return { root: parent.root, space: parent.space };
}

export function parentReader(db: Db): (id: Buffer) => ParentRow | undefined {
  // Whoever stands in a thread is of its space; only below a graft the root has to be asked.
  const parentOf = db.prepare<[Buffer], ParentRow>(
    `SELECT author, thread AS root,
            CASE WHEN ${IN_THREAD} THEN space ELSE (SELECT root.space FROM posts root WHERE root.id = parent.thread) END AS space
       FROM posts parent WHERE id = ?`,
  );
  return (id) => parentOf.get(id);
}

/**
 * Replies that wait for a post, told when it is here: who wrote it, and where its chain leads once that is known, then
 * those that wait for them, parents first. A stranger can make any number of replies wait for one post, so they are
 * told a bounded step at a time, and what is left stands in `arrivals`, which survives a crash at any point.
 */
export function chainKeeper(db: Db) {
  const parentOf = parentReader(db);
  const waiting = db.prepare<[Buffer, number, number], WaitingRow>(
    "SELECT seq, id, root, space FROM posts WHERE parent = +? AND chain = 'unresolved' AND seq > ? ORDER BY seq LIMIT +?",
  );
  const nameParent = db.prepare('UPDATE posts SET parent_author = ? WHERE seq = ?');
  const settle = db.prepare('UPDATE posts SET chain = ?, thread = ? WHERE seq = ?');
  const resolution = db.prepare('INSERT INTO resolutions (seq) VALUES (?)');
  const arrive = db.prepare(
    'INSERT INTO arrivals (post, after_seq) VALUES (?, 0) ON CONFLICT (post) DO UPDATE SET after_seq = 0',
  );
  const oldest = db.prepare<[], Arrival>('SELECT n, post, after_seq FROM arrivals ORDER BY n LIMIT 1');
  const reached = db.prepare('UPDATE arrivals SET after_seq = ? WHERE n = ?');
  const told = db.prepare('DELETE FROM arrivals WHERE n = ?');
  const keepTurns = turnKeeper(db);

  /** Tells one reply. Answers whether its chain is complete now. */
  function tell(reply: WaitingRow, parent: ParentRow, thread: Thread | null): boolean {
    nameParent.run(parent.author, reply.seq);
    if (thread === null) return false;
    const chain = chainIn(thread, reply);
    settle.run(chain, thread.root, reply.seq);
    if (chain === 'resolved') keepTurns(thread.root, reply.seq);
    resolution.run(reply.seq);
    if (waiting.get(reply.id, 0, 1) !== undefined) arrive.run(reply.id);
    return true;
  }

  return {
    /** Notes that a post is here, when replies wait for it. */
    arrived(id: Buffer): void {
      if (waiting.get(id, 0, 1) !== undefined) arrive.run(id);
    },

    /**
     * Tells up to `limit` replies, in the caller's transaction.
     * @returns seqs of those whose chain is complete now
     */
    step(limit: number): { readonly resolved: readonly number[]; readonly isMore: boolean } {
      const resolved: number[] = [];
      let left = limit;
      for (let arrival = oldest.get(); arrival !== undefined; arrival = oldest.get()) {
        if (left <= 0) return { resolved, isMore: true };
        const parent = parentOf(arrival.post);
        const replies = waiting.all(arrival.post, arrival.after_seq, left);
        const thread = threadOf(parent);
        for (const reply of replies)
          if (parent !== undefined && tell(reply, parent, thread)) resolved.push(reply.seq);
        if (replies.length < left) told.run(arrival.n);
        else reached.run(replies.at(-1)?.seq ?? arrival.after_seq, arrival.n);
        left -= Math.max(1, replies.length);
      }
      return { resolved, isMore: false };
    },
  };
}
