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

export interface PostRowSql {
  seq: number;
  id: Buffer;
  space: string;
  author: Buffer;
  ts: number;
  kind: string;
  root: Buffer | null;
  parent: Buffer | null;
  title: string;
  text: string;
  tags: string;
  sig: Buffer;
  chain: Chain;
  thread: Buffer | null;
  parent_author: Buffer | null;
  received_at: number;
  via: string;
}

export const blob = (hex: string): Buffer => Buffer.from(hex, 'hex');
export const blobOrNull = (hex: string | null): Buffer | null => (hex === null ? null : blob(hex));
export const hexOrNull = (bytes: Buffer | null): string | null =>
  bytes === null ? null : bytes.toString('hex');

export function toStored(row: PostRowSql): StoredPost {
  return {
    post: {
      v: 1,
      space: row.space,
      author: row.author.toString('hex'),
      ts: row.ts,
      kind: row.kind,
      root: hexOrNull(row.root),
      parent: hexOrNull(row.parent),
      title: row.title,
      text: row.text,
      tags: JSON.parse(row.tags) as string[],
      id: row.id.toString('hex'),
      sig: row.sig.toString('hex'),
    },
    seq: row.seq,
    chain: row.chain,
    thread: hexOrNull(row.thread),
    receivedAt: row.received_at,
    via: row.via,
  };
}
