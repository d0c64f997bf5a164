/** The only holder of secrets: author keys and signing, the node's link key. */
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { WatsError } from '../errors/index.ts';
import { type Post, type PostBody, postId } from '../swarm/index.ts';
import { readOrMakeSecret, type SecretFile } from './secret.ts';

export interface Keys {
  /**
   * The author key that a profile name seeds, 64 hex digits. Renaming a profile makes a new author; the forms of
   * Unicode do not (NFC).
   * @throws WatsError `setting` for a name that is none
   */
  authorOf(profile: string): string;
  /** Signs a body with a profile's key; the body's author must be that profile's. */
  sign(profile: string, body: PostBody): Post;
  /** 32 bytes that seed the link's identity; they carry no authorship. */
  readonly nodeSeed: Uint8Array;
}

/** DER prefix that turns a raw Ed25519 seed into PKCS #8 (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * @param files `secret` seeds the authors, `nodeKey` the link
 * @throws WatsError `directory`
 */
export function openKeys(
  files: { secret: SecretFile; nodeKey: SecretFile },
  warn: (message: string) => void,
): Keys {
  const secret = readOrMakeSecret(files.secret, warn);
  const nodeSeed = new Uint8Array(readOrMakeSecret(files.nodeKey, warn));
  const pairs = new Map<string, { key: KeyObject; author: string }>();

  function pairOf(profile: string) {
    // A lone surrogate would be signed as U+FFFD: two names, one author.
    if (profile === '' || !profile.isWellFormed())
      throw new WatsError('setting', 'a profile name is text of at least one character');
    const name = profile.normalize('NFC');
    const known = pairs.get(name);
    if (known) return known;
    const info = Buffer.from(`wats author v1\0${name}`, 'utf8');
    const seed = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), info, 32));
    const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
    const pair = { key, author: spki.subarray(-32).toString('hex') };
    pairs.set(name, pair);
    return pair;
  }

  return {
    authorOf: (profile) => pairOf(profile).author,
    sign(profile, body) {
      const { key, author } = pairOf(profile);
      if (body.author !== author) throw new Error('a post is signed by its own author only');
      const id = postId(body);
      return { ...body, id, sig: sign(null, Buffer.from(id, 'hex'), key).toString('hex') };
    },
    nodeSeed,
  };
}

export type { SecretFile } from './secret.ts';
