import type { PeerRow } from '../../control/index.ts';

/** What there is to say of a peer: that it is reached through a relay, how many posts this node lacks of it, and how many it refused. */
export function notesOn({
  relayed,
  lag,
  refusedPosts,
}: Pick<PeerRow, 'relayed' | 'lag' | 'refusedPosts'>): string {
  return [
    relayed ? 'through a relay' : '',
    lag === null || lag === 0 ? '' : `${lag} posts to get`,
    refusedPosts === 0 ? '' : `${refusedPosts} posts refused`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
