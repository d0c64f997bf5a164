import { truncate } from './cells.ts';
import { visible } from './visible.ts';

/** The first line with something to see on it, made visible, in at most `width` cells. */
export function excerpt(text: string, width: number): string {
  const line = text.split(/\r?\n/).find((candidate) => /[^\s\u{2800}]/v.test(candidate)) ?? '';
  return truncate(visible(line.trim(), 'line'), width);
}

/**
 * A key or a node's id as people read it: its first 15 hex digits, 60 bits, the fewest that a look-alike can't
 * be made for. For showing only: a short key is never accepted as input.
 */
export function shortKey(hex: string): string {
  return hex.slice(0, 15);
}

/** A post's id as people read it, as long as a short key. */
export const shortId = shortKey;

/** Every Ed25519 peer id begins with this: it tells two nodes apart not at all. */
const PEER_PREFIX = '12D3KooW';

/** A node's id for a row: 15 characters after the part that all have (about 88 bits). Never accepted as input. */
export function shortNode(id: string): string {
  const rest = id.startsWith(PEER_PREFIX) ? id.slice(PEER_PREFIX.length) : id;
  return rest.slice(0, 15);
}
