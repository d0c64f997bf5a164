import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../config/index.ts';
import { WatsError } from '../errors/index.ts';
import type { Received } from '../intake/index.ts';
import type { Places } from '../paths/index.ts';
import type { Store } from '../store/index.ts';
import { encodePost, LIMITS, LOCAL_SPACE, OPEN_SPACE, type Post } from '../swarm/index.ts';
import {
  decodeInvite,
  encodeInvite,
  formatSwarmKey,
  newSwarmKey,
  nodeIdOf,
  type PeerAddress,
  parsePeerAddress,
  type ReceivedPost,
  type Sync,
  type SyncEvent,
  type SyncStatus,
  startSync,
} from '../sync/index.ts';
import type { ClockOffset } from './clock-offset.ts';
import type { Log, LogFields } from './log.ts';
import { receivedPost } from './received.ts';
import { readSwarmKey, spaceOf, writeSwarmKey } from './swarm-key-file.ts';

const LOOPBACK_ANY = '/ip4/127.0.0.1/tcp/0';
/** An invite has 16 addresses at most; so many of them are kept for those through relays. */
const INVITE = { addresses: 16, relayed: 4 };
/** How long an invite waits for the seeds to say whether this node may be reached through them. */
const RELAY_PATIENCE_MS = 5_000;
/** Facts of the node that outlive a daemon: that an invite was given, and the port that it names. */
const META = { invited: 'sync.invited', listen: 'sync.listen' };

export interface SwarmOptions {
  readonly store: Store;
  readonly nodeSeed: Uint8Array;
  readonly places: Pick<Places, 'swarmKey' | 'database'>;
  readonly settings: Pick<Settings, 'infra' | 'seeds' | 'relay.serve' | 'swarm' | 'listen' | 'peers.allow'>;
  readonly log: Log;
  readonly now: () => number;
  /** Hands received posts to intake. @throws WatsError `storage` */
  readonly received: (batch: readonly Received[]) => Promise<readonly string[]>;
  /** Hears of the times of live posts. */
  readonly clock: Pick<ClockOffset, 'hear'>;
  readonly onChange: () => void;
}

/** The node's part in its swarm: which one it is, who its peers are, and the link to them while there are any. */
export interface SwarmLink {
  /** `open`, or the hash of the private swarm's key. */
  space(): string;
  readonly nodeId: string;
  status(): SyncStatus | null;
  /** Sends an own post to the peers; a local one stays. */
  publish(post: Post): void;
  /** Starts the link when there is somebody to talk to. */
  start(): Promise<void>;
  /** @param open do not make a private swarm when there is none. @returns the one line for the other node */
  invite(open: boolean): Promise<string>;
  /** @throws WatsError `invite`, `usage` */
  join(line: string): Promise<{ readonly peers: readonly string[] }>;
  add(address: string): Promise<void>;
  remove(peer: string): Promise<boolean>;
  stop(): Promise<void>;
}

