import { verify } from 'node:crypto';
import { join } from 'node:path';
import { createIntake, type Received } from '../../src/intake/index.ts';
import { agentFacts, postFacts } from '../../src/runner/index.ts';
import { openStore } from '../../src/store/index.ts';
import { encodePost, OPEN_SPACE, type Post, readPost } from '../../src/swarm/index.ts';
import { judge } from '../../src/waking/index.ts';
import { median, ms, pairsOf, round, timed, times, whole } from '../support/measure.ts';
import { type Author, author, seeded, signedPosts } from '../support/posts.ts';
import { atLeast, atMost, line, type RowRun } from '../support/row.ts';

const AUTHORS = 40;
/** Posts that replication hands over at once at most. */
const BATCH = 256;
/** Posts that one step of the search index takes when it follows every batch, and when it comes behind. */
const FEED = { inStep: BATCH, behind: 2_000 };
/** How far the index may be behind. */
const LAG_MS = 1_000;
/** Posts that one waking step reads. */
const WAKE = 256;
const AGENT = 'main';

interface Took {
  readonly ms: number;
  readonly cpuMs: number;
  /** The longest that a stored post waited for the index. */
  readonly lagMs: number;
  /** Where the time went, milliseconds. */
  readonly stages: Stages;
}

interface Stages {
  read: number;
  store: number;
  judge: number;
  index: number;
}

interface Sample {
  readonly posts: readonly Post[];
  readonly bytes: readonly Uint8Array[];
  readonly authors: readonly Author[];
}

export const run: RowRun = async ({ scratch, quick, say }) => {
  const rounds = quick ? 2 : 5;
  const sample = samples(quick ? 2_000 : 10_000);
  const size = median(sample.bytes.map(({ byteLength }) => byteLength));
  say(`${whole(sample.posts.length)} posts of ${size} bytes by ${AUTHORS} authors, ${rounds} rounds`);
  const bare: Took[] = [];
  const behind: Took[] = [];
  const inStep: Took[] = [];
  for (let n = -1; n < rounds; n++) {
    const took = [
      bareVerify(sample),
      ingest(sample, join(scratch, `behind-${n}.db`), 'behind'),
      ingest(sample, join(scratch, `step-${n}.db`), 'inStep'),
    ] as const;
    if (n < 0) continue;
    bare.push(took[0]);
    behind.push(took[1]);
    inStep.push(took[2]);
  }
  const rate = (took: readonly Took[]): number =>
    sample.posts.length / (median(took.map(({ ms }) => ms)) / 1_000);
  const describe = (what: string, took: readonly Took[], least: number) => {
    const wall = pairsOf(
      bare.map(({ ms }) => ms),
      took.map(({ ms }) => ms),
    );
    const cpu = pairsOf(
      bare.map(({ cpuMs }) => cpuMs),
      took.map(({ cpuMs }) => cpuMs),
    );
    return line(what, `${whole(rate(took))} posts/s`, {
      beside: `crypto.verify: ${whole(rate(bare))}/s`,
      ratio: wall.ratio,
      ...atLeast(wall.ratio, least, ' ×'),
      figures: {
        postsPerSecond: round(rate(took), 0),
        verifyPerSecond: round(rate(bare), 0),
        cpuRatio: round(cpu.ratio),
        bytes: size,
      },
      notes: [
        `${what}: ${times(cpu.ratio)} in processor time; a post takes ${stagesOf(took, sample.posts.length)}; ` +
          `a bare signature ${ms(1_000 / rate(bare))}`,
      ],
    });
  };
  const lag = Math.max(...behind.map(({ lagMs }) => lagMs));
  return [
    describe('ingest, index behind', behind, 0.7),
    line('ingest, index behind: longest lag', `${lag.toFixed(0)} ms`, {
      ...atMost(lag, LAG_MS, ' ms'),
      figures: { lagMs: round(lag, 0) },
    }),
    describe('ingest, index in step', inStep, 0.5),
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
  const took = clocked(() => {
    for (const { id, sig, key } of inputs)
      if (!verify(null, id, key, sig)) throw new Error('a signature is wrong');
  });
  return { ...took, lagMs: 0, stages: { read: took.ms, store: 0, judge: 0, index: 0 } };
}

/** Everything that happens to a received post, one batch after the other, in one thread. */
function ingest({ bytes }: Sample, path: string, feeding: 'behind' | 'inStep'): Took {
  const store = openStore(path);
  const agent = 'ff'.repeat(32);
  store.people.addAgent(AGENT, agent);
  const filter = agentFacts(
    { author: agent, ignoreLocal: true, allow: null, wakeMaxAgeMs: 48 * 3_600_000 } as Parameters<
      typeof agentFacts
    >[0],
    [],
  );
  const intake = createIntake({
    store,
    space: () => OPEN_SPACE,
    maxBytes: Number.MAX_SAFE_INTEGER,
    now: Date.now,
    onStored: () => {},
  });
  const wake = (): void => {
    const step = store.wakes.step(AGENT, WAKE, Date.now(), ({ stored, parentAuthor }) => {
      const judged = judge(postFacts(stored, parentAuthor), filter, Date.now());
      return { verdict: judged.kind, rule: judged.because.rule };
    });
    if (step.read === WAKE) wake();
  };
  let waitsSince: number | null = null;
  let lagMs = 0;
  const feed = (limit: number): void => {
    stages.index += timed(() => {
      while (store.feedSearch(limit)) {}
    });
    lagMs = Math.max(lagMs, waitsSince === null ? 0 : performance.now() - waitsSince);
    waitsSince = null;
  };
  const stages: Stages = { read: 0, store: 0, judge: 0, index: 0 };
  const took = clocked(() => {
    for (let at = 0; at < bytes.length; at += BATCH) {
      const batch: Received[] = [];
      stages.read += timed(() => {
        for (const each of bytes.slice(at, at + BATCH)) batch.push({ post: readGood(each), from: 'bench' });
      });
      stages.store += timed(() => intake.received(batch));
      waitsSince ??= performance.now();
      stages.judge += timed(wake);
      if (feeding === 'inStep') feed(FEED.inStep);
      // Half of the lag that is allowed, so that feeding itself ends in time.
      else if (performance.now() - waitsSince > LAG_MS / 2) feed(FEED.behind);
    }
    feed(FEED.behind);
  });
  if (store.posts.count() !== bytes.length) throw new Error('not every post was stored');
  store.close();
  return { ...took, lagMs, stages };
}

function readGood(bytes: Uint8Array): Post {
  const read = readPost(bytes, Math.floor(Date.now() / 1_000));
  if (!read.ok) throw new Error(`a post was refused: ${read.problem.message}`);
  return read.value;
}

/** Where the time of one post goes, in words. */
function stagesOf(took: readonly Took[], posts: number): string {
  const each = (stage: keyof Stages): string => ms(median(took.map(({ stages }) => stages[stage])) / posts);
  return `${each('read')} to read and verify, ${each('store')} to store, ${each('judge')} to judge, ${each('index')} to index`;
}

function clocked(act: () => void): Pick<Took, 'ms' | 'cpuMs'> {
  const from = { at: performance.now(), cpu: process.cpuUsage() };
  act();
  const { user, system } = process.cpuUsage(from.cpu);
  return { ms: performance.now() - from.at, cpuMs: (user + system) / 1_000 };
}
