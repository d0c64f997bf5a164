import type { Post } from '../swarm/index.ts';
import type { Db } from './database.ts';
import { blob, blobOrNull, type Chain } from './rows.ts';
import { turnKeeper } from './turns.ts';

export interface Appended {
  readonly seq: number;
  readonly chain: Chain;
  /** Seqs of earlier replies whose chain this post completed. */
  readonly resolved: readonly number[];
}

const DAY_SECONDS = 86_400;

/**
 * Appends verified posts with the next `seq`, works out where their parent chain leads, and keeps the fingerprints
 * of their days, all in the caller's transaction. Known posts are skipped: the answer holds `null` at their place.
 */
export function appender(db: Db) {
  const known = db.prepare<[Buffer], { seq: number }>('SELECT seq FROM posts WHERE id = ?');
  const parentOf = db.prepare<[Buffer], { thread: Buffer | null }>('SELECT thread FROM posts WHERE id = ?');
  const insert = db.prepare(
    `INSERT INTO posts (id, space, author, ts, kind, root, parent, title, text, tags, sig, chain, thread, received_at, via)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const waiting = db.prepare<[Buffer], { seq: number; id: Buffer; root: Buffer | null }>(
    "SELECT seq, id, root FROM posts WHERE parent = ? AND chain = 'unresolved'",
  );
  const settle = db.prepare('UPDATE posts SET chain = ?, thread = ? WHERE seq = ?');
  const keepTurns = turnKeeper(db);
  const resolution = db.prepare('INSERT INTO resolutions (seq) VALUES (?)');
  const day = db.prepare<[string, number], { count: number; fingerprint: Buffer }>(
    'SELECT count, fingerprint FROM days WHERE space = ? AND day = ?',
  );
  const setDay = db.prepare(
    `INSERT INTO days (space, day, count, fingerprint) VALUES (?, ?, ?, ?)
     ON CONFLICT (space, day) DO UPDATE SET count = excluded.count, fingerprint = excluded.fingerprint`,
  );

  function chainOf(post: Post, id: Buffer): { chain: Chain; thread: Buffer | null } {
    if (post.parent === null) return { chain: 'root', thread: id };
    const thread = parentOf.get(blob(post.parent))?.thread ?? null;
    if (thread === null) return { chain: 'unresolved', thread: null };
    return { chain: thread.toString('hex') === post.root ? 'resolved' : 'graft', thread };
  }

  /** Replies that waited for this post, and those that waited for them, in breadth-first order. */
  function resolveWaiting(id: Buffer, thread: Buffer): number[] {
    const done: number[] = [];
    const open = [id];
    for (let parent = open.shift(); parent !== undefined; parent = open.shift()) {
      for (const child of waiting.all(parent)) {
        const chain: Chain = child.root?.equals(thread) ? 'resolved' : 'graft';
        settle.run(chain, thread, child.seq);
        if (chain === 'resolved') keepTurns(thread, child.seq);
        resolution.run(child.seq);
        done.push(child.seq);
        open.push(child.id);
      }
    }
    return done;
  }

  function fingerprint(post: Post, id: Buffer): void {
    const number = Math.floor(post.ts / DAY_SECONDS);
    const old = day.get(post.space, number);
    const mixed = Buffer.from(id);
    if (old) for (let i = 0; i < mixed.length; i++) mixed[i] = (mixed[i] ?? 0) ^ (old.fingerprint[i] ?? 0);
    setDay.run(post.space, number, (old?.count ?? 0) + 1, mixed);
  }

  return function append(post: Post, receivedAt: number, via: string): Appended | null {
    const id = blob(post.id);
    if (known.get(id)) return null;
    const { chain, thread } = chainOf(post, id);
    const { lastInsertRowid } = insert.run(
      id,
      post.space,
      blob(post.author),
      post.ts,
      post.kind,
      blobOrNull(post.root),
      blobOrNull(post.parent),
      post.title,
      post.text,
      JSON.stringify(post.tags),
      blob(post.sig),
      chain,
      thread,
      receivedAt,
      via,
    );
    const seq = Number(lastInsertRowid);
    fingerprint(post, id);
    if (chain === 'resolved' && thread !== null) keepTurns(thread, seq);
    return { seq, chain, resolved: thread === null ? [] : resolveWaiting(id, thread) };
  };
}
