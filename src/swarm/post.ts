import { createHash, createPublicKey, verify } from 'node:crypto';

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
  return createHash('sha256').update(DOMAIN).update(canonical(body), 'utf8').digest('hex');
}

/** The bytes of a post on the wire: one JSON object with the fields of {@link Post}, UTF-8. */
export function encodePost(post: Post): Buffer {
  const { v, space, author, ts, kind, root, parent, title, text, tags, id, sig } = post;
  return Buffer.from(
    JSON.stringify({ v, space, author, ts, kind, root, parent, title, text, tags, id, sig }),
    'utf8',
  );
}

/** DER prefix that turns a raw Ed25519 public key into SubjectPublicKeyInfo (RFC 8410). */
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * The encodings of the points of small order, without the sign bit. A signature by such a "key" fits messages that
 * nobody signed, so whoever posts with one could disown it, and anybody could post with it.
 */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

function isSmallOrder(author: string): boolean {
  const sign = Number.parseInt(author.slice(62), 16) & 0x7f;
  return SMALL_ORDER.has(author.slice(0, 62) + sign.toString(16).padStart(2, '0'));
}

/** Whether `id` is the hash of the body and `sig` is the author's signature of it. Never throws. */
export function isAuthentic(post: Post): boolean {
  if (postId(post) !== post.id || isSmallOrder(post.author)) return false;
  try {
    const key = createPublicKey({
      key: Buffer.concat([SPKI_ED25519, Buffer.from(post.author, 'hex')]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, Buffer.from(post.id, 'hex'), key, Buffer.from(post.sig, 'hex'));
  } catch {
    return false; // an author that is no key of ours to read has signed nothing
  }
}
