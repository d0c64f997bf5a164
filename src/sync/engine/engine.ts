import { randomBytes } from 'node:crypto';
import { peerIdFromString } from '@libp2p/peer-id';
import type { Multiaddr } from '@multiformats/multiaddr';
import { WatsError } from '../../errors/index.ts';
import { parsePeerAddress } from '../address.ts';
import type {
  ReceivedPost,
  StoreReader,
  SyncEvent,
  SyncOptions,
  SyncPorts,
  SyncStatus,
} from '../contract.ts';
import { nodeIdOf } from '../node-id.ts';
import { reasonOf } from '../reason.ts';
import { Rounds } from '../reconcile/rounds.ts';
import { createDoor, payloadOf, topicOf } from './gossip.ts';
import { healLinks } from './guard.ts';
import { Inbox } from './inbox.ts';
import { createJudge } from './judge.ts';
import { RECONCILE, RELAY, type RelayLimits, RHYTHM, type Rhythm } from './limits.ts';
import { Links } from './links.ts';
import { createNetwork, isRelayed, type Network, openStream, reachOf } from './network.ts';
import { Publisher } from './publisher.ts';
import { Roster } from './roster.ts';
import { Standing } from './standing.ts';

export interface EnginePorts extends SyncPorts {
  readonly reader: StoreReader;
  readonly onChange: () => void;
  readonly nowMs?: () => number;
  readonly rhythm?: Partial<Rhythm>;
  readonly relayLimits?: Partial<RelayLimits>;
}

/** A node of the swarm: links, gossip and reconciliation, put together. It lives in the worker. */
export interface Engine {
  publish(post: Uint8Array): void;
  syncNow(peer?: string): Promise<void>;
  addPeer(address: string): void;
  removePeer(peer: string): Promise<void>;
  status(): SyncStatus;
  stop(): Promise<void>;
}

/** Time between two turns of the guard after which the machine is taken to have slept. */
const SLEPT_MS = 20_000;

