import { createHash } from 'node:crypto';

/**
 * A fingerprint of a set of ids that can be kept up to date: LtHash with 1,024 lanes of 16 bits (docs/protocol.md,
 * "Days"). The XOR of the ids would do against accidents, but with some 260 posts of one day anybody can solve for
 * two sets with the same XOR, and two nodes that were given one each would never notice what the other has.
 */
const LANES = 1024;
const DOMAIN = 'wats day 1\n';

/** The lanes of a day with one more id. @param state what this gave for the ids before, or `null` for none */
export function addToDay(state: Uint8Array | null, id: Uint8Array): Buffer {
  const stream = createHash('shake128', { outputLength: LANES * 2 })
    .update(DOMAIN)
    .update(id)
    .digest();
  if (state === null) return stream;
  // Numbers are little-endian on every machine that Node runs on.
  const sum = new Uint16Array(LANES);
  const [before, added] = [lanesOf(state), lanesOf(stream)];
  for (let lane = 0; lane < LANES; lane++) sum[lane] = (before[lane] ?? 0) + (added[lane] ?? 0);
  return Buffer.from(sum.buffer);
}

/** A copy, because a view must begin at an even address. */
function lanesOf(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(new Uint8Array(bytes).buffer);
}

/** 32 bytes that depend on the set of ids and on nothing else. */
export function fingerprintOf(state: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(state).digest());
}
