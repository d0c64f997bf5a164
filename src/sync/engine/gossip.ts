import { createHash } from 'node:crypto';
import { gossipsub, type Message, StrictNoSign, TopicValidatorResult } from '@libp2p/gossipsub';
import { createTopicScoreParams } from '@libp2p/gossipsub/score';
import type { ReceivedPost, SyncEvent } from '../contract.ts';
import { Buckets } from './buckets.ts';
import type { Inbox } from './inbox.ts';
import type { Judgement } from './judge.ts';
import { GOSSIP } from './limits.ts';
import type { Standing } from './standing.ts';

/** The first byte of a payload; the encoded post follows. */
const PAYLOAD_VERSION = 1;
const LOOPBACK = ['127.0.0.1', '::1'];

export function topicOf(space: string): string {
  return `/wats/1/${space}`;
}

export function payloadOf(post: Uint8Array): Uint8Array {
  const payload = new Uint8Array(post.byteLength + 1);
  payload[0] = PAYLOAD_VERSION;
  payload.set(post, 1);
  return payload;
}

/**
 * The gossip service. Posts carry the signatures of their authors, so messages carry none of their nodes.
 * `maxInboundDataLength` stays unset: a frame over it would end the reader and leave the stream open.
 *
 * @param isIgnored whether a peer is cut off: nothing of it is read then, whatever the protocol's own score says
 * @param relayHosts addresses that many peers may share without suspicion; it grows while the node runs
 */
export function gossipService(
  topic: string,
  isIgnored: (peer: string) => boolean,
  relayHosts: Set<string>,
): ReturnType<typeof gossipsub> {
  for (const host of LOOPBACK) relayHosts.add(host);
  return gossipsub({
    runOnLimitedConnection: true,
    globalSignaturePolicy: StrictNoSign,
    msgIdFn: (message) => createHash('sha256').update(message.data).digest().subarray(0, 20),
    allowedTopics: [topic],
    allowPublishToZeroTopicPeers: true,
    ignoreDuplicatePublishError: true,
    maxOutboundBufferSize: 8 * 1024 * 1024,
    scoreParams: {
      // Softer than the default, which cuts off an office of eleven behind one address.
      IPColocationFactorWeight: -1,
      IPColocationFactorThreshold: 20,
      IPColocationFactorWhitelist: relayHosts,
      appSpecificScore: (peer) => (isIgnored(peer) ? -100 : 0),
      topics: {
        [topic]: createTopicScoreParams({
          topicWeight: 1,
          timeInMeshWeight: 0,
          firstMessageDeliveriesWeight: 0,
          meshMessageDeliveriesWeight: 0,
          meshFailurePenaltyWeight: 0,
          invalidMessageDeliveriesWeight: -10,
          invalidMessageDeliveriesDecay: 0.97,
        }),
      },
    },
  });
}

export interface DoorPorts {
  readonly judge: (bytes: Uint8Array) => Judgement;
  readonly inbox: Inbox;
  readonly standing: Standing;
  readonly nowMs: () => number;
  readonly refuse: (
    peer: string,
    via: ReceivedPost['via'],
    code: Extract<SyncEvent, { kind: 'post_refused' }>['code'],
  ) => void;
  /** A post was dropped that may be good: reconcile with this peer soon. */
  readonly onLoss: (peer: string) => void;
}

/**
 * What happens to each gossiped message before it may spread. `Accept`: stored and passed on. `Ignore`: dropped
 * without blame. `Reject`: dropped, and counted against the peer.
 */
export function createDoor(ports: DoorPorts): (peer: string, message: Message) => TopicValidatorResult {
  const byPeer = new Buckets(GOSSIP.peerPerSecond, GOSSIP.peerBurst);
  const byThrottledPeer = new Buckets(GOSSIP.throttledPerSecond, GOSSIP.throttledBurst);
  const byAuthor = new Buckets(GOSSIP.authorPerSecond, GOSSIP.authorBurst);

  return (peer, message) => {
    const now = ports.nowMs();
    if (ports.standing.isIgnored(peer, now)) return TopicValidatorResult.Ignore;
    const bucket = ports.standing.isThrottled(peer, now) ? byThrottledPeer : byPeer;
    if (!bucket.take(peer, now) || ports.inbox.isFull) {
      ports.onLoss(peer);
      return TopicValidatorResult.Ignore;
    }
    if (message.data[0] !== PAYLOAD_VERSION) {
      ports.refuse(peer, 'gossip', 'wrong_version');
      return TopicValidatorResult.Reject;
    }
    const judgement = ports.judge(message.data.subarray(1));
    switch (judgement.kind) {
      case 'known':
        return TopicValidatorResult.Ignore;
      case 'early':
        ports.refuse(peer, 'gossip', 'future');
        return TopicValidatorResult.Ignore;
      case 'invalid':
        ports.refuse(peer, 'gossip', judgement.code);
        return TopicValidatorResult.Reject;
      case 'new':
        if (!byAuthor.take(judgement.author, now)) {
          ports.onLoss(peer);
          return TopicValidatorResult.Ignore;
        }
        ports.inbox.add({ id: judgement.id, bytes: judgement.bytes, from: peer, via: 'gossip' });
        return TopicValidatorResult.Accept;
      default:
        return judgement satisfies never;
    }
  };
}