export function createSwarmLink(options: SwarmOptions): SwarmLink {
  const { store, log, now } = options;
  const nodeId = nodeIdOf(options.nodeSeed);
  let key = readSwarmKey(options.places.swarmKey);
  let sync: Sync | null = null;

  const space = (): string => spaceOf(key);
  const seeds = seedsOf(options.settings).filter(({ peerId }) => peerId !== nodeId);
  const usesRelays = options.settings.infra === 'default';

  /**
   * Addresses to listen on: as set, else on the port it had before: all interfaces with infra = "default", else loopback
   * once there is somebody to listen for.
   */
  function listenOn(): readonly string[] {
    if (options.settings.listen !== null) return options.settings.listen;
    if (usesRelays)
      return [(store.people.meta(META.listen) ?? LOOPBACK_ANY).replace(/^\/ip4\/[^/]+/, '/ip4/0.0.0.0')];
    if (store.people.meta(META.invited) === null && toDial().length === 0) return [];
    return [store.people.meta(META.listen) ?? LOOPBACK_ANY];
  }

  /** The peers that a person named, and the seeds: nobody else is ever dialled. */
  function toDial(): readonly string[] {
    return [
      ...new Set([...seeds.map(({ text }) => text), ...store.people.peers().map((peer) => peer.address)]),
    ];
  }

  async function start(): Promise<void> {
    refuseOtherSwarm(options.settings.swarm, space());
    const listen = listenOn();
    const peers = toDial();
    if (listen.length === 0 && peers.length === 0) return;
    const started = await startSync(
      {
        nodeSeed: options.nodeSeed,
        swarmKeyFile: key === null ? null : formatSwarmKey(key),
        space: space(),
        listen,
        peers,
        allow: options.settings['peers.allow'],
        relay: usesRelays
          ? { seeds: seeds.map(({ text }) => text), serves: options.settings['relay.serve'] }
          : null,
        database: options.places.database,
      },
      { accept, log: noticed },
    );
    sync = started;
    started.onChange(() => {
      for (const peer of started.status().peers)
        if (peer.state === 'connected') store.people.seePeer(peer.id, now());
      options.onChange();
    });
    keepPort(started.status().listening);
    options.onChange();
  }

  /** The port that the system chose is kept, so that an invite stays good after a restart. */
  function keepPort(listening: readonly string[]): void {
    const port = /^\/ip4\/[^/]+\/tcp\/(\d+)\/p2p\/[^/]+$/.exec(listening[0] ?? '')?.[1];
    if (options.settings.listen === null && port !== undefined)
      store.people.setMeta(META.listen, `/ip4/127.0.0.1/tcp/${port}`);
  }

  async function accept(posts: readonly ReceivedPost[]): Promise<{ readonly refused: readonly string[] }> {
    const batch = posts.map(receivedPost);
    // Reconciled posts may be old; one that gossip brought was signed just now.
    batch.forEach(({ post }, i) => {
      if (posts[i]?.via === 'gossip') options.clock.hear(post.author, post.ts * 1000);
    });
    return { refused: await options.received(batch) };
  }

  function noticed(event: SyncEvent): void {
    logSync(log, event);
    // Refused for lying too far ahead: then it is the peer that tells its clock, by at least so much.
    if (event.kind === 'post_refused' && event.code === 'future' && event.via === 'gossip')
      options.clock.hear(`peer ${event.peer}`, now() + (LIMITS.aheadSeconds + 1) * 1000);
  }

  /** What an invite names: the addresses of this node, and those through seeds once each seed has said what it is. */
  async function invited(): Promise<readonly string[]> {
    const isPending = (): boolean =>
      sync?.status().relays.some(({ seed, state }) => state === 'waiting' && isLinked(seed)) ?? false;
    const isLinked = (seed: string): boolean =>
      sync?.status().peers.some(({ id, state }) => id === seed && state !== 'unreachable') ?? false;
    for (let waitedMs = 0; isPending() && waitedMs < RELAY_PATIENCE_MS; waitedMs += 100) await sleep(100);
    const all = sync?.status().listening ?? [];
    const relayed = all.filter((address) => parsePeerAddress(address).relay !== null);
    const straight = all.filter((address) => !relayed.includes(address));
    const room = INVITE.addresses - Math.min(relayed.length, INVITE.relayed);
    return [...straight.slice(0, room), ...relayed].slice(0, INVITE.addresses);
  }

  async function restart(): Promise<void> {
    await sync?.stop();
    sync = null;
    await start();
  }

  return {
    space,
    nodeId,
    status: () => sync?.status() ?? null,
    publish(post) {
      if (post.space !== LOCAL_SPACE) sync?.publish(encodePost(post));
    },
    start,

    async invite(open) {
      const made = key === null && !open;
      if (made && seeds.length > 0) {
        throw new WatsError('usage', 'a key made here would part this node from its seeds', {
          fix: 'run "wats peer invite" on a seed and join here with what it prints; or stay in the open swarm with --open',
        });
      }
      if (made) {
        key = newSwarmKey();
        writeSwarmKey(options.places.swarmKey, key);
        log.write('info', 'swarm_key_made');
      }
      store.people.setMeta(META.invited, '1');
      if (sync === null || made || sync.status().listening.length === 0) await restart();
      const addresses = await invited();
      if (addresses.length === 0) {
        throw new WatsError('failed', 'this node listens nowhere', {
          fix:
            seeds.length > 0
              ? 'set listen to an address that the other node can reach; "wats status" says why no seed relays for it'
              : 'set listen to an address that the other node can reach',
        });
      }
      return encodeInvite({ addresses, swarmKey: key });
    },

    async join(line) {
      const invite = decodeInvite(line);
      const peers = invite.addresses.map((address) => parsePeerAddress(address));
      if (peers.some(({ peerId }) => peerId === nodeId)) {
        throw new WatsError('invite', 'this invite is from this node itself', {
          fix: 'give it to another node',
        });
      }
      refuseRelayOnly(peers, usesRelays);
      const same =
        key === null
          ? invite.swarmKey === null
          : invite.swarmKey !== null && Buffer.from(key).equals(invite.swarmKey);
      if (key !== null && !same) {
        throw new WatsError('invite', 'this node is in another private swarm already', {
          fix: 'join with a node of its own: another data directory with --dir',
        });
      }
      if (!same && invite.swarmKey !== null) {
        key = invite.swarmKey;
        writeSwarmKey(options.places.swarmKey, key);
      }
      for (const { text, peerId } of peers) store.people.addPeer(text, peerId, now());
      await restart();
      return { peers: [...new Set(peers.map(({ peerId }) => peerId))] };
    },

    async add(address) {
      const named = parsePeerAddress(address);
      const { text, peerId } = named;
      refuseRelayOnly([named], usesRelays);
      if (peerId === nodeId) throw new WatsError('usage', 'this is the address of this node itself');
      store.people.addPeer(text, peerId, now());
      if (sync === null) await start();
      else await sync.addPeer(text);
    },

    async remove(peer) {
      if (seeds.some(({ peerId }) => peerId === peer))
        throw new WatsError('usage', 'this peer is one of your seeds', {
          fix: 'take it out of seeds with "wats config set seeds …", and restart the daemon',
        });
      const removed = store.people.removePeer(peer);
      await sync?.removePeer(peer);
      return removed;
    },

    async stop() {
      await sync?.stop();
      sync = null;
    },
  };
}

