import { openStore, type Store } from '../../src/store/index.ts';
import { detectLoop, type LoopVerdict } from '../../src/waking/index.ts';
import { corpus } from '../support/corpus.ts';
import { median, ms, pairsOf, quantile, round, timed, times, whole } from '../support/measure.ts';
import { type Random, seeded } from '../support/posts.ts';
import { atMost, type Line, line, type RowRun } from '../support/row.ts';

/** Picks measured one after the other before the other database has its turn. */
const BLOCK = 50;
/** Posts of a page, as the `read` and `inbox` tools ask for them by default. */
const PAGE = 22;
/** The setting `agent.loop_max_exchanges`. */
const LOOP_LIMIT = 30;
/** How far behind the newest post somebody is who looks now and then. */
const RECENT = 1_000;
/** No statement on the main thread may take longer, at a million posts. */
const STATEMENT_MS = 20;

/** Picks that are looked at again when the slowest is sought. */
const SLOW = 10;

interface Place {
  readonly thread: string;
  readonly author: string;
  /** Where the reader stood when they last looked. */
  readonly after: number;
}

interface Read {
  readonly what: string;
  readonly act: (store: Store, place: Place) => unknown;
  /** Whether it gives the same number of posts from both stores, so that the ratio has a target. */
  readonly isAlike: boolean;
  /** Which places are picked; all when it is not said. */
  readonly fits?: (store: Store, place: Place) => boolean;
}

const loopCheck = (store: Store, { thread, author }: Place): LoopVerdict =>
  detectLoop((before, other) => store.turnBefore(thread, before, other), author, LOOP_LIMIT);

const READS: readonly Read[] = [
  { what: 'thread read', isAlike: true, act: (store, { thread }) => store.posts.thread(thread, 0, PAGE) },
  {
    what: 'loop check',
    isAlike: true,
    act: loopCheck,
    // The threads that cost most: two people, more turns than the limit.
    fits: (store, place) => loopCheck(store, place).kind === 'paused',
  },
  { what: 'inbox', isAlike: true, act: (store, { author, after }) => store.posts.inbox(author, after, PAGE) },
  {
    what: 'inbox from the beginning',
    isAlike: false,
    act: (store, { author }) => store.posts.inbox(author, 0, PAGE),
  },
];

export const run: RowRun = async (bench) => {
  const sizes = bench.quick ? [20_000, 2_000] : [1_000_000, 10_000];
  const [large, small] = sizes as [number, number];
  const stores = [openStore(await corpus(bench, large)), openStore(await corpus(bench, small))] as const;
  const picks = bench.quick ? 100 : 1_000;
  const lines: Line[] = [];
  for (const read of READS) {
    const { what, isAlike } = read;
    bench.say(what);
    const [a, b] = [reader(stores[0], read, picks, bench.seed), reader(stores[1], read, picks, bench.seed)];
    // The budget keeps a slow statement from taking the whole bench; at least four blocks are measured.
    const deadline = performance.now() + 60_000;
    a.block();
    b.block();
    a.reset();
    b.reset();
    const blocks = { a: [] as number[], b: [] as number[] };
    while (a.took.length < picks && (blocks.a.length < 4 || performance.now() < deadline)) {
      blocks.a.push(a.block());
      blocks.b.push(b.block());
    }
    const { ratio } = pairsOf(blocks.a, blocks.b);
    const warm = { a: median(a.again), b: median(b.again) };
    const first = { a: median(a.took), b: median(b.took) };
    lines.push(
      line(`${what} at ${whole(large)} posts`, ms(warm.a), {
        beside: `at ${whole(small)}: ${ms(warm.b)}`,
        ratio,
        ...(isAlike ? atMost(ratio, 1.5, ' ×') : {}),
        figures: {
          ms: round(warm.a, 4),
          smallMs: round(warm.b, 4),
          firstMs: round(first.a, 4),
          smallFirstMs: round(first.b, 4),
          picks: a.took.length,
        },
        notes: [
          `${what}: the first time, with its pages in the system's cache at most, a pick takes ${ms(first.a)}, ${times(first.a / first.b)} of ${ms(first.b)}`,
        ],
      }),
    );
    const worst = a.slowest();
    lines.push(
      line(`${what}: the slowest pick`, ms(worst), {
        ...atMost(worst, STATEMENT_MS, ' ms'),
        figures: { slowestMs: round(worst, 4), p99Ms: round(quantile(a.took, 0.99), 4) },
        notes: ['the slowest pick is the best of five times, so that other work on the machine is not in it'],
      }),
    );
  }
  for (const store of stores) store.close();
  return lines;
};

/** Measures random picks of one store, a block at a time. */
function reader(store: Store, { act, fits = () => true }: Read, picks: number, seed: number) {
  const random = seeded(seed);
  const newest = store.posts.newestSeq();
  const places = Array.from({ length: picks }, () => placeIn(store, newest, random, fits));
  const took: number[] = [];
  const again: number[] = [];
  let next = 0;
  const once = (place: Place): number => timed(() => act(store, place));
  return {
    took,
    /** The same picks, each repeated at once: warm, as the target says. */
    again,
    /** Of the picks that took longest, the longest that one takes when it is repeated. */
    slowest(): number {
      const worst = [...took.keys()].sort((a, b) => (took[b] ?? 0) - (took[a] ?? 0)).slice(0, SLOW);
      const best = worst.map((n) => Math.min(...Array.from({ length: 5 }, () => once(places[n] as Place))));
      return Math.max(...best);
    },
    /** Forgets what warmed it up. */
    reset(): void {
      took.length = 0;
      again.length = 0;
      next = 0;
    },
    /** The median of the next block, warm. */
    block(): number {
      for (let n = 0; n < BLOCK; n++) {
        const place = places[next++ % picks] as Place;
        took.push(once(place));
        again.push(once(place));
      }
      return median(again.slice(-BLOCK));
    },
  };
}

/** A random post: its thread, read by somebody who takes part in it. */
function placeIn(store: Store, newest: number, random: Random, fits: NonNullable<Read['fits']>): Place {
  for (;;) {
    const stored = store.posts.bySeq(1 + Math.floor(random() * newest));
    if (stored === null || stored.thread === null) continue;
    const after = newest - Math.floor(random() * RECENT);
    const place = { thread: stored.thread, author: stored.post.author, after };
    if (fits(store, place)) return place;
  }
}
