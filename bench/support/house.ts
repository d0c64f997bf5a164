import { createCheckpoints } from '../../src/daemon/checkpoints.ts';
import { createFeed } from '../../src/daemon/feed.ts';
import { createIntake, type Received } from '../../src/intake/index.ts';
import { agentFacts, postFacts } from '../../src/runner/index.ts';
import { createReaderThread, openStore, type Store } from '../../src/store/index.ts';
import { OPEN_SPACE } from '../../src/swarm/index.ts';
import { judge } from '../../src/waking/index.ts';

const AGENT = 'main';
/** As the daemon has it. */
const INDEX_REST_MS = 50;
/** Posts that one waking step reads, as in the runner. */
const WAKE = 256;

/** How long one thing held the thread, milliseconds: by the clock, and the thread's own processor time in it. */
export interface Hold {
  readonly ms: number;
  readonly cpuMs: number;
}

export interface Held {
  readonly store: Hold[];
  readonly judge: Hold[];
  readonly index: Hold[];
}

/** What a daemon does on its main thread with posts that come in, put together from the same parts. */
export interface House {
  readonly store: Store;
  /** Stores a batch as the daemon does. The rest follows behind, or at once when the index is fed in step. */
  received(batch: readonly Received[]): Promise<void>;
  /** Resolves when everything that was stored is judged and in the index. */
  settled(): Promise<void>;
  readonly held: Held;
  /** The longest that a stored post waited for the index, milliseconds. */
  lagMs(): number;
  close(): Promise<void>;
}

/** An agent whose key nobody has, and what its runner asks of every post. */
export function waking(store: Store): () => number {
  const author = 'ff'.repeat(32);
  store.people.addAgent(AGENT, author);
  const settings = { author, ignoreLocal: true, allow: null, wakeMaxAgeMs: 48 * 3_600_000 };
  const filter = agentFacts(settings as Parameters<typeof agentFacts>[0], []);
  return () =>
    store.wakes.step(AGENT, WAKE, Date.now(), ({ stored, parentAuthor }) => {
      const judged = judge(postFacts(stored, parentAuthor), filter, Date.now());
      return { verdict: judged.kind, rule: judged.because.rule };
    }).read;
}

export async function openHouse(path: string, feeding: 'behind' | 'inStep'): Promise<House> {
  const store = openStore(path);
  const reader = createReaderThread({ path });
  // It starts with the first thing it is asked, and then stays: its start is no part of what is measured.
  await reader.checkpoint();
  const failures: unknown[] = [];
  const failed = (error: unknown): void => {
    failures.push(error);
    settle();
  };
  const checkpoints = createCheckpoints({ store, reader, failed });
  const held: Held = { store: [], judge: [], index: [] };
  const wakeStep = waking(store);
  /** Batches that are not in the index yet: the number of posts after each, and when it was stored. */
  const waiting: { upTo: number; at: number }[] = [];
  const count = { stored: 0, indexed: 0, judged: 0 };
  let lag = 0;
  let settle = (): void => {};

  function tell(): void {
    if (count.indexed >= count.stored && count.judged >= count.stored) settle();
  }

  /** Does a part of the work, and notes how long it held the thread. */
  function hold<T>(what: keyof Held, act: () => T): T {
    const from = { at: performance.now(), cpu: process.threadCpuUsage() };
    const result = act();
    const { user, system } = process.threadCpuUsage(from.cpu);
    held[what].push({ ms: performance.now() - from.at, cpuMs: (user + system) / 1_000 });
    return result;
  }

  function indexStep(size: number): boolean {
    const isMore = hold('index', () => store.feedSearch(size));
    count.indexed = Math.min(count.stored, count.indexed + size);
    for (let oldest = waiting[0]; oldest !== undefined && oldest.upTo <= count.indexed; oldest = waiting[0]) {
      lag = Math.max(lag, performance.now() - oldest.at);
      waiting.shift();
    }
    tell();
    return isMore;
  }

  const feed = createFeed({ step: indexStep, failed, restMs: INDEX_REST_MS });
  let isPoked = false;
  function poke(): void {
    if (isPoked) return;
    isPoked = true;
    setImmediate(() => {
      isPoked = false;
      const read = hold('judge', wakeStep);
      count.judged += read;
      if (read >= WAKE) poke();
      tell();
    });
  }

  const intake = createIntake({
    store,
    space: () => OPEN_SPACE,
    maxBytes: Number.MAX_SAFE_INTEGER,
    now: Date.now,
    onStored(stored) {
      count.stored += stored.length;
      waiting.push({ upTo: count.stored, at: performance.now() });
      poke();
      if (feeding === 'behind') feed.feed();
    },
  });

  return {
    store,
    async received(batch) {
      await checkpoints.room();
      if (feeding === 'behind') await feed.room();
      hold('store', () => intake.received(batch));
      if (feeding === 'inStep') while (indexStep(batch.length)) {}
    },
    async settled() {
      await new Promise<void>((resolve) => {
        settle = resolve;
        tell();
      });
      if (failures.length > 0) throw failures[0];
    },
    held,
    lagMs: () => lag,
    async close() {
      feed.close();
      await reader.close();
      store.close();
    },
  };
}
