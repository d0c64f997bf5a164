import { createHash } from 'node:crypto';
import { type GossipSub, gossipsub, StrictNoSign } from '@libp2p/gossipsub';
import { identify } from '@libp2p/identify';
import type { Libp2p, Stream } from '@libp2p/interface';
import { noise } from '@libp2p/noise';
import { peerIdFromString } from '@libp2p/peer-id';
import { ping } from '@libp2p/ping';
import { tcp } from '@libp2p/tcp';
import { lpStream } from '@libp2p/utils';
import { yamux } from '@libp2p/yamux';
import { multiaddr } from '@multiformats/multiaddr';
import { createLibp2p } from 'libp2p';
import { type Node, until } from './support.ts';

export type RawNode = Libp2p<{ pubsub: GossipSub; identify: unknown; ping: unknown }>;

const running = new Set<RawNode>();

/** A peer that speaks the network's language and nothing of wats' manners: it sends what a test gives it. */
export async function rawPeer(options: Partial<Parameters<typeof createLibp2p>[0]> = {}): Promise<RawNode> {
  const node = await createLibp2p({
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    ...options,
    services: {
      ...options.services,
      identify: identify(),
      ping: ping(),
      pubsub: gossipsub({
        runOnLimitedConnection: true,
        globalSignaturePolicy: StrictNoSign,
        msgIdFn: (m) => createHash('sha256').update(m.data).digest().subarray(0, 20),
        allowPublishToZeroTopicPeers: true,
        scoreParams: { IPColocationFactorWhitelist: new Set(['127.0.0.1']) },
      }),
    },
  });
  running.add(node);
  return node;
}

export async function stopRawPeers(): Promise<void> {
  await Promise.all([...running].map((node) => node.stop()));
  running.clear();
}

/** Dials a node and waits until it takes gossip from us. */
export async function join(
  raw: RawNode,
  node: Pick<Node, 'id' | 'address'>,
  topic = '/wats/1/open',
): Promise<void> {
  raw.services.pubsub.subscribe(topic);
  await raw.dial(multiaddr(node.address));
  await until('the node subscribed', () =>
    raw.services.pubsub.getSubscribers(topic).some((peer) => peer.toString() === node.id),
  );
}

export async function gossip(raw: RawNode, payload: Uint8Array, topic = '/wats/1/open'): Promise<void> {
  await raw.services.pubsub.publish(topic, payload);
}

/** A payload of gossip: version 1 and the bytes of a post. */
export function payload(post: object | string | Uint8Array): Uint8Array {
  const bytes =
    post instanceof Uint8Array ? post : Buffer.from(typeof post === 'string' ? post : JSON.stringify(post));
  return Buffer.concat([Uint8Array.of(1), bytes]);
}

/** The reconciliation protocol, frame by frame, with the network library's own framing. */
export interface RawStream {
  send(type: number, body?: Uint8Array): Promise<void>;
  receive(): Promise<{ type: number; body: Uint8Array }>;
  readonly stream: Stream;
}

export function rawStream(stream: Stream): RawStream {
  const frames = lpStream(stream);
  return {
    stream,
    send: (type, body = new Uint8Array()) => frames.write(Buffer.concat([Uint8Array.of(type), body])),
    receive: async () => {
      const frame = (await frames.read({ signal: AbortSignal.timeout(10_000) })).subarray();
      return { type: frame[0] ?? 0, body: frame.subarray(1) };
    },
  };
}

export async function openSync(raw: RawNode, node: Node, space = 'open'): Promise<RawStream> {
  return rawStream(await raw.dialProtocol(peerIdFromString(node.id), `/wats/sync/1/${space}`));
}
