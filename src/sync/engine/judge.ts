import { checkPost, encodedText, LIMITS, type PostProblem } from '../../swarm/index.ts';

/** What the bytes of a stranger are. */
export type Judgement =
  | {
      readonly kind: 'new';
      readonly id: string;
      readonly author: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  /** The id that it claims is here already; the signature wasn't looked at. */
  | { readonly kind: 'known' }
  /**
   * Its time is too far ahead of this clock. Not held against the peer, whose clock may be the right one, or
   * the victim of somebody else's; it will be welcome later.
   */
  | { readonly kind: 'early' }
  | { readonly kind: 'invalid'; readonly code: PostProblem['code'] | 'wrong_space' };

export interface JudgePorts {
  readonly space: string;
  /** Whether a post with this id is stored, or on its way to be. */
  readonly knows: (id: string) => boolean;
  readonly nowMs: () => number;
}

const ID = /^[0-9a-f]{64}$/;

/** Judges the bytes of one post: size, JSON, known, space, every limit of swarm/, signature; cheap checks first. */
export function createJudge(ports: JudgePorts): (bytes: Uint8Array) => Judgement {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return (bytes) => {
    if (bytes.byteLength > LIMITS.encodedBytes) return { kind: 'invalid', code: 'too_large' };
    let text: string;
    let value: unknown;
    try {
      text = decoder.decode(bytes);
      value = JSON.parse(text);
    } catch {
      return { kind: 'invalid', code: 'not_json' }; // what the parser disliked about it helps nobody
    }
    const claimed = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
    if (typeof claimed === 'string' && ID.test(claimed) && ports.knows(claimed)) return { kind: 'known' };
    const checked = checkPost(value, Math.floor(ports.nowMs() / 1_000));
    if (!checked.ok) {
      const { code } = checked.problem;
      return code === 'future' ? { kind: 'early' } : { kind: 'invalid', code };
    }
    const post = checked.value;
    if (post.space !== ports.space) return { kind: 'invalid', code: 'wrong_space' };
    // Names that occur twice, white space: a post has one encoding, and nothing else travels with it.
    if (encodedText(post) !== text) return { kind: 'invalid', code: 'not_canonical' };
    // A copy of its own: a part of a larger buffer would drag all of it through the message to the main thread.
    return { kind: 'new', id: post.id, author: post.author, bytes: new Uint8Array(bytes) };
  };
}
