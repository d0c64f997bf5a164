import { createHash } from 'node:crypto';

/**
 * A fingerprint of a set of ids that can be kept up to date: LtHash with 1,024 lanes of 16 bits (docs/protocol.md,
 * "Days"). The XOR of the ids would do against accidents, but with some 260 posts of one day anybody can solve for
 * two sets with the same XOR, and two nodes that were given one each would never notice what the other has.
 */
const LANES = 1024;
const DOMAIN = 'wats day 1\n';

/** What the fingerprint of a set of ids is made of. */
export type Lanes = Uint16Array<ArrayBuffer>;

/** Lanes to add ids to. @param state bytes that they were kept as; `null` for a set without ids */
export function lanesOf(state: Uint8Array | null): Lanes {
  // A copy, because a view must begin at an even address. Numbers are little-endian on every machine Node runs on.
  return state === null ? new Uint16Array(LANES) : new Uint16Array(new Uint8Array(state).buffer);
}

/** Adds an id to a set, in place. */
export function addId(lanes: Lanes, id: Uint8Array): void {
  const stream = createHash('shake128', { outputLength: LANES * 2 })
    .update(DOMAIN)
    .update(id)
    .digest();
  const isEven = stream.byteOffset % 2 === 0;
  const added = isEven ? new Uint16Array(stream.buffer, stream.byteOffset, LANES) : lanesOf(stream);
  for (let lane = 0; lane < LANES; lane++) lanes[lane] = (lanes[lane] ?? 0) + (added[lane] ?? 0);
}

/** The lanes of a day with one more id, as bytes. @param state what this gave for the ids before, or `null` for none */
export function addToDay(state: Uint8Array | null, id: Uint8Array): Buffer {
  const lanes = lanesOf(state);
  addId(lanes, id);
  return Buffer.from(lanes.buffer);
}

/** 32 bytes that depend on the set of ids and on nothing else. */
export function fingerprintOf(state: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(state).digest());
}
