import { generateKeyPairFromSeed } from '@libp2p/crypto/keys';
import type { GossipSub } from '@libp2p/gossipsub';
import { identify } from '@libp2p/identify';
import type { Connection, ConnectionGater, Libp2p, PeerId, Stream } from '@libp2p/interface';
import { noise } from '@libp2p/noise';
import { ping } from '@libp2p/ping';
import { preSharedKey } from '@libp2p/pnet';
import { tcp } from '@libp2p/tcp';
import { yamux } from '@libp2p/yamux';
import type { Multiaddr } from '@multiformats/multiaddr';
import { createLibp2p, type Libp2pOptions } from 'libp2p';
import { nodeIdOf } from '../node-id.ts';
import { formatSwarmKey, parseSwarmKey } from '../swarm-key.ts';
import { gossipService } from './gossip.ts';
import { LINKS, type Rhythm } from './limits.ts';

export type Network = Libp2p<{ pubsub: GossipSub; identify: unknown; ping: unknown }>;

/** What a relay adds to a node that is made. */
export interface RelayPlug {
  readonly transport: NonNullable<Libp2pOptions['transports']>[number];
  readonly services: Readonly<Record<string, NonNullable<Libp2pOptions['services']>[string]>>;
  readonly gate: ConnectionGater;
  /** `undefined`: as any other node. */
  readonly maxConnections: number | undefined;
}

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
  /** Hosts that many peers may share without suspicion. */
  readonly relayHosts: Set<string>;
  /** `null`: no relay. */
  readonly relayPlug: RelayPlug | null;
  readonly rhythm: Pick<Rhythm, 'pingMs' | 'pingTimeoutMs'>;
}

/**
 * A node that speaks to nobody but those it is told to: TCP, and relays where some were named; no discovery, no DHT,
 * and a gate that refuses every dial to a peer or an address that wasn't named. What peers announce about themselves is
 * not even kept: a stranger must not choose where our packets go.
 */
export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const privateKey = await generateKeyPairFromSeed('Ed25519', options.nodeSeed);
  const nodeId = nodeIdOf(options.nodeSeed);
  const relay = options.relayPlug;
  const isRefused = (peer: PeerId): boolean => !options.isAdmitted(peer.toString());
  return await createLibp2p({
    privateKey,
    start: false,
    addresses: { listen: [...options.listen] },
    transports: [tcp(), ...(relay === null ? [] : [relay.transport])],
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
      ...relay?.gate,
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
      maxConnections: relay?.maxConnections ?? LINKS.maxConnections,
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
      pubsub: gossipService(options.topic, options.isIgnored, options.relayHosts),
      ...relay?.services,
    },
  });
}

/** Whether a link goes through another node. */
export function isRelayed({ remoteAddr }: Pick<Connection, 'remoteAddr'>): boolean {
  return remoteAddr.getComponents().some(({ name }) => name === 'p2p-circuit');
}

/** How a peer is linked: straight, or only through a relay, or not at all. */
export type Reach = 'straight' | 'relayed' | 'none';

export function reachOf(network: Network, peer: PeerId): Reach {
  const open = network.getConnections(peer);
  return open.length === 0 ? 'none' : open.every(isRelayed) ? 'relayed' : 'straight';
}

/**
 * A stream on a link that is there, a straight one if there is one. It never dials: the library would, to get around
 * the limits of a relayed link.
 */
export async function openStream(
  network: Network,
  peer: PeerId,
  protocol: string,
  signal: AbortSignal,
): Promise<Stream> {
  const open = network.getConnections(peer).filter(({ status }) => status === 'open');
  const link = open.find((connection) => !isRelayed(connection)) ?? open[0];
  if (link === undefined) throw new Error('the link is gone');
  return await link.newStream(protocol, { signal, runOnLimitedConnection: true });
}

function peerOf(address: Multiaddr): string {
  return address.getComponents().findLast((part) => part.name === 'p2p')?.value ?? '';
}
