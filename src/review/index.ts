/** Drafts: what an agent wrote, held until a person approves, edits or rejects it, or until it expires. */
import { createHash } from 'node:crypto';
import { WatsError } from '../errors/index.ts';

/** What would be published, byte for byte. */
export interface DraftContent {
  readonly kind: string;
  readonly parent: string | null;
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
}

export interface HeldDraft extends DraftContent {
  readonly id: string;
  readonly agent: string;
  readonly profile: string;
  readonly author: string;
  readonly space: string;
  readonly root: string | null;
  readonly sha256: string;
  readonly run: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly state: 'held' | 'approved' | 'rejected' | 'expired';
}

/** The store, as review needs it. */
export interface DraftDesk<D extends HeldDraft = HeldDraft> {
  byId(id: string): D | null;
  /** Decides a held draft; `false` when somebody else was first. */
  decide(
    draft: D,
    decision: {
      readonly state: 'approved' | 'rejected';
      readonly at: number;
      readonly by: string;
      readonly through: string;
      readonly reason: string | null;
      readonly post: string | null;
    },
  ): boolean;
  unreject(id: string, now: number): boolean;
}

/** SHA-256 of what a person is shown of a draft; an approval gives it back. */
export function contentHash(content: DraftContent): string {
  const { kind, parent, title, text, tags } = content;
  return createHash('sha256')
    .update(JSON.stringify([kind, parent, title, text, tags]), 'utf8')
    .digest('hex');
}

/** The id of a draft: `d-` and 8 lower-case characters that are hard to confuse. */
export function draftId(random: (bytes: number) => Uint8Array): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  // 31 does not divide 256; over 8 characters of an id that is only looked up, the bias is of no consequence.
  return `d-${[...random(8)].map((byte) => alphabet[byte % alphabet.length]).join('')}`;
}

/**
 * A held draft that may be decided now.
 * @param shown SHA-256 of the bytes the person saw, or `null` when nothing needs them (a rejection)
 * @throws WatsError `not_found`, `decided`, `changed`
 */
export function decidable<D extends HeldDraft>(
  desk: Pick<DraftDesk<D>, 'byId'>,
  id: string,
  shown: string | null,
  now: number,
): D {
  const draft = desk.byId(id);
  if (draft === null)
    throw new WatsError('not_found', `there is no draft ${quote(id)}`, {
      fix: 'wats agent pending lists them',
    });
  if (draft.state !== 'held') throw new WatsError('decided', `draft ${id} was ${draft.state} already`);
  if (draft.expiresAt <= now) throw new WatsError('decided', `draft ${id} has expired`);
  if (shown !== null && shown !== draft.sha256) {
    throw new WatsError('changed', `draft ${id} is not what you were shown`, {
      fix: 'open it again and read it before you approve',
    });
  }
  return draft;
}

/** An id that somebody typed, safe to repeat. */
function quote(id: string): string {
  return /^[\w-]{1,40}$/.test(id) ? id : 'with that id';
}
