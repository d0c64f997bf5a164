import type { Post } from '../swarm/index.ts';
import type { Db } from './database.ts';
import { dayKeeper } from './days.ts';
import { blob, blobOrNull, type Chain } from './rows.ts';
import { joiningTurn, turnKeeper } from './turns.ts';

export interface Appended {
  readonly seq: number;
  readonly chain: Chain;
  /** Seqs of earlier replies whose chain this post completed. */
  readonly resolved: readonly number[];
}

/** Where a parent chain leads: the root's id and space. */
interface Thread {
  readonly root: Buffer;
  readonly space: string;
}

interface ParentRow {
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

/**
 * Appends a verified post with the next `seq`, works out where its parent chain leads, and keeps the fingerprint of
 * its day, all in the caller's transaction. `null`: the post is here already.
 */
export function appender(db: Db) {
  const known = db.prepare<[Buffer], { seq: number }>('SELECT seq FROM posts WHERE id = ?');
  const parentOf = db.prepare<[Buffer], ParentRow>(
    `SELECT parent.author, parent.thread AS root, root.space
       FROM posts parent LEFT JOIN posts root ON root.id = parent.thread WHERE parent.id = ?`,
  );
  const insert = db.prepare(
    `INSERT INTO posts (id, space, author, ts, kind, root, parent, title, text, tags, sig, chain, thread, begins_turn, parent_author, received_at, via)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const waiting = db.prepare<[Buffer], WaitingRow>(
    "SELECT seq, id, root, space FROM posts WHERE parent = ? AND chain = 'unresolved' ORDER BY seq",
  );
  const nameParent = db.prepare('UPDATE posts SET parent_author = ? WHERE seq = ?');
  const settle = db.prepare('UPDATE posts SET chain = ?, thread = ? WHERE seq = ?');
  const resolution = db.prepare('INSERT INTO resolutions (seq) VALUES (?)');
  const keepTurns = turnKeeper(db);
  const beginsTurn = joiningTurn(db);
  const keepDay = dayKeeper(db);

  /** A reply whose claimed root, or whose space, is not that of the root its chain leads to is a graft. */
  const chainIn = (thread: Thread, reply: { root: Buffer | null; space: string }): Chain =>
    reply.root?.equals(thread.root) && reply.space === thread.space ? 'resolved' : 'graft';

  /** Replies whose parent arrived, and those that waited for them, parents first. */
  function resolveWaiting(children: readonly WaitingRow[], thread: Thread): number[] {
    const done: number[] = [];
    const families = [children];
    for (const family of families) {
      for (const child of family) {
        const chain = chainIn(thread, child);
        settle.run(chain, thread.root, child.seq);
        if (chain === 'resolved') keepTurns(thread.root, child.seq);
        resolution.run(child.seq);
        done.push(child.seq);
        const own = waiting.all(child.id);
        if (own.length > 0) families.push(own);
      }
    }
    return done;
  }

  return function append(post: Post, receivedAt: number, via: string): Appended | null {
    const id = blob(post.id);
    if (known.get(id)) return null;
    const author = blob(post.author);
    const root = blobOrNull(post.root);
    const parent = post.parent === null ? undefined : parentOf.get(blob(post.parent));
    const thread = threadOf(post, id, parent);
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
      blobOrNull(post.parent),
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
    keepDay(post.space, post.ts, id);
    const children = waiting.all(id);
    for (const child of children) nameParent.run(author, child.seq);
    return { seq, chain, resolved: thread === null ? [] : resolveWaiting(children, thread) };
  };
}

function threadOf(post: Post, id: Buffer, parent: ParentRow | undefined): Thread | null {
  if (post.parent === null) return { root: id, space: post.space };
  if (parent === undefined || parent.root === null || parent.space === null) return null;
  return { root: parent.root, space: parent.space };
}
