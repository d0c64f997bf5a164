import { verify } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { receivedPost } from '../../src/daemon/received.ts';
import { createIntake, type Received } from '../../src/intake/index.ts';
import { openStore } from '../../src/store/index.ts';
import { encodePost, OPEN_SPACE, type Post, readPost } from '../../src/swarm/index.ts';
import type { ReceivedPost } from '../../src/sync/index.ts';
import { type Hold, openHouse, waking } from '../support/house.ts';
import { median, ms, pairsOf, round, timed, times, whole } from '../support/measure.ts';
import { type Author, author, seeded, signedPosts } from '../support/posts.ts';
import { atLeast, atMost, type Line, line, type RowRun } from '../support/row.ts';

const AUTHORS = 40;
/** Posts that replication hands over at once at most. */
const BATCH = 128;
/** The heap that the sync worker has. */
const AS_IN_THE_DAEMON = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 4 };
/** How far the index may be behind. */
const LAG_MS = 1_000;

interface Took {
  readonly ms: number;
  /** Of all threads. */
  readonly cpuMs: number;
  /** The longest that a stored post waited for the index. */
  readonly lagMs: number;
  /** How long each thing took on the thread that stores, milliseconds. */
  readonly stages: Stages;
}

interface Stages {
  /** Reading and verifying; 0 where another thread does it. */
  readonly read: number;
  readonly store: number;
  readonly judge: number;
  readonly index: number;
}

type FromVerifier =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done' }
  | { readonly kind: 'batch'; readonly posts: readonly ReceivedPost[] };

interface Sample {
  readonly posts: readonly Post[];
  readonly bytes: readonly Uint8Array[];
  readonly authors: readonly Author[];
}

export const run: RowRun = async ({ scratch, quick, say }) => {
  const rounds = quick ? 2 : 5;
  const sample = samples(quick ? 2_000 : 10_000);
  const posts = sample.posts.length;
  const size = median(sample.bytes.map(({ byteLength }) => byteLength));
  say(`${whole(posts)} posts of ${size} bytes by ${AUTHORS} authors, ${rounds} rounds`);
  const took = { bare: [] as Took[], behind: [] as Took[], inStep: [] as Took[], alone: [] as Took[] };
  for (let n = -1; n < rounds; n++) {
    const path = (name: string): string => join(scratch, `${name}-${n}.db`);
    const round = {
      bare: bareVerify(sample),
      behind: await twoThreads(sample, path('behind'), 'behind'),
      inStep: await twoThreads(sample, path('step'), 'inStep'),
      alone: oneThread(sample, path('alone')),
    };
    if (n < 0) continue;
    took.bare.push(round.bare);
    took.behind.push(round.behind);
    took.inStep.push(round.inStep);
    took.alone.push(round.alone);
  }
  const rate = (some: readonly Took[]): number => posts / (median(some.map((each) => each.ms)) / 1_000);
  const ratioTo = (some: readonly Took[], what: 'ms' | 'cpuMs'): number =>
    pairsOf(
      took.bare.map((each) => each[what]),
      some.map((each) => each[what]),
    ).ratio;
  const describe = (what: string, some: readonly Took[], least: number | null): Line => {
    const [wall, cpu] = [ratioTo(some, 'ms'), ratioTo(some, 'cpuMs')];
    return line(what, `${whole(rate(some))} posts/s`, {
      beside: `crypto.verify: ${whole(rate(took.bare))}/s`,
      ratio: wall,
      ...(least === null ? {} : atLeast(wall, least, ' ×')),
      figures: {
        postsPerSecond: round(rate(some), 0),
        verifyPerSecond: round(rate(took.bare), 0),
        cpuRatio: round(cpu),
        bytes: size,
      },
      notes: [
        `${what}: ${times(cpu)} in processor time of all threads; a post takes ${stagesOf(some, posts)}; ` +
          `a bare signature ${ms(1_000 / rate(took.bare))}`,
      ],
    });
  };
  const lag = Math.max(...took.behind.map(({ lagMs }) => lagMs));
  return [
    describe('ingest as a daemon does, index behind', took.behind, 0.7),
    line('ingest as a daemon does: longest lag of the index', `${lag.toFixed(0)} ms`, {
      ...atMost(lag, LAG_MS, ' ms'),
      figures: { lagMs: round(lag, 0) },
    }),
    describe('ingest as a daemon does, index in step', took.inStep, 0.5),
    describe('all of it in one thread, index in step', took.alone, null),
  ];
};

