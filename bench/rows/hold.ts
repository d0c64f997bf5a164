import { closeSync, copyFileSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { corpus } from '../support/corpus.ts';
import { type Held, openHouse } from '../support/house.ts';
import { ms, quantile, round, whole } from '../support/measure.ts';
import { hex, seeded, unsignedPosts } from '../support/posts.ts';
import { atMost, type Line, line, type RowRun } from '../support/row.ts';

const AUTHORS = 400;
/** Posts that replication hands over at once at most. */
const BATCH = 128;
/** Nothing may hold the main thread longer, at a million posts. */
const HOLD_MS = 20;

const WHAT: Readonly<Record<keyof Held, string>> = {
  store: `storing ${BATCH} posts`,
  index: 'a step of the search index',
  judge: 'a waking step',
};

/** How long each thing that happens to received posts holds the main thread, while they come in as fast as they can. */
export const run: RowRun = async (bench) => {
  const [there, more] = bench.quick ? [20_000, 4_000] : [1_000_000, 20_000];
  const path = join(bench.scratch, 'hold.db');
  copyFileSync(await corpus(bench, there), path);
  // Or the first commit would wait for all of the copy.
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
  const random = seeded(bench.seed);
  const authors = Array.from({ length: AUTHORS }, () => hex(random, 32));
  const to = Math.floor(Date.now() / 1_000);
  const stream = { posts: more, authors: AUTHORS, thread: 100, from: to - 3_600, to };
  const posts = [...unsignedPosts(random, authors, stream)];
  const house = await openHouse(path, 'behind');
  const from = { at: performance.now(), cpu: process.cpuUsage() };
  for (let at = 0; at < posts.length; at += BATCH) {
    await house.received(posts.slice(at, at + BATCH).map((post) => ({ post, from: 'bench' })));
    await yieldToOthers();
  }
  await house.settled();
  const seconds = (performance.now() - from.at) / 1_000;
  const { user, system } = process.cpuUsage(from.cpu);
  const { held } = house;
  await house.close();
  return (Object.keys(WHAT) as (keyof Held)[]).map((what): Line => {
    const took = held[what].map(({ ms }) => ms);
    const worst = held[what].reduce((a, b) => (b.ms > a.ms ? b : a));
    const longest = worst.ms;
    const over = took.filter((each) => each > HOLD_MS).length;
    return line(`at ${whole(there)} posts: the longest of ${WHAT[what]}`, ms(longest), {
      ...atMost(longest, HOLD_MS, ' ms'),
      figures: {
        longestMs: round(longest),
        longestCpuMs: round(worst.cpuMs),
        mostCpuMs: round(Math.max(...held[what].map(({ cpuMs }) => cpuMs))),
        p99Ms: round(quantile(took, 0.99)),
        medianMs: round(quantile(took, 0.5)),
        over,
        times: took.length,
        postsPerSecond: round(more / seconds, 0),
        cpuMicrosecondsPerPost: round((user + system) / more, 1),
      },
      notes: [
        `${WHAT[what]}: median ${ms(quantile(took, 0.5))}, p99 ${ms(quantile(took, 0.99))}, ` +
          `${over} of ${whole(took.length)} over ${HOLD_MS} ms; the longest had ${ms(worst.cpuMs)} of processor time`,
        `at ${whole(there)} posts, ${whole(more)} that were verified already come in at ` +
          `${whole(more / seconds)}/s, ${ms((user + system) / 1_000 / more)} of processor time each; the index lags ${ms(house.lagMs())}`,
      ],
    });
  });
};
