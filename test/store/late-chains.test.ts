import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import type { Post } from '../../src/swarm/index.ts';
import { ANN, BOB, CAT, post, put, reply, tempFolder, tempStore } from './support.ts';

const AUTHORS = [ANN, BOB, CAT];

/** Everything about chains that a person or a rule can see. */
function seen(store: Store, posts: readonly Post[]) {
  return posts.map(({ id, root }) => {
    const stored = store.posts.byId(id);
    if (stored === null) throw new Error('a post is gone');
    const { seq, chain, thread } = stored;
    return {
      ...{ id, chain, thread },
      parentAuthor: store.wakes.candidate(stored).parentAuthor,
      turns: AUTHORS.map((author) => store.turnBefore(root ?? id, seq, author)?.author ?? null),
    };
  });
}

/** Which posts the waking step was told of, once each. */
function told(store: Store, posts: readonly Post[]): string[] {
  const judged: string[] = [];
  store.people.addAgent('main', ANN);
  for (;;) {
    const { read } = store.wakes.step('main', 50, 1, ({ stored }) => {
      judged.push(stored.post.id);
      return { verdict: 'no', rule: 'test' };
    });
    if (read === 0) break;
  }
  return judged.filter((id) => posts.some((each) => each.id === id));
}

/** A root, and replies of several authors to it and to one another. */
const family = fc
  .array(fc.tuple(fc.nat(1_000), fc.nat(2), fc.boolean()), { minLength: 12, maxLength: 60 })
  .map((plans) => {
    const posts: Post[] = [post()];
    for (const [at, author, isDirect] of plans) {
      const parent = posts[isDirect ? 0 : at % posts.length] ?? post();
      posts.push(reply(parent, { author: AUTHORS[author] ?? ANN, root: posts[0]?.id ?? '' }));
    }
    return posts;
  });

describe('replies that wait for a post', () => {
  it('are told in bounded steps, with the same end whatever comes in between and however often the store is opened again', () => {
    fc.assert(
      fc.property(
        family.chain((posts) =>
          fc.record({
            order: fc.shuffledSubarray(posts, { minLength: posts.length }),
            // After each append: how many steps of which size, and whether the store is opened anew.
            between: fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 5 }), fc.nat(9)), {
              minLength: posts.length,
              maxLength: posts.length,
            }),
          }),
        ),
        ({ order, between }) => {
          const path = join(tempFolder(), 'wats.db');
          let store = tempStore(path);
          for (const [n, one] of order.entries()) {
            put(store, one);
            const [steps, limit, again] = between[n] ?? [0, 1, 1];
            for (let step = 0; step < steps; step++) store.completeChains(limit);
            if (again !== 0) continue;
            store.close();
            store = tempStore(path);
          }
          while (store.completeChains(3).isMore);
          // The same order, where everything was told at once.
          const whole = tempStore();
          for (const one of order) {
            put(whole, one);
            while (whole.completeChains(10_000).isMore);
          }
          expect(seen(store, order)).toEqual(seen(whole, order));
          expect(seen(store, order).every(({ chain }) => chain === 'root' || chain === 'resolved')).toBe(
            true,
          );
          store.close();
          whole.close();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('cost the post that completes them no more when there are thousands', () => {
    const store = tempStore();
    const root = post();
    const replies = Array.from({ length: 3_000 }, () => reply(root, { author: BOB }));
    put(store, ...replies);
    const prototype = Object.getPrototypeOf(
      new Database(':memory:').prepare('SELECT 1'),
    ) as Database.Statement;
    const run = vi.spyOn(prototype, 'run');
    const all = vi.spyOn(prototype, 'all');
    onTestFinished(() => void vi.restoreAllMocks());
    const appended = store.append(root, 1, 'peer');
    expect(appended?.resolved.length).toBeLessThanOrEqual(10);
    expect(run.mock.calls.length).toBeLessThan(70);
    run.mockClear();
    expect(store.completeChains(100).resolved).toHaveLength(100);
    expect(run.mock.calls.length).toBeLessThan(600);
    for (const { value } of all.mock.results) expect((value as unknown[]).length).toBeLessThanOrEqual(100);
    vi.restoreAllMocks();
    while (store.completeChains(1_000).isMore);
    expect(store.posts.thread(root.id, 0, 1)).toMatchObject({ total: 3_001 });
    expect(store.completeChains(10)).toEqual({ resolved: [], isMore: false });
  });

  it('are all told, each once, when the process is killed again and again on the way', async () => {
    const path = join(tempFolder(), 'wats.db');
    const root = post();
    const middle = reply(root, { author: CAT });
    const replies = [
      ...Array.from({ length: 150 }, () => reply(root, { author: BOB })),
      middle,
      ...Array.from({ length: 150 }, () => reply(middle, { author: ANN, root: root.id })),
    ];
    const first = tempStore(path);
    first.people.addAgent('main', ANN);
    put(first, ...replies, root);
    first.close();
    for (const steps of [1, 4, 9, 2]) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'programs/completer.ts'), path], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      for (let step = 0; step < steps; step++) expect((await lines.next()).value).toBe('more');
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const store = tempStore(path);
    expect(store.completeChains(1).isMore).toBe(true);
    while (store.completeChains(20).isMore);
    expect(store.posts.thread(root.id, 0, 1)).toMatchObject({ total: 302 });
    // Each once as a new post, and once more because its chain is complete now.
    const counts = new Map<string, number>();
    for (const id of told(store, replies)) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect(counts.size).toBe(301);
    expect([...new Set(counts.values())]).toEqual([2]);
  });
});
