import { createHash } from 'node:crypto';
import { WatsError } from '../errors/index.ts';
import { parsePeerAddress } from './address.ts';

/** What one node tells another so that it can join: where to dial, and the key of a private swarm. */
export interface Invite {
  /** 1 to 16 multiaddresses with `/p2p/<id>`, each at most 255 bytes. */
  readonly addresses: readonly string[];
  /** 32 bytes; `null`: the open swarm. */
  readonly swarmKey: Uint8Array | null;
}

const PREFIX = 'wats1:';
const CHECKSUM_BYTES = 4;
const MAX_ADDRESSES = 16;

/**
 * One line: `wats1:` and base64url of: length of the payload (2 bytes), payload, checksum (the first 4 bytes
 * of SHA-256 of all before). The payload is 1 and the 32 bytes of the key, or 0; then each address with its length in
 * front (1 byte). The length and the checksum tell a line that was cut off from one that was mistyped.
 *
 * @throws WatsError `usage` for no address, too many, or one that nobody can dial
 */
export function encodeInvite(invite: Invite): string {
  if (invite.addresses.length === 0 || invite.addresses.length > MAX_ADDRESSES) {
    throw new WatsError(
      'usage',
      `an invite has 1 to ${MAX_ADDRESSES} addresses, not ${invite.addresses.length}`,
      {
        fix: 'Set `listen` to an address that the other node can reach.',
      },
    );
  }
  const parts: Uint8Array[] = [
    invite.swarmKey === null ? Uint8Array.of(0) : Buffer.concat([Uint8Array.of(1), invite.swarmKey]),
  ];
  for (const address of invite.addresses) {
    const bytes = Buffer.from(parsePeerAddress(address).text, 'utf8');
    if (bytes.length > 255) throw new WatsError('usage', 'an address of the invite is longer than 255 bytes');
    parts.push(Uint8Array.of(bytes.length), bytes);
  }
  const payload = Buffer.concat(parts);
  const body = Buffer.concat([Uint8Array.of(payload.length >> 8, payload.length & 0xff), payload]);
  return PREFIX + Buffer.concat([body, checksum(body)]).toString('base64url');
}

/**
 * Reads an invite. White space, which terminals and mail programs put in, is ignored.
 *
 * @throws WatsError `invite` that says what is wrong: not an invite, a version of another wats, cut off,
 * something after it, damaged
 */
export function decodeInvite(line: string): Invite {
  const text = line.replace(/\s+/g, '');
  const version = /^wats([0-9]{1,9}):/.exec(text)?.[1];
  if (version === undefined) throw wrong('this is not an invite: an invite begins with "wats1:"');
  if (version !== '1') {
    throw wrong(
      `this invite has version ${version}; this wats reads version 1`,
      'Update wats, or ask for an invite of version 1.',
    );
  }
  const encoded = text.slice(PREFIX.length);
  if (!/^[A-Za-z0-9_-]*$/.test(encoded)) throw wrong('this invite has a character that invites do not have');
  const bytes = Buffer.from(encoded, 'base64url');
  const length = bytes.length < 2 ? Number.POSITIVE_INFINITY : 2 + bytes.readUInt16BE(0) + CHECKSUM_BYTES;
  if (bytes.length < length) throw wrong('this invite is cut off: its end is missing');
  if (bytes.length > length) throw wrong('this invite has something after its end');
  const body = bytes.subarray(0, length - CHECKSUM_BYTES);
  if (!checksum(body).equals(bytes.subarray(length - CHECKSUM_BYTES))) {
    throw wrong('this invite is damaged: its checksum is wrong');
  }
  return readPayload(body.subarray(2));
}

function readPayload(payload: Buffer): Invite {
  const keyed = payload[0];
  let at = keyed === 1 ? 33 : 1;
  if ((keyed !== 0 && keyed !== 1) || payload.length < at)
    throw wrong('this invite is damaged: its key is not readable');
  const swarmKey = keyed === 1 ? new Uint8Array(payload.subarray(1, 33)) : null;
  const addresses: string[] = [];
  while (at < payload.length) {
    const end = at + 1 + (payload[at] ?? 0);
    if (end > payload.length) throw wrong('this invite is damaged: an address is not readable');
    try {
      addresses.push(parsePeerAddress(payload.toString('utf8', at + 1, end)).text);
    } catch (cause) {
      throw wrong('this invite has an address that nobody can dial', undefined, cause);
    }
    at = end;
  }
  if (addresses.length === 0 || addresses.length > MAX_ADDRESSES) {
    throw wrong(`this invite has ${addresses.length} addresses; 1 to ${MAX_ADDRESSES} are allowed`);
  }
  return { addresses, swarmKey };
}

function checksum(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest().subarray(0, CHECKSUM_BYTES);
}

function wrong(message: string, fix?: string, cause?: unknown): WatsError {
  return new WatsError('invite', message, {
    fix: fix ?? 'Copy the whole line that `wats peer invite` printed on the other node.',
    cause,
  });
}
