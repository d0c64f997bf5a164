import { createPublicKey, type KeyObject } from 'node:crypto';

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

/** Reading a key takes a third of the time of a signature, and most posts are by authors seen a moment ago. */
const KEPT = 1_000;
const kept = new Map<string, KeyObject>();

/**
 * The key of an author, of whom 64 hex digits are known.
 * @throws Error for one that is no key, or none that anybody can be held to
 */
export function authorKey(author: string): KeyObject {
  const known = kept.get(author);
  if (known !== undefined) return known;
  if (isSmallOrder(author)) throw new Error('an author of small order');
  const key = createPublicKey({
    key: Buffer.concat([SPKI_ED25519, Buffer.from(author, 'hex')]),
    format: 'der',
    type: 'spki',
  });
  // The oldest makes room: a flood of new authors costs what it did without this.
  for (const oldest of kept.size >= KEPT ? kept.keys() : []) {
    kept.delete(oldest);
    break;
  }
  kept.set(author, key);
  return key;
}

function isSmallOrder(author: string): boolean {
  const sign = Number.parseInt(author.slice(62), 16) & 0x7f;
  return SMALL_ORDER.has(author.slice(0, 62) + sign.toString(16).padStart(2, '0'));
}