/** @throws WatsError `setting` for an address that can't be listened on, a bad peer, or the space `local` */
export async function startEngine(options: SyncOptions, ports: EnginePorts): Promise<Engine> {
  if (options.space === 'local')
    throw new WatsError('setting', 'posts of the space "local" never leave the node');
  const nowMs = ports.nowMs ?? Date.now;
  const rhythm = { ...RHYTHM, ...ports.rhythm };
  const { log, onChange, reader } = ports;
  const { space } = options;
  const topic = topicOf(space);
  const protocol = `/wats/sync/1/${space}`;
  const nodeId = nodeIdOf(options.nodeSeed);
  const standing = new Standing();
  const isIgnored = (peer: string): boolean => standing.isIgnored(peer, nowMs());
  const allowed = options.allow === null ? undefined : new Set(options.allow);
  const isAdmitted = (peer: string): boolean => (allowed?.has(peer) ?? true) && !isIgnored(peer);
  const seeds = options.relay?.seeds.map((seed) => parsePeerAddress(seed)) ?? null;
  const links = new Links([...options.peers, ...(options.relay?.seeds ?? [])], {
    ownId: nodeId,
    nowMs,
    random: Math.random,
    mayDial: isAdmitted,
    seeds,
    straightMs: rhythm.straightMs,
    log,
    onChange,
  });
  const relay =
    options.relay === null
      ? null
      : new (await import('./relay.ts')).Relay({
          ownId: nodeId,
          seeds: seeds ?? [],
          serves: options.relay.serves,
          isAdmitted,
          memberProtocol: protocol,
          limits: { ...RELAY, ...ports.relayLimits },
          onServing: () => links.seedServes(),
          random: Math.random,
          log,
          onChange,
        });
  const relayHosts = new Set<string>();
  const network = await createNetwork({
    ...options,
    topic,
    isAdmitted,
    isNamed: (peer, address) => links.isNamed(peer, address),
    isIgnored,
    relayHosts,
    relayPlug: relay,
    rhythm,
  });
  relay?.attach(network);
  const roster = new Roster(
    links,
    standing,
    (peer) => reachOf(network, peerIdFromString(peer)) === 'relayed',
  );
  const { pubsub } = network.services;
  const inbox = new Inbox(
    ports.accept,
    (posts, error) => log({ kind: 'accept_failed', posts, reason: reasonOf(error) }),
    nowMs,
  );
  const judge = createJudge({ space, nowMs, knows: (id) => inbox.knows(id) || reader.has(id) });

  const refuse = (
    peer: string,
    via: ReceivedPost['via'],
    code: Extract<SyncEvent, { kind: 'post_refused' }>['code'],
  ): void => {
    log({ kind: 'post_refused', peer, via, code });
    const verdict = standing.refuse(peer, nowMs(), code !== 'future');
    onChange();
    if (verdict !== 'ignored') return;
    log({ kind: 'peer_ignored', peer, untilMs: standing.ignoredUntil(peer, nowMs()) ?? 0 });
    // Not at once: the caller is in the middle of a message of this very link.
    setImmediate(() => void hangUp(network, peer));
  };

  const rounds = new Rounds({
    ownId: nodeId,
    rhythm,
    random: Math.random,
    exchange: { reader, space, inbox, nowMs, judge, nonce: () => randomBytes(8) },
    refuse: (peer, judgement) =>
      refuse(peer, 'reconciled', judgement.kind === 'early' ? 'future' : judgement.code),
    peers: () => roster.connectedPeers().filter((peer) => !isIgnored(peer)),
    isIgnored,
    open: (peer, signal) => openStream(network, peerIdFromString(peer), protocol, signal),
    log,
    onLag: (peer, lag) => {
      roster.lag(peer, lag, nowMs());
      onChange();
    },
  });
  const publisher = new Publisher(
    (post) => pubsub.publish(topic, payloadOf(post)),
    (posts) => log({ kind: 'publish_overflow', posts }),
    nowMs,
  );
  const door = createDoor({
    judge,
    inbox,
    standing,
    nowMs,
    refuse,
    onLoss: (peer) => rounds.schedule(peer, rhythm.afterLossMs),
  });

  pubsub.topicValidators.set(topic, (peer, message) => door(peer.toString(), message));
  network.addEventListener('peer:disconnect', ({ detail }) => {
    const peer = detail.toString();
    roster.disconnected(peer, nowMs());
    links.disconnected(peer);
    rounds.disconnected(peer);
    log({ kind: 'disconnected', peer });
    onChange();
  });
  network.addEventListener('connection:open', ({ detail }) => {
    const peer = detail.remotePeer.toString();
    const relayed = isRelayed(detail);
    // Peers behind one relay share its address.
    if (relayed) relayHosts.add(hostOf(detail.remoteAddr));
    if (roster.isConnected(peer)) {
      onChange(); // it may be linked straight now
      return;
    }
    roster.connected(peer, detail.remoteAddr.toString(), nowMs());
    links.connected(peer);
    log({ kind: 'connected', peer, direction: detail.direction, relayed });
    onChange();
  });

  let lastTurn = nowMs();
  const guard = setInterval(() => {
    const now = nowMs();
    if (now - lastTurn > SLEPT_MS + rhythm.guardMs) links.wake();
    lastTurn = now;
    void healLinks(network, rhythm.guardAgeMs, now).then((peers) => {
      for (const peer of peers) log({ kind: 'link_healed', peer });
    });
  }, rhythm.guardMs);

  const stop = async (): Promise<void> => {
    clearInterval(guard);
    publisher.stop();
    links.stop();
    relay?.stop();
    inbox.close();
    await rounds.stop();
    await network.stop();
    reader.close();
  };

  try {
    await network.start();
  } catch (error) {
    await stop();
    throw new WatsError('setting', `this node cannot listen on ${options.listen.join(', ')}`, {
      fix: 'Change `listen` to an address of this machine with a free port, such as /ip4/127.0.0.1/tcp/0.',
      cause: error,
    });
  }
  await network.handle(protocol, (stream, connection) => rounds.serve(stream, connection), {
    maxInboundStreams: RECONCILE.streamsPerConnection,
    maxOutboundStreams: RECONCILE.streamsPerConnection,
    runOnLimitedConnection: true,
  });
  await network.register(protocol, {
    notifyOnLimitedConnection: true,
    onConnect: (peer, connection) => {
      if (connection.direction === 'outbound') rounds.connected(peer.toString());
    },
  });
  pubsub.subscribe(topic);
  rounds.start();
  links.start(linkDialler(network));

  return {
    publish: (post) => {
      if (spaceIn(post) === space) publisher.add(post);
    },
    syncNow: async (peer) => {
      const peers = peer === undefined ? roster.connectedPeers() : [peer];
      await Promise.all(peers.map((each) => rounds.run(each)));
    },
    addPeer: (address) => links.add(address),
    removePeer: (peer) => links.remove(peer),
    status: () => ({
      nodeId,
      listening: [
        ...network.getMultiaddrs().map((address) => address.toString()),
        ...(relay?.addresses() ?? []),
      ],
      peers: roster.table(nowMs()),
      relays: relay?.status() ?? [],
      serving: relay?.serving() ?? null,
    }),
    stop,
  };
}

function linkDialler(network: Network): Parameters<Links['start']>[0] {
  return {
    dial: (addresses, options) => network.dial(addresses, options),
    reach: (peer) => reachOf(network, peer),
    hangUp: (peer) => network.hangUp(peer, { signal: AbortSignal.timeout(1_000) }),
  };
}

async function hangUp(network: Network, peer: string): Promise<void> {
  for (const connection of network.getConnections(peerIdFromString(peer))) {
    connection.abort(new Error('this peer sent invalid posts'));
  }
}

/** The host at the front of an address. */
function hostOf(address: Multiaddr): string {
  return address.getComponents()[0]?.value ?? '';
}

/** The space of an own post; what can't be read is of no space. */
function spaceIn(post: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(post).toString('utf8'));
    return typeof value === 'object' && value !== null && 'space' in value ? value.space : undefined;
  } catch {
    return undefined; // no post, so it is not sent
  }
}
