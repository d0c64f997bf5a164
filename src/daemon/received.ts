import type { Received } from '../intake/index.ts';
import type { Post } from '../swarm/index.ts';
import type { ReceivedPost } from '../sync/index.ts';

/** A post from the sync worker, which has verified it: these bytes are the one encoding that it has. */
export function receivedPost({ bytes, from }: ReceivedPost): Received {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return { post: JSON.parse(text) as Post, from };
}
