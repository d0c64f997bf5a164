import type { Store } from '../store/index.ts';

/** The peers that a person named, as they stand while there is no link to anybody. */
export function unlinkedPeers(store: Pick<Store, 'people'>) {
  return store.people.peers().map(({ peer, address, lastSeenAt }) => ({
    id: peer,
    addresses: [address],
    state: 'unreachable' as const,
    relayed: false,
    lastSeenAt,
    lag: null,
    refusedPosts: 0,
  }));
}
