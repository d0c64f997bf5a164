import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type Store } from '../../src/store/index.ts';
import { encodePost, OPEN_SPACE, type Post } from '../../src/swarm/index.ts';
import { type Sync, type SyncEvent, startSync } from '../../src/sync/index.ts';
import { ms, round, whole } from '../support/measure.ts';
import { author, hex, prose, seeded, TEXT_BYTES, unsignedPosts } from '../support/posts.ts';
import { until } from '../support/proc.ts';
import { atMost, type Bench, line, type RowRun } from '../support/row.ts';

const MISSING = 10;
const DAY = 86_400;
/** Reconciliation covers 400 days; whoever is at its edge is not part of this. */
const DAYS = 395;

type Reconciled = Extract<SyncEvent, { kind: 'reconciled' }>;

export const run: RowRun = async (bench) => {
  const posts = bench.quick ? 10_000 : 100_000;
  const random = seeded(bench.seed);
  const now = Math.floor(Date.now() / 1_000);
  const [fullPath, poorPath] = [join(bench.scratch, 'full.db'), join(bench.scratch, 'poor.db')];
  fill(fullPath, posts - MISSING, now);
  copyFileSync(fullPath, poorPath);
  const full = openStore(fullPath);
  bench.defer(() => full.close());
  const poor = openStore(poorPath);
  bench.defer(() => poor.close());
  const writer = author(random);
  const missing = Array.from({ length: MISSING }, () =>
    writer.sign({
      v: 1,
      space: OPEN_SPACE,
      ts: now - Math.floor(random() * DAYS * DAY),
      kind: 'answer',
      root: hex(random, 32),
      parent: hex(random, 32),
      title: '',
      text: prose(random, TEXT_BYTES),
      tags: [],
    }),
  );
  for (const post of missing) full.append(post, Date.now(), 'own');
  const bytes = missing.reduce((sum, post) => sum + encodePost(post).byteLength, 0);

  const events: Reconciled[] = [];
  const serving = await node(bench, full, fullPath, [], () => {});
  const [address] = serving.status().listening;
  if (address === undefined) throw new Error('the full node listens nowhere');
  const from = performance.now();
  await node(bench, poor, poorPath, [address], (event) => {
    if (event.kind === 'reconciled') events.push(event);
    if (event.kind === 'reconcile_failed') bench.say(`an exchange failed: ${event.reason}`);
  });
  await until(
    'the 10 posts are there',
    () =>
      missing.every(({ id }) => poor.posts.byId(id) !== null) && events.some(({ isComplete }) => isComplete),
    120_000,
  );
  const took = performance.now() - from;
  const [received, sent] = [sum(events, 'bytesIn'), sum(events, 'bytesOut')];
  const total = received + sent;
  return [
    line(
      `reconcile ${whole(posts)} posts, ${MISSING} missing: both ways`,
      `${(total / 1_000).toFixed(1)} KB`,
      {
        beside: `those posts: ${(bytes / 1_000).toFixed(1)} KB`,
        ratio: total / bytes,
        ...atMost(total / 1_000, 60, ' KB'),
        figures: {
          bytesIn: received,
          bytesOut: sent,
          postBytes: bytes,
          exchanges: events.length,
          exchangeMs: round(sum(events, 'ms'), 0),
          ms: round(took, 0),
        },
        notes: [`the exchange took ${ms(sum(events, 'ms'))}, from the start of the second node ${ms(took)}`],
      },
    ),
  ];
};

const sum = (events: readonly Reconciled[], key: 'bytesIn' | 'bytesOut' | 'ms'): number =>
  events.reduce((total, event) => total + event[key], 0);

/** Only what is missing has to be signed: the rest is never sent. */
function fill(path: string, count: number, now: number): void {
  const random = seeded(11);
  const authors = Array.from({ length: 400 }, () => hex(random, 32));
  const stream = { posts: count, authors: 400, thread: 100, from: now - DAYS * DAY, to: now - 60 };
  const store = openStore(path);
  store.atomically(() => {
    for (const post of unsignedPosts(random, authors, stream)) store.append(post, post.ts * 1_000, 'peer');
  });
  // The last to close a database puts all of it into the one file.
  store.close();
}

async function node(
  bench: Bench,
  store: Store,
  database: string,
  peers: readonly string[],
  log: (event: SyncEvent) => void,
): Promise<Sync> {
  const sync = await startSync(
    {
      nodeSeed: randomBytes(32),
      swarmKeyFile: null,
      space: OPEN_SPACE,
      listen: ['/ip4/127.0.0.1/tcp/0'],
      peers,
      allow: null,
      relay: null,
      database,
    },
    {
      log,
      accept: async (received) => {
        store.atomically(() => {
          for (const { bytes } of received)
            store.append(JSON.parse(Buffer.from(bytes).toString('utf8')) as Post, Date.now(), 'peer');
        });
        return { refused: [] };
      },
    },
  );
  bench.defer(() => sync.stop());
  return sync;
}
