import type { Network } from './network.ts';

/**
 * Closes links that look open but carry no gossip any more: the library never reopens a gossip stream that was
 * reset while its connection lives. Closing makes the links dial again, and the new link reconciles.
 *
 * @param ageMs younger links are left alone
 * @returns the peers whose links were closed
 */
export async function healLinks(network: Network, ageMs: number, nowMs: number): Promise<string[]> {
  const healed: string[] = [];
  const { pubsub } = network.services;
  for (const connection of network.getConnections()) {
    if (nowMs - connection.timeline.open < ageMs) continue;
    const peer = connection.remotePeer;
    const gossips = await speaksGossip(network, connection.remotePeer);
    const isKnown = pubsub.getPeers().some((each) => each.equals(peer));
    const isOutbound = network
      .getConnections(peer)
      .some(({ streams }) =>
        streams.some(
          ({ protocol, direction }) => protocol.startsWith('/meshsub/') && direction === 'outbound',
        ),
      );
    if (!gossips || (isKnown && isOutbound)) continue;
    healed.push(peer.toString());
    await connection
      .close({ signal: AbortSignal.timeout(1_000) })
      .catch((error: Error) => connection.abort(error));
  }
  return healed;
}

async function speaksGossip(
  network: Network,
  peer: Parameters<Network['peerStore']['get']>[0],
): Promise<boolean> {
  try {
    const { protocols } = await network.peerStore.get(peer);
    return protocols.some((protocol) => protocol.startsWith('/meshsub/'));
  } catch {
    return false; // not identified yet: nothing to expect of it
  }
}
