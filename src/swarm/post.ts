import { hash, verify } from 'node:crypto';
import { authorKey } from './author-key.ts';

/** What is signed: everything of a post but `id` and `sig`. Hex is lower case; `ts` is whole seconds. */
export interface PostBody {
  readonly v: 1;
  /** The swarm: `open`, 64 hex digits of a private swarm, or `local` (never leaves the node). */
  readonly space: string;
  /** Ed25519 public key, 64 hex digits. */
  readonly author: string;
  readonly ts: number;
  readonly kind: string;
  /** The claimed root of the thread; `null` in a root post. */
  readonly root: string | null;
  readonly parent: string | null;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
}

export interface Post extends PostBody {
  /** SHA-256 of the signed bytes, 64 hex digits. */
  readonly id: string;
  /** Ed25519 over the 32 bytes of `id`, 128 hex digits. */
  readonly sig: string;
}

const DOMAIN = 'wats post 1\n';

/** The canonical JSON array of a body: no white space, fields in protocol order. */
export function canonical(body: PostBody): string {
  const { v, space, author, ts, kind, root, parent, title, text, tags } = body;
  return JSON.stringify([v, space, author, ts, kind, root, parent, title, text, tags]);
}

/** The id of a body: SHA-256(`wats post 1\n` ‖ canonical JSON), as 64 hex digits. */
export function postId(body: PostBody): string {
  return hash('sha256', DOMAIN + canonical(body), 'hex');
}

/** The bytes of a post on the wire: one JSON object with the fields of {@link Post}, UTF-8. */
export function encodePost(post: Post): Buffer {
  return Buffer.from(encodedText(post), 'utf8');
}

/** The same as text: bytes that decode to it, strictly, are the one encoding of the post. */
export function encodedText(post: Post): string {
  const { v, space, author, ts, kind, root, parent, title, text, tags, id, sig } = post;
  return JSON.stringify({ v, space, author, ts, kind, root, parent, title, text, tags, id, sig });
}

/** Whether `id` is the hash of the body and `sig` is the author's signature of it. Never throws. */
export function isAuthentic(post: Post): boolean {
  if (postId(post) !== post.id) return false;
  try {
    return verify(null, Buffer.from(post.id, 'hex'), authorKey(post.author), Buffer.from(post.sig, 'hex'));
  } catch {
    return false; // an author that is no key of ours to read has signed nothing
  }
}
