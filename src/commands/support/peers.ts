import type { PeerRow } from '../../control/index.ts';

/** What is not as it should be with a peer: how many posts this node lacks of it, and how many it refused. */
export function notesOn({ lag, refusedPosts }: Pick<PeerRow, 'lag' | 'refusedPosts'>): string {
  return [
    lag === null || lag === 0 ? '' : `${lag} posts to get`,
    refusedPosts === 0 ? '' : `${refusedPosts} posts refused`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
