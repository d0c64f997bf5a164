import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addToDay, fingerprintOf } from '../../src/store/day-fingerprint.ts';
import { encodePost, type Post, type PostBody, postId } from '../../src/swarm/index.ts';
import type { ReceivedPost, StoreReader, SyncEvent, SyncOptions } from '../../src/sync/contract.ts';
import { type Engine, startEngine } from '../../src/sync/engine/engine.ts';
import type { RelayLimits, Rhythm } from '../../src/sync/engine/limits.ts';

export const DAY = 86_400;

/** An author that signs posts, with keys of its own. */
export class Author {
  readonly #key: KeyObject;
  readonly id: string;
  #count = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.#key = privateKey;
    this.id = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  }

  post(change: Partial<PostBody> = {}): Post {
    this.#count += 1;
    const body: PostBody = {
      v: 1,
      space: 'open',
      author: this.id,
      ts: Math.floor(Date.now() / 1000),
      kind: 'note',
      root: null,
      parent: null,
      title: '',
      text: `post ${this.#count}`,
      tags: [],
      ...change,
    };
    const id = postId(body);
    return { ...body, id, sig: sign(null, Buffer.from(id, 'hex'), this.#key).toString('hex') };
  }
}

/** A store in memory: what the engine reads, and what it hands over. */
export class MemoryStore {
  readonly posts = new Map<string, { ts: number; space: string; bytes: Uint8Array }>();
  readonly received: ReceivedPost[] = [];
  readonly batches: number[] = [];
  /** What `accept` waits for before it stores. */
  gate: Promise<void> = Promise.resolve();
  /** Ids that it refuses. */
  refuses: (id: string) => boolean = () => false;

  put(post: Post): void {
    this.posts.set(post.id, { ts: post.ts, space: post.space, bytes: new Uint8Array(encodePost(post)) });
  }

  accept = async (posts: readonly ReceivedPost[]): Promise<{ refused: string[] }> => {
    await this.gate;
    this.batches.push(posts.length);
    const refused: string[] = [];
    for (const each of posts) {
      if (this.refuses(each.id)) {
        refused.push(each.id);
        continue;
      }
      this.received.push(each);
      this.put(JSON.parse(Buffer.from(each.bytes).toString()) as Post);
    }
    return { refused };
  };

  ids(): string[] {
    return [...this.posts.keys()].sort();
  }

  reader(): StoreReader {
    // Posts only ever come, so their number says whether the order is still the one of last time.
    let sorted: { ts: number; id: Uint8Array; space: string }[] = [];
    const counted = new Set<string>();
    const days = new Map<string, { count: number; state: Uint8Array }>();
    const inOrder = (space: string) => {
      if (sorted.length !== this.posts.size) {
        sorted = [...this.posts]
          .map(([id, post]) => ({ ...post, id: new Uint8Array(Buffer.from(id, 'hex')) }))
          .sort((a, b) => a.ts - b.ts || Buffer.compare(a.id, b.id));
      }
      return sorted.filter((row) => row.space === space);
    };
    return {
      has: (id) => this.posts.has(id),
      bytes: (id) => this.posts.get(id)?.bytes ?? null,
      ids: (space, since, until) => inOrder(space).filter(({ ts }) => ts >= since && ts < until),
      dayFingerprints: (space, sinceDay) => {
        for (const { ts, id } of inOrder(space)) {
          const key = Buffer.from(id).toString('hex');
          if (counted.has(key)) continue;
          counted.add(key);
          const name = `${space} ${Math.floor(ts / DAY)}`;
          const known = days.get(name);
          days.set(name, { count: (known?.count ?? 0) + 1, state: addToDay(known?.state ?? null, id) });
        }
        return [...days]
          .map(([name, { count, state }]) => ({ name: name.split(' '), count, state }))
          .filter(({ name }) => name[0] === space && Number(name[1]) >= sinceDay)
          .map(({ name, count, state }) => ({
            day: Number(name[1]),
            count,
            fingerprint: fingerprintOf(state),
          }))
          .sort((a, b) => a.day - b.day);
      },
      close: () => {},
    };
  }
}

export interface Node {
  readonly engine: Engine;
  readonly store: MemoryStore;
  readonly events: SyncEvent[];
  readonly id: string;
  /** The address that others dial. */
  readonly address: string;
}

const running = new Set<Engine>();

export async function startNode(
  change: Partial<SyncOptions> & {
    store?: MemoryStore;
    rhythm?: Partial<Rhythm>;
    relayLimits?: Partial<RelayLimits>;
    nowMs?: () => number;
  } = {},
): Promise<Node> {
  const { store = new MemoryStore(), rhythm, relayLimits, nowMs, ...options } = change;
  const events: SyncEvent[] = [];
  const engine = await startEngine(
    {
      nodeSeed: randomBytes(32),
      swarmKeyFile: null,
      space: 'open',
      listen: ['/ip4/127.0.0.1/tcp/0'],
      peers: [],
      allow: null,
      relay: null,
      database: '',
      ...options,
    },
    {
      accept: store.accept,
      log: (event) => events.push(event),
      reader: store.reader(),
      onChange: () => {},
      ...(rhythm ? { rhythm } : {}),
      ...(relayLimits ? { relayLimits } : {}),
      ...(nowMs ? { nowMs } : {}),
    },
  );
  running.add(engine);
  const status = engine.status();
  return { engine, store, events, id: status.nodeId, address: status.listening[0] ?? '' };
}

export async function stopNode(node: Node): Promise<void> {
  running.delete(node.engine);
  await node.engine.stop();
}

/** Every node that a test left running. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((engine) => engine.stop()));
  running.clear();
}

/** An own post: stored first, then published, as the daemon does. */
export function publish(node: Node, post: Post): Post {
  node.store.put(post);
  node.engine.publish(encodePost(post));
  return post;
}

export function stateOf(node: Node, peer: Node | string): string | undefined {
  const id = typeof peer === 'string' ? peer : peer.id;
  return node.engine.status().peers.find((each) => each.id === id)?.state;
}

/** Waits for a condition, and says which one when it doesn't come. */
export async function until(what: string, condition: () => boolean, timeoutMs = 20_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`it did not happen in ${timeoutMs} ms: ${what}`);
    await sleep(10);
  }
}

/** Waits until two nodes are linked and gossip would reach both ways. */
export async function linked(...nodes: Node[]): Promise<void> {
  for (const node of nodes) {
    await until(`${node.id} has a link`, () =>
      node.engine.status().peers.some((p) => p.state === 'connected'),
    );
  }
}

export function publicKeyOfSeed(seed: Uint8Array): Buffer {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return key.export({ format: 'der', type: 'spki' }).subarray(-32);
}
