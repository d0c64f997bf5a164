import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { encodePost, type Post, type PostBody, postId } from '../../src/swarm/index.ts';

export type Random = () => number;

/** The same numbers from the same seed (mulberry32): the same posts in every run. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

const WORDS = 20_000;
const SYLLABLES = [
  'ba',
  'co',
  'du',
  'fe',
  'gi',
  'lo',
  'ma',
  'ne',
  'po',
  'ri',
  'sa',
  'te',
  'vu',
  'wi',
  'zo',
  'ka',
];

/** The word of a rank, 0 being the most frequent. */
export function word(rank: number): string {
  let text = '';
  for (let rest = rank + 16; rest > 0; rest >>= 4) text += SYLLABLES[rest & 15];
  return text;
}

/** Text of so many bytes; its words are as unevenly frequent as those of a language. */
export function prose(random: Random, bytes: number): string {
  let text = '';
  while (text.length < bytes) text += `${word(Math.floor(WORDS ** random()) - 1)} `;
  return text.slice(0, bytes - 1).concat('.');
}

/** A word that somebody would search for: from common to rare, none of those in every post. */
export function searchWord(random: Random): string {
  const [from, to] = [100, WORDS];
  return word(Math.floor(from * (to / from) ** random()));
}

export const hex = (random: Random, bytes: number): string => {
  let text = '';
  while (text.length < bytes * 2)
    text += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, bytes * 2);
};

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Author {
  readonly key: string;
  readonly publicKey: KeyObject;
  sign(body: Omit<PostBody, 'author'>): Post;
}

export function author(random: Random): Author {
  const seed = Buffer.from(hex(random, 32), 'hex');
  const secret = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(secret);
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  return {
    key,
    publicKey,
    sign(rest) {
      const body: PostBody = { ...rest, author: key };
      const id = postId(body);
      return { ...body, id, sig: sign(null, Buffer.from(id, 'hex'), secret).toString('hex') };
    },
  };
}

const PROBE = {
  v: 1,
  space: 'open',
  author: '',
  ts: 1_700_000_000,
  kind: 'answer',
  title: '',
  text: '',
  tags: [],
} as const;
const BARE = encodePost({ ...PROBE, root: null, parent: null, id: '', sig: '' }).byteLength + 64 + 64 + 128;
/** Bytes of text that make a reply of 1 KB as it is on the wire. */
export const TEXT_BYTES = 1_024 - BARE - 2 * 62;

export interface Drawn extends Omit<PostBody, 'author'> {
  /** Number of the author. */
  readonly by: number;
}

export interface Stream {
  readonly posts: number;
  readonly authors: number;
  /** Posts of a thread. */
  readonly thread: number;
  /** Seconds since the epoch, of the first post and of the last. */
  readonly from: number;
  readonly to: number;
}

interface Open {
  readonly root: string;
  readonly people: readonly number[];
  last: string;
  posts: number;
}

/** Threads that people write in at the same time. */
const OPEN = 50;
const KINDS = ['answer', 'answer', 'answer', 'clarify', 'note', 'progress', 'react', 'react'];

/**
 * Posts in arrival order: asks, each with replies until its thread is full, many threads at a time; in the end all are
 * full. Half of the threads are two people taking turns, some of them long; the rest has five. `finish` makes a post of
 * what was drawn.
 */
export function* drawPosts(random: Random, stream: Stream, finish: (drawn: Drawn) => Post): Generator<Post> {
  const open: Open[] = [];
  let unopened = Math.ceil(stream.posts / stream.thread);
  for (let n = 0; n < stream.posts; n++) {
    const ts = Math.floor(stream.from + ((stream.to - stream.from) * n) / stream.posts);
    const common = { v: 1, space: 'open', ts, tags: [], text: prose(random, TEXT_BYTES) } as const;
    if (unopened > 0 && open.length < OPEN) {
      const people = somePeople(random, stream.authors);
      const ask = { ...common, kind: 'ask', root: null, parent: null, title: prose(random, 40) };
      const post = finish({ ...ask, by: people[0] ?? 0 });
      unopened -= 1;
      if (stream.thread > 1) open.push({ root: post.id, people, last: post.id, posts: 1 });
      yield post;
      continue;
    }
    const at = Math.floor(random() * open.length);
    const thread = open[at] as Open;
    const reply = { ...common, kind: pick(random, KINDS), root: thread.root, parent: thread.last, title: '' };
    const post = finish({ ...reply, by: pick(random, thread.people) });
    // Mostly a chain; now and then somebody answers the root again.
    thread.last = random() < 0.1 ? thread.root : post.id;
    thread.posts += 1;
    if (thread.posts >= stream.thread) open.splice(at, 1);
    yield post;
  }
}

function somePeople(random: Random, authors: number): number[] {
  return Array.from({ length: random() < 0.5 ? 2 : 5 }, () => Math.floor(random() * authors));
}

/** Posts with valid signatures of generated keys. */
export function* signedPosts(random: Random, authors: readonly Author[], stream: Stream): Generator<Post> {
  yield* drawPosts(random, stream, ({ by, ...body }) => (authors[by] as Author).sign(body));
}

/** Posts that nobody signed: right in everything but the signature, for stores that are filled through `append`. */
export function* unsignedPosts(random: Random, authors: readonly string[], stream: Stream): Generator<Post> {
  let n = 0;
  const salt = hex(random, 8);
  const sig = '0'.repeat(128);
  yield* drawPosts(random, stream, ({ by, ...body }) => {
    const id = createHash('sha256').update(`${salt} ${n++}`).digest('hex');
    return { ...body, author: authors[by] as string, id, sig };
  });
}
