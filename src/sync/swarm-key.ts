import { randomBytes } from 'node:crypto';
import { WatsError } from '../errors/index.ts';

/** The standard file of a libp2p private network: two header lines, then 64 hex digits. */
const HEADER = '/key/swarm/psk/1.0.0/\n/base16/\n';

/** A new key of a private swarm: 32 bytes of the system's randomness. */
export function newSwarmKey(): Uint8Array {
  return new Uint8Array(randomBytes(32));
}

/** The 95-byte file of a swarm key, as libp2p programs in any language read it. */
export function formatSwarmKey(key: Uint8Array): string {
  return `${HEADER}${Buffer.from(key).toString('hex')}`;
}

/**
 * The 32 bytes in a swarm key file. A line end after the key and CRLF are forgiven, nothing else.
 *
 * @throws WatsError `directory` that says what is wrong; never with a byte of the key in it
 */
export function parseSwarmKey(file: string): Uint8Array {
  const text = file.replaceAll('\r\n', '\n').trimEnd();
  if (!text.startsWith(HEADER)) {
    throw damaged('the swarm key does not begin with "/key/swarm/psk/1.0.0/" and "/base16/", a line each');
  }
  const digits = text.slice(HEADER.length);
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw damaged('the swarm key is not 64 hex digits');
  return new Uint8Array(Buffer.from(digits, 'hex'));
}

function damaged(message: string): WatsError {
  return new WatsError('directory', message, {
    fix: 'Copy the file again from a node of the swarm, or join anew with `wats peer join INVITE`.',
  });
}