/**
 * The seeds that are in use: with `infra = "none"` there are none, whatever is listed. Several nodes may share a list
 * in which one of them stands itself.
 *
 * @throws WatsError `setting` for a seed that is no whole address
 */
function seedsOf({ infra, seeds }: Pick<Settings, 'infra' | 'seeds'>): readonly PeerAddress[] {
  if (infra !== 'default') return [];
  return seeds.map((seed) => {
    try {
      const address = parsePeerAddress(seed);
      if (address.relay !== null)
        throw new WatsError('usage', 'a seed is dialled straight, not through a relay');
      return address;
    } catch (cause) {
      throw new WatsError('setting', `seeds: ${JSON.stringify(seed)}: ${(cause as Error).message}`, {
        fix: 'a seed is a whole address with the node’s id: /ip4/192.0.2.1/tcp/4001/p2p/12D3KooW…',
        cause,
      });
    }
  });
}

/** @throws WatsError `setting` when all addresses lead through a relay, and this node uses none */
function refuseRelayOnly(addresses: readonly PeerAddress[], usesRelays: boolean): void {
  const [first] = addresses;
  if (usesRelays || first === undefined || !addresses.every(({ relay }) => relay !== null)) return;
  throw new WatsError('setting', 'that node is reached through a relay only, and infra = "none" uses none', {
    fix: `set seeds = ["${first.relay?.text}"] and infra = "default" with "wats config set", restart the daemon, then try again`,
  });
}

/** @throws WatsError `setting` when the directory is in another swarm than the setting names */
function refuseOtherSwarm(named: string, space: string): void {
  if (named === OPEN_SPACE || named === space) return;
  throw new WatsError(
    'setting',
    `swarm names the private swarm ${named.slice(0, 15)}, but this node is in ${space === OPEN_SPACE ? 'the open one' : `the private swarm ${space.slice(0, 15)}`}`,
    { fix: 'unset swarm, join with "wats peer join INVITE", then set it again; or give another --dir' },
  );
}

const NOISY = new Set<SyncEvent['kind']>(['reconciled', 'publish_overflow']);
const BAD = new Set<SyncEvent['kind']>(['post_refused', 'peer_ignored', 'accept_failed', 'worker_failed']);

/** What the link says, for the log: kinds, ids and numbers. Reasons were made visible and cut by sync. */
function logSync(log: Log, event: SyncEvent): void {
  const { kind, ...rest } = event;
  const level = NOISY.has(kind) ? 'debug' : BAD.has(kind) ? 'warn' : 'info';
  log.write(level, `peer_${kind}`.replace(/^peer_(peer|relay)_/, '$1_'), rest as LogFields);
}
