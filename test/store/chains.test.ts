import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToDay, fingerprintOf } from '../../src/store/day-fingerprint.ts';
import { type Chain, openReader } from '../../src/store/index.ts';
import type { Post } from '../../src/swarm/index.ts';
import { ANN, BOB, CAT, hex, post, put, reply, tempFolder, tempStore } from './support.ts';

const AUTHORS = [ANN, BOB, CAT];
const SPACES = ['open', 'local'];
const DAY = 86_400;

interface Plan {
  readonly parent: number;
  readonly claim: 'right' | 'parent' | 'other' | 'nobody';
  readonly author: number;
  readonly space: number;
  readonly kind: string;
  readonly day: number;
}

/** A forest: each post hangs on an earlier one, on a post that never comes, or is a root; some claim a wrong root. */
const forest = fc
  .array(
    fc.record<Plan>({
      parent: fc.integer({ min: -3, max: 30 }),
      claim: fc.constantFrom('right', 'right', 'right', 'parent', 'other', 'nobody'),
      author: fc.nat(2),
      space: fc.constantFrom(0, 0, 0, 0, 1),
      kind: fc.constantFrom('ask', 'answer', 'note'),
      day: fc.nat(2),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((plans) => {
    const posts: Post[] = [];
    for (const [n, plan] of plans.entries()) {
      const parent = plan.parent < 0 || n === 0 ? undefined : posts[plan.parent % n];
      const lost = plan.parent === -1;
      const right = parent === undefined ? undefined : rootOf(parent, posts);
      const claims = {
        right: right ?? parent?.root ?? parent?.id,
        parent: parent?.id,
        other: posts[0]?.id,
        nobody: hex('nobody'),
      };
      posts.push(
        post({
          author: AUTHORS[plan.author]!,
          space: SPACES[plan.space]!,
          kind: plan.kind,
          ts: 20_000 * DAY + plan.day * DAY + n,
          parent: lost ? hex(`lost ${n}`) : (parent?.id ?? null),
          root: lost ? hex('nobody') : parent === undefined ? null : (claims[plan.claim] ?? parent.id),
        }),
      );
    }
    return posts;
  });

function rootOf(from: Post, posts: readonly Post[]): string | undefined {
  let at: Post | undefined = from;
  while (at !== undefined && at.parent !== null) {
    const { parent }: Post = at;
    at = posts.find(({ id }) => id === parent);
  }
  return at?.id;
}

/** What the protocol says of a post among others, by walking to its root. */
function naive(one: Post, posts: readonly Post[]): { chain: Chain; thread: string | null } {
  if (one.parent === null) return { chain: 'root', thread: one.id };
  const root = rootOf(one, posts);
  if (root === undefined) return { chain: 'unresolved', thread: null };
  const space = posts.find(({ id }) => id === root)?.space;
  return { chain: root === one.root && space === one.space ? 'resolved' : 'graft', thread: root };
}

const delivered = forest.chain((posts) =>
  fc.record({
    posts: fc.constant(posts),
    order: fc.shuffledSubarray(posts, { minLength: posts.length }),
    batch: fc.integer({ min: 1, max: 8 }),
  }),
);

describe('append', () => {
  it('ends with the same chains, threads, turns and inboxes whatever the order of arrival', () => {
    fc.assert(
      fc.property(delivered, ({ posts, order, batch }) => {
        const store = tempStore();
        const seqs = new Map<string, number>();
        for (let from = 0; from < order.length; from += batch) {
          const part = order.slice(from, from + batch);
          for (const [n, seq] of put(store, ...part).entries()) seqs.set(part[n]!.id, seq);
        }
        while (store.completeChains(7).isMore);
        const at = (id: string) => seqs.get(id) ?? 0;

        for (const one of posts) {
          expect(store.posts.byId(one.id)).toMatchObject({
            post: one,
            seq: at(one.id),
            ...naive(one, posts),
          });
          const parentAuthor = posts.find(({ id }) => id === one.parent)?.author ?? null;
          expect(store.wakes.candidate(store.posts.byId(one.id)!).parentAuthor).toBe(parentAuthor);
        }
        for (const root of posts.filter(({ parent }) => parent === null)) {
          const inThread = order.filter((one) => {
            const { chain, thread } = naive(one, posts);
            return thread === root.id && (chain === 'root' || chain === 'resolved');
          });
          const found = store.posts.thread(root.id, 0, 100);
          expect(found.posts.map((stored) => stored.post.id)).toEqual(inThread.map(({ id }) => id));
          expect(found).toMatchObject({ total: inThread.length, isMore: false });

          for (let seq = 1; seq <= order.length + 1; seq++) {
            const before = inThread.filter(({ id }) => at(id) < seq);
            for (const not of [null, ...AUTHORS]) {
              const turn = before.findLast(({ author }) => author !== not);
              expect(store.turnBefore(root.id, seq, not)).toEqual(
                turn === undefined ? null : { seq: at(turn.id), author: turn.author },
              );
            }
          }
        }
        for (const author of AUTHORS) {
          const after = Math.floor(order.length / 3);
          const inbox = order.filter((one) => {
            const parent = posts.find(({ id }) => id === one.parent);
            return (
              at(one.id) > after && one.author !== author && (one.kind === 'ask' || parent?.author === author)
            );
          });
          const found = store.posts.inbox(author, after, 5);
          expect(found.posts.map((stored) => stored.post.id)).toEqual(inbox.slice(0, 5).map(({ id }) => id));
          expect(found.total).toBe(inbox.length);
        }
        expect(store.posts.count()).toBe(posts.length);
        store.close();
      }),
      { numRuns: 60 },
    );
  });

  it('gives day fingerprints that depend on the set of posts only', () => {
    fc.assert(
      fc.property(delivered, ({ posts, order }) => {
        const path = join(tempFolder(), 'wats.db');
        const store = tempStore(path);
        // In batches of three, some of whose posts are here already, and one by one.
        for (let at = 0; at < order.length; at += 3) {
          if (at % 2 === 0) put(store, ...order.slice(at, at + 1));
          store.appendAll(order.slice(at, at + 3), 0, 'peer');
        }
        const reader = openReader(path);
        for (const space of SPACES) {
          const expected = [20_000, 20_001, 20_002].flatMap((day) => {
            const ids = posts.filter((one) => one.space === space && Math.floor(one.ts / DAY) === day);
            if (ids.length === 0) return [];
            const state = ids.reduce<Buffer | null>(
              (sum, { id }) => addToDay(sum, Buffer.from(id, 'hex')),
              null,
            );
            return [{ day, count: ids.length, fingerprint: fingerprintOf(state!) }];
          });
          expect(reader.dayFingerprints(space, 0)).toEqual(expected);
          expect(reader.dayFingerprints(space, 20_001)).toEqual(expected.filter(({ day }) => day > 20_000));
        }
        reader.close();
        store.close();
      }),
      { numRuns: 30 },
    );
  });

  it('says what a post completed, parents first, and keeps it for the waking step', () => {
    const store = tempStore();
    const root = post();
    const child = reply(root, { author: BOB });
    const grandchild = reply(child, { author: CAT });
    const [second, first] = put(store, grandchild, child);
    const appended = store.append(root, 0, 'peer');
    expect(appended).toMatchObject({ chain: 'root', resolved: [first, second] });
  });

  it('appends several posts in order, all or none, and says which were here', () => {
    const path = join(tempFolder(), 'wats.db');
    const store = tempStore(path);
    const [known, root] = [post(), post()];
    put(store, known);
    const answers = store.appendAll([known, root, reply(root), root], 0, 'peer');
    expect(answers.map((each) => each?.seq ?? null)).toEqual([null, 2, 3, null]);
    expect(answers[2]).toMatchObject({ chain: 'resolved' });
    const other = new Database(path);
    other.exec("CREATE TRIGGER no BEFORE INSERT ON days BEGIN SELECT RAISE(ABORT, 'no day'); END");
    // Alone, and as a part of what goes on without it.
    expect(() => store.appendAll([post(), post()], 0, 'peer')).toThrow('no day');
    store.atomically(() => expect(() => store.append(post(), 0, 'peer')).toThrow('no day'));
    other.close();
    expect(store.posts.count()).toBe(3);
  });

  it('takes a post once', () => {
    const store = tempStore();
    const one = post();
    put(store, one);
    expect(store.append(one, 0, 'peer')).toBeNull();
    expect(store.posts.count()).toBe(1);
  });

  it('is whole or not at all, also without a transaction of the caller', () => {
    const path = join(tempFolder(), 'wats.db');
    const store = tempStore(path);
    const other = new Database(path);
    other.exec("CREATE TRIGGER no BEFORE INSERT ON days BEGIN SELECT RAISE(ABORT, 'no day'); END");
    expect(() => store.append(post(), 0, 'peer')).toThrow('no day');
    expect(store.posts.count()).toBe(0);
    other.exec('DROP TRIGGER no');
    other.close();
    expect(put(store, post())).toEqual([1]);
  });
});
