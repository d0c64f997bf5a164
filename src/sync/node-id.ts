import { createPrivateKey, createPublicKey } from 'node:crypto';

/** DER prefix that turns 32 bytes into a PKCS#8 Ed25519 private key (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Identity multihash (0x00, 36 bytes) of the protobuf of a public key: type Ed25519, 32 bytes of data. */
const PEER_ID_PREFIX = Buffer.from('002408011220', 'hex');
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/**
 * The id of the node whose link identity comes from this seed: the libp2p peer id of an Ed25519 key, computed
 * here so that nobody loads the network engine to print it.
 *
 * @param seed 32 bytes
 */
export function nodeIdOf(seed: Uint8Array): string {
  const key = createPublicKey(
    createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' }),
  );
  const spki = key.export({ format: 'der', type: 'spki' });
  return base58(Buffer.concat([PEER_ID_PREFIX, spki.subarray(spki.length - 32)]));
}

/** Whether a text is the id of a node: base58 of an Ed25519 peer id. */
export function isNodeId(text: string): boolean {
  if (!/^12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$/.test(text)) return false;
  const bytes = fromBase58(text);
  return bytes.length === 38 && bytes.subarray(0, 6).equals(PEER_ID_PREFIX);
}

function base58(bytes: Uint8Array): string {
  let text = '';
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n) {
    text = (ALPHABET[Number(rest % 58n)] ?? '') + text;
  }
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

function fromBase58(text: string): Buffer {
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(ALPHABET.indexOf(letter));
  const digits = value.toString(16);
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')]);
}
