import { generateKeyPairFromSeed } from '@libp2p/crypto/keys';
import type { GossipSub } from '@libp2p/gossipsub';
import { identify } from '@libp2p/identify';
import type { Libp2p, PeerId } from '@libp2p/interface';
import { noise } from '@libp2p/noise';
import { ping } from '@libp2p/ping';
import { preSharedKey } from '@libp2p/pnet';
import { tcp } from '@libp2p/tcp';
import { yamux } from '@libp2p/yamux';
import type { Multiaddr } from '@multiformats/multiaddr';
import { createLibp2p } from 'libp2p';
import { nodeIdOf } from '../node-id.ts';
import { formatSwarmKey, parseSwarmKey } from '../swarm-key.ts';
import { gossipService } from './gossip.ts';
import { LINKS, type Rhythm } from './limits.ts';

export type Network = Libp2p<{ pubsub: GossipSub; identify: unknown; ping: unknown }>;

export interface NetworkOptions {
  readonly nodeSeed: Uint8Array;
  readonly swarmKeyFile: string | null;
  readonly listen: readonly string[];
  readonly topic: string;
  /** Whether a peer may be linked with at all, in or out. */
  readonly isAdmitted: (peer: string) => boolean;
  /** Whether this node was told to dial the peer, at that address. */
  readonly isNamed: (peer: string, address?: Multiaddr) => boolean;
  readonly isIgnored: (peer: string) => boolean;
  readonly rhythm: Pick<Rhythm, 'pingMs' | 'pingTimeoutMs'>;
}

/**
 * A node that speaks to nobody but those it is told to: TCP only, no discovery, no relay, no DHT, and a gate that
 * refuses every dial to a peer or an address that wasn't named. What peers announce about themselves is
 * not even kept: a stranger must not choose where our packets go.
 */
export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const privateKey = await generateKeyPairFromSeed('Ed25519', options.nodeSeed);
  const nodeId = nodeIdOf(options.nodeSeed);
  const isRefused = (peer: PeerId): boolean => !options.isAdmitted(peer.toString());
  return await createLibp2p({
    privateKey,
    start: false,
    addresses: { listen: [...options.listen] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    // A reader that holds a peer back buffers at most one window, which must fit in its read buffer (4 MiB).
    streamMuxers: [yamux({ streamOptions: { maxStreamWindowSize: 1024 * 1024 } })],
    ...(options.swarmKeyFile === null
      ? {}
      : {
          connectionProtector: preSharedKey({
            psk: Buffer.from(formatSwarmKey(parseSwarmKey(options.swarmKeyFile))),
          }),
        }),
    connectionGater: {
      denyDialPeer: (peer) => isRefused(peer) || !options.isNamed(peer.toString()),
      denyDialMultiaddr: (address) => !options.isNamed(peerOf(address), address),
      denyInboundEncryptedConnection: isRefused,
      denyOutboundEncryptedConnection: isRefused,
    },
    peerStore: {
      addressFilter: (peer, address) =>
        peer.toString() === nodeId || options.isNamed(peer.toString(), address),
    },
    connectionManager: {
      maxConnections: LINKS.maxConnections,
      inboundConnectionThreshold: LINKS.inboundPerSecond,
      maxIncomingPendingConnections: LINKS.inboundPerSecond,
      // Links are kept by links.ts.
      reconnectRetries: 0,
    },
    // A link whose other end is gone without a word (sleep, a lost network) is cut after one ping.
    connectionMonitor: {
      pingInterval: options.rhythm.pingMs,
      pingTimeout: {
        minTimeout: options.rhythm.pingTimeoutMs,
        // The library's timeout grows with each failure, of whatever peer.
        maxTimeout: 3 * options.rhythm.pingTimeoutMs,
      },
    },
    services: {
      identify: identify(),
      ping: ping(),
      pubsub: gossipService(options.topic, options.isIgnored),
    },
  });
}

function peerOf(address: Multiaddr): string {
  return address.getComponents().findLast((part) => part.name === 'p2p')?.value ?? '';
}
