import type { Principal } from '../access/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Keys } from '../keys/index.ts';
import type { DraftContent } from '../review/index.ts';
import { checkContent, LOCAL_SPACE, type PostBody } from '../swarm/index.ts';
import type { Parent } from './contract.ts';

/** Makes the body of a post: whose it is, where it stands, when it was written. */
export function createComposer(house: {
  readonly keys: Keys;
  readonly personProfile: string;
  readonly swarm: () => string;
  readonly now: () => number;
}) {
  return {
    /** @throws WatsError `forbidden` for a peer */
    profileOf(who: Principal): string {
      if (who.kind === 'person') return house.personProfile;
      if (who.kind === 'peer') throw new WatsError('forbidden', 'a peer has no profile here');
      return who.profile;
    },

    /** @throws WatsError `invalid_post` that says what to change */
    body(profile: string, content: DraftContent, parent: Parent | null, local: boolean): PostBody {
      const problem = checkContent(content);
      if (problem) throw new WatsError('invalid_post', problem.message);
      return {
        v: 1,
        // A reply has its parent's space, and stands where the parent's chain leads.
        space: parent?.space ?? (local ? LOCAL_SPACE : house.swarm()),
        author: house.keys.authorOf(profile),
        ts: Math.floor(house.now() / 1000),
        kind: content.kind,
        root: parent === null ? null : (parent.thread ?? parent.root ?? parent.id),
        parent: parent?.id ?? null,
        title: content.title,
        text: content.text,
        tags: content.tags,
      };
    },
  };
}
