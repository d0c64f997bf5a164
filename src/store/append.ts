import type { Post } from '../swarm/index.ts';
import { chainIn, type chainKeeper, parentReader, threadOf } from './chains.ts';
import type { Db } from './database.ts';
import { type DayBook, dayKeeper } from './days.ts';
import { blob, blobOrNull, type Chain } from './rows.ts';
import { joiningTurn } from './turns.ts';

export interface Appended {
  readonly seq: number;
  readonly chain: Chain;
  /** Seqs of earlier replies whose chain became complete in the same transaction; more may follow in later steps. */
  readonly resolved: readonly number[];
}

/**
 * Replies that a post completes at once. One of a few is told in the same transaction; who has thousands waiting for
 * one post is served by {@link chainKeeper}'s later steps.
 */
const TOLD_AT_ONCE = 10;

/**
 * Appends verified posts, each with the next `seq`, works out where their parent chains lead, and keeps the
 * fingerprints of their days, all in the caller's transaction. `null` for a post that is here already.
 */
export function appender(db: Db, chains: ReturnType<typeof chainKeeper>) {
  const known = db.prepare<[Buffer], number>('SELECT seq FROM posts WHERE id = ?').pluck();
  const parentOf = parentReader(db);
  const insert = db.prepare(
    `INSERT INTO posts (id, space, author, ts, kind, root, parent, title, text, tags, sig, chain, thread, begins_turn, parent_author, received_at, via)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const beginsTurn = joiningTurn(db);
  const openDays = dayKeeper(db);

  function one(post: Post, receivedAt: number, via: string, days: DayBook): Appended | null {
    const id = blob(post.id);
    if (known.get(id) !== undefined) return null;
    const author = blob(post.author);
    const root = blobOrNull(post.root);
    const parentId = blobOrNull(post.parent);
    const parent = parentId === null ? undefined : parentOf(parentId);
    const thread = post.parent === null ? { root: id, space: post.space } : threadOf(parent);
    const chain: Chain =
      post.parent === null
        ? 'root'
        : thread === null
          ? 'unresolved'
          : chainIn(thread, { root, space: post.space });
    const { lastInsertRowid } = insert.run(
      id,
      post.space,
      author,
      post.ts,
      post.kind,
      root,
      parentId,
      post.title,
      post.text,
      JSON.stringify(post.tags),
      blob(post.sig),
      chain,
      thread?.root ?? null,
      chain === 'root' || (chain === 'resolved' && thread !== null && beginsTurn(thread.root, author))
        ? 1
        : 0,
      parent?.author ?? null,
      receivedAt,
      via,
    );
    const seq = Number(lastInsertRowid);
    days.add(post.space, post.ts, id);
    chains.arrived(id);
    return { seq, chain, resolved: chains.step(TOLD_AT_ONCE).resolved };
  }

  return function append(posts: readonly Post[], receivedAt: number, via: string): (Appended | null)[] {
    const days = openDays();
    const appended = posts.map((post) => one(post, receivedAt, via, days));
    days.write();
    return appended;
  };
}
