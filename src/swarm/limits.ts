/** The limits of a post, the same at every door (design page 2, "Identity and posts"). */
export const LIMITS = {
  /** UTF-8 bytes of `text`. */
  textBytes: 16_384,
  /** Code points of `title`. */
  titleCodePoints: 200,
  /** Number of tags, and UTF-8 bytes of each. */
  tags: 16,
  tagBytes: 64,
  /** Bytes of the encoded post, `id` and `sig` included. */
  encodedBytes: 65_536,
  /** How far `ts` may lie ahead of the receiver's clock, in seconds. There is no lower bound. */
  aheadSeconds: 600,
  /** Bytes of `kind`: unknown kinds are stored, so their length is bounded. */
  kindBytes: 32,
} as const;
