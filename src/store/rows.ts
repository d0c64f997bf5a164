import type { Post } from '../swarm/index.ts';

/** Where a post's parent chain stands on this node. */
export type Chain = 'root' | 'resolved' | 'graft' | 'unresolved';

export interface StoredPost {
  readonly post: Post;
  /** Arrival order, the only order decisions use. */
  readonly seq: number;
  readonly chain: Chain;
  /** The root its parent chain leads to; `null` while that is not known. */
  readonly thread: string | null;
  /** ms since the epoch. */
  readonly receivedAt: number;
  /** Through which door it came: `own`, `peer`. */
  readonly via: string;
}

/** A row of posts as {@link postColumns} reads it: ids, keys and signatures as hex, '' where there is none. */
export interface PostRowSql {
  seq: number;
  id: string;
  space: string;
  author: string;
  ts: number;
  kind: string;
  root: string;
  parent: string;
  title: string;
  text: string;
  tags: string;
  sig: string;
  chain: Chain;
  thread: string;
  parent_author: string;
  received_at: number;
  via: string;
}

const PLAIN = ['seq', 'space', 'ts', 'kind', 'title', 'text', 'tags', 'chain', 'received_at', 'via'];
const AS_HEX = ['id', 'author', 'root', 'parent', 'sig', 'thread', 'parent_author'];

/**
 * What a SELECT of whole posts names. SQLite writes the hex: a row with seven `Buffer`s takes four times as long to
 * read, and every one of them is garbage. In ORDER BY, `id` then means the hex: name the table's.
 */
export function postColumns(table = 'posts'): string {
  return [
    ...PLAIN.map((name) => `${table}.${name}`),
    ...AS_HEX.map((name) => `lower(hex(${table}.${name})) AS ${name}`),
  ].join(', ');
}

export const blob = (hex: string): Buffer => Buffer.from(hex, 'hex');
export const blobOrNull = (hex: string | null): Buffer | null => (hex === null ? null : blob(hex));
export const hexOrNull = (bytes: Buffer | null): string | null =>
  bytes === null ? null : bytes.toString('hex');
/** Hex of {@link postColumns}: '' stands for no value. */
export const presentOrNull = (hex: string): string | null => (hex === '' ? null : hex);

export function toStored(row: PostRowSql): StoredPost {
  return {
    post: {
      v: 1,
      space: row.space,
      author: row.author,
      ts: row.ts,
      kind: row.kind,
      root: presentOrNull(row.root),
      parent: presentOrNull(row.parent),
      title: row.title,
      text: row.text,
      tags: JSON.parse(row.tags) as string[],
      id: row.id,
      sig: row.sig,
    },
    seq: row.seq,
    chain: row.chain,
    thread: presentOrNull(row.thread),
    receivedAt: row.received_at,
    via: row.via,
  };
}