function samples(count: number): Sample {
  const random = seeded(1);
  const authors = Array.from({ length: AUTHORS }, () => author(random));
  const to = Math.floor(Date.now() / 1_000);
  const posts = [
    ...signedPosts(random, authors, { posts: count, authors: AUTHORS, thread: 100, from: to - 3_600, to }),
  ];
  return { posts, bytes: posts.map((post) => new Uint8Array(encodePost(post))), authors };
}

/** The limit: nothing but the signatures, with keys that were read before. */
function bareVerify({ posts, authors }: Sample): Took {
  const keys = new Map(authors.map(({ key, publicKey }) => [key, publicKey]));
  const inputs = posts.map(({ id, sig, author: by }) => ({
    id: Buffer.from(id, 'hex'),
    sig: Buffer.from(sig, 'hex'),
    key: keys.get(by)!,
  }));
  const clock = startClock();
  for (const { id, sig, key } of inputs)
    if (!verify(null, id, key, sig)) throw new Error('a signature is wrong');
  const took = clock();
  return { ...took, lagMs: 0, stages: { read: took.ms, store: 0, judge: 0, index: 0 } };
}

/**
 * Everything that happens to a received post, in the threads that it happens in: one verifies, with the sync worker's
 * own judge and inbox, and hands batches over; this one stores, judges and feeds the index.
 */
async function twoThreads({ bytes }: Sample, path: string, feeding: 'behind' | 'inStep'): Promise<Took> {
  const house = await openHouse(path, feeding);
  const verifier = new Worker(new URL('../programs/verifier.ts', import.meta.url), {
    workerData: { posts: bytes, database: path },
    resourceLimits: AS_IN_THE_DAEMON,
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof startClock>>();
  const over = Promise.withResolvers<void>();
  verifier.on('error', (error) => {
    reject(error);
    over.reject(error);
  });
  verifier.on('message', (message: FromVerifier) => {
    if (message.kind === 'ready') {
      resolve(startClock());
      verifier.postMessage('begin');
    } else if (message.kind === 'done') {
      over.resolve();
    } else {
      house
        .received(message.posts.map(receivedPost))
        .then(() => verifier.postMessage('accepted'), over.reject);
    }
  });
  const clock = await promise;
  await over.promise;
  await house.settled();
  const took = clock();
  if (house.store.posts.count() !== bytes.length) throw new Error('not every post was stored');
  const { held } = house;
  const stages = { read: 0, store: sum(held.store), judge: sum(held.judge), index: sum(held.index) };
  await house.close();
  return { ...took, lagMs: house.lagMs(), stages };
}

/** The same work, one batch after the other, in one thread: what it costs, where there is no second core to use. */
function oneThread({ bytes }: Sample, path: string): Took {
  const store = openStore(path);
  const wake = waking(store);
  const intake = createIntake({
    store,
    space: () => OPEN_SPACE,
    maxBytes: Number.MAX_SAFE_INTEGER,
    now: Date.now,
    onStored: () => {},
  });
  const stages = { read: 0, store: 0, judge: 0, index: 0 };
  const clock = startClock();
  for (let at = 0; at < bytes.length; at += BATCH) {
    const batch: Received[] = [];
    stages.read += timed(() => {
      for (const each of bytes.slice(at, at + BATCH)) batch.push({ post: readGood(each), from: 'bench' });
    });
    stages.store += timed(() => intake.received(batch));
    stages.judge += timed(wake);
    stages.index += timed(() => {
      while (store.feedSearch(BATCH)) {}
    });
  }
  const took = clock();
  if (store.posts.count() !== bytes.length) throw new Error('not every post was stored');
  store.close();
  return { ...took, lagMs: 0, stages };
}

function readGood(bytes: Uint8Array): Post {
  const read = readPost(bytes, Math.floor(Date.now() / 1_000));
  if (!read.ok) throw new Error(`a post was refused: ${read.problem.message}`);
  return read.value;
}

const sum = (holds: readonly Hold[]): number => holds.reduce((total, { ms }) => total + ms, 0);

/** Where the time of one post goes on the thread that stores, in words. */
function stagesOf(took: readonly Took[], posts: number): string {
  const each = (stage: keyof Stages): string => ms(median(took.map(({ stages }) => stages[stage])) / posts);
  const read = took.some(({ stages }) => stages.read > 0) ? `${each('read')} to read and verify, ` : '';
  return `${read}${each('store')} to store, ${each('judge')} to judge, ${each('index')} to index`;
}

/** @returns what has passed since, when it is called */
function startClock(): () => Pick<Took, 'ms' | 'cpuMs'> {
  const from = { at: performance.now(), cpu: process.cpuUsage() };
  return () => {
    const { user, system } = process.cpuUsage(from.cpu);
    return { ms: performance.now() - from.at, cpuMs: (user + system) / 1_000 };
  };
}
