import { nip77 } from 'nostr-tools';
import { RECONCILE } from '../engine/limits.ts';
import { ByteReader } from './bytes.ts';

export interface Row {
  /** Whole seconds: milliseconds never terminate, because the protocol's numbers have 32 bits. */
  readonly ts: number;
  readonly id: Uint8Array;
}

const MODE = { skip: 0, fingerprint: 1, idList: 2 } as const;
const ID_BYTES = 32;
const FINGERPRINT_BYTES = 16;
const MAX_NUMBER = 2 ** 32;

/**
 * Range-based set reconciliation of two sets of ids. Used the same way on both sides: whoever receives the ids of
 * a range learns what it has and what it lacks there, so each side ends with its part of the difference.
 */
export class Reconciliation {
  readonly #negentropy: nip77.Negentropy;
  /** Ids that the other side lacks, as 64 hex digits. */
  readonly have = new Set<string>();
  /** Ids that we lack. */
  readonly need = new Set<string>();
  /** More differs than one exchange may move. */
  isTruncated = false;

  /** @param rows sorted by (ts, id) */
  constructor(rows: readonly Row[]) {
    const storage = new nip77.NegentropyStorageVector();
    // Each id owns its buffer: the library reads `id.buffer` and ignores where a view begins.
    storage.items = rows.map(({ ts, id }) => ({ timestamp: ts, id: new Uint8Array(id) }));
    storage.sealed = true;
    this.#negentropy = new nip77.Negentropy(storage, RECONCILE.negentropyBytes);
  }

  initiate(): Uint8Array {
    return Buffer.from(this.#negentropy.initiate(), 'hex');
  }

  /** The answer to a message, or `null` when there is nothing left to say. @throws for a malformed message */
  answer(message: Uint8Array): Uint8Array | null {
    checkMessage(message);
    const answer = this.#negentropy.reconcile(
      Buffer.from(message).toString('hex'),
      (id) => this.#collect(this.have, id),
      (id) => this.#collect(this.need, id),
    );
    return answer === null ? null : Buffer.from(answer, 'hex');
  }

  #collect(set: Set<string>, id: string): void {
    if (set.size < RECONCILE.wanted) set.add(id);
    else this.isTruncated ||= !set.has(id);
  }
}

/**
 * Refuses a message that is not well formed. The library must not see one: a length that overflows its 32 bits
 * makes it loop for hours on a few bytes.
 */
export function checkMessage(message: Uint8Array): void {
  const reader = new ByteReader(message);
  if (reader.byte() !== 0x61) throw new Error('negentropy: not version 1');
  while (!reader.isAtEnd) {
    bigEndian(reader);
    const prefix = bigEndian(reader);
    if (prefix > ID_BYTES) throw new Error('negentropy: a bound is longer than an id');
    reader.take(prefix);
    const mode = bigEndian(reader);
    if (mode === MODE.fingerprint) reader.take(FINGERPRINT_BYTES);
    else if (mode === MODE.idList) reader.take(bigEndian(reader) * ID_BYTES);
    else if (mode !== MODE.skip) throw new Error('negentropy: an unknown mode');
  }
}

/** Negentropy's varint: 7 bits a byte, high bits first. */
function bigEndian(reader: ByteReader): number {
  let value = 0;
  for (;;) {
    const byte = reader.byte();
    value = value * 0x80 + (byte & 0x7f);
    if (value >= MAX_NUMBER / 2) throw new Error('negentropy: a number is too large');
    if (byte < 0x80) return value;
  }
}
