import Database from 'better-sqlite3';
import { createReaderThread, openStore, type SearchQuery } from '../../src/store/index.ts';
import { corpus } from '../support/corpus.ts';
import { median, ms, quantile, round, timed, whole } from '../support/measure.ts';
import { searchWord, seeded } from '../support/posts.ts';
import { atMost, line, type RowRun } from '../support/row.ts';

const BLOCK = 20;
const PAGE = 20;
const asked = (text: string): SearchQuery => ({
  ...{ text, kinds: [], author: null, since: null },
  ...{ offset: 0, limit: PAGE },
});

export const run: RowRun = async (bench) => {
  const posts = bench.quick ? 20_000 : 1_000_000;
  const path = await corpus(bench, posts);
  const random = seeded(bench.seed);
  // One word or two, from common to rare.
  const queries = Array.from({ length: bench.quick ? 100 : 1_000 }, () =>
    random() < 0.5 ? searchWord(random) : `${searchWord(random)} ${searchWord(random)}`,
  );
  const store = openStore(path);
  const bare = bareSearch(path);
  const thread = createReaderThread({ path });
  bench.defer(() => thread.close());
  const took = {
    wats: [] as number[],
    bare: [] as number[],
    ids: [] as number[],
    counts: [] as number[],
    thread: [] as number[],
  };
  let slow = { ms: 0, hits: 0, text: '' };
  const searchAll = (texts: readonly string[], isWarmUp: boolean): void => {
    for (const text of texts) {
      const from = performance.now();
      const { total } = store.search(asked(text));
      const spent = performance.now() - from;
      if (!isWarmUp && spent > slow.ms) slow = { ms: spent, hits: total, text };
      took.wats.push(spent);
    }
  };
  const deadline = performance.now() + 120_000;
  for (let at = -BLOCK; at < queries.length; at += BLOCK) {
    const some = queries.slice(Math.max(0, at), Math.max(0, at) + BLOCK);
    // Whoever comes second finds pages that the first one has read: they take turns at it.
    const turns = [() => searchAll(some, at < 0), () => took.bare.push(...some.map(bare.page))];
    if ((at / BLOCK) % 2 !== 0) turns.reverse();
    for (const turn of turns) turn();
    for (const text of some) took.ids.push(bare.ids(text));
    for (const text of some) took.counts.push(bare.count(text));
    for (const text of some) {
      const from = performance.now();
      await thread.search(asked(text));
      took.thread.push(performance.now() - from);
    }
    if (at < 0) for (const list of Object.values(took)) list.length = 0;
    if (took.wats.length >= 4 * BLOCK && performance.now() > deadline) break;
  }
  store.close();
  bare.close();
  const ratio = inBothOrders(took.wats.map((each, n) => each / (took.bare[n] ?? Number.NaN)));
  return [
    line(`full-text search at ${whole(posts)} posts`, ms(median(took.wats)), {
      beside: `bare FTS5: ${ms(median(took.bare))}`,
      ratio,
      ...atMost(ratio, 1.3, ' ×'),
      figures: {
        ms: round(median(took.wats), 4),
        bareMs: round(median(took.bare), 4),
        bareIdsMs: round(median(took.ids), 4),
        bareCountMs: round(median(took.counts), 4),
        threadMs: round(median(took.thread), 4),
        queries: took.wats.length,
      },
      notes: [
        `the bare query reads ids, titles and texts of the page; ids alone take ${ms(median(took.ids))}, counting all hits ${ms(median(took.counts))}`,
        `asked of the reader thread, as a daemon does, and right after, so with its pages warm: ${ms(median(took.thread))}`,
        `the slowest search took ${ms(slow.ms)} and counted ${whole(slow.hits)} hits: "${slow.text}"`,
      ],
    }),
    line('full-text search: slow ones (p99)', ms(quantile(took.wats, 0.99)), {
      beside: `bare FTS5: ${ms(quantile(took.bare, 0.99))}`,
      figures: { p99Ms: round(quantile(took.wats, 0.99), 2), bareP99Ms: round(quantile(took.bare, 0.99), 2) },
    }),
  ];
};

/**
 * One ratio of the ratios query by query, of blocks in either order: the geometric mean of both medians. Coming second
 * is worth up to a third of the time, and so falls on both alike.
 */
function inBothOrders(ratios: readonly number[]): number {
  const ofOrder = (order: number): number =>
    median(ratios.filter((_, n) => Math.floor(n / BLOCK) % 2 === order));
  return Math.sqrt(ofOrder(0) * ofOrder(1));
}

/** FTS5 alone: the newest page, its ids only, the number of all hits. Milliseconds. */
function bareSearch(path: string) {
  const db = new Database(path, { readonly: true });
  db.pragma('cache_size = -16000');
  const matching = 'FROM posts_fts WHERE posts_fts MATCH ?';
  const page = db.prepare(`SELECT rowid, title, text ${matching} ORDER BY rowid DESC LIMIT ${PAGE}`);
  const ids = db.prepare(`SELECT rowid ${matching} ORDER BY rowid DESC LIMIT ${PAGE}`);
  const count = db.prepare(`SELECT count(*) ${matching}`);
  const quoted = (text: string): string =>
    text
      .split(' ')
      .map((each) => `"${each}"`)
      .join(' ');
  const clock = (statement: Database.Statement) => (text: string) => timed(() => statement.all(quoted(text)));
  return { page: clock(page), ids: clock(ids), count: clock(count), close: () => db.close() };
}
