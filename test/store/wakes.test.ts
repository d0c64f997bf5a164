import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate, Judged, Store } from '../../src/store/index.ts';
import { ANN, BOB, hex, NOW, post, put, reply, tempStore } from './support.ts';

const AGENT = hex('agent');

/** A rule of the kind that waking has: unresolved waits, a graft is nothing, asks wake. */
const judge = ({ stored }: Candidate): Judged => {
  if (stored.chain === 'unresolved') return { verdict: 'later', rule: 'chain' };
  if (stored.chain === 'graft') return { verdict: 'no', rule: 'chain' };
  return stored.post.kind === 'ask' ? { verdict: 'wake', rule: 'ask' } : { verdict: 'no', rule: 'otherwise' };
};

function withAgent(): Store {
  const store = tempStore();
  store.people.addAgent('main', AGENT);
  return store;
}
const woken = (store: Store) =>
  store.wakes.load(store.wakes.queued('main', 100).map(({ id }) => id)).map(({ post: one }) => one?.post.id);

describe('the waking step', () => {
  it('wakes for each post once, and leaves its cursor behind it', () => {
    const store = withAgent();
    const [first, second] = [post(), post()];
    put(store, first, second, post({ kind: 'note' }));
    expect(store.wakes.step('main', 2, NOW, judge)).toMatchObject({ read: 2 });
    expect(store.wakes.step('main', 2, NOW, judge)).toMatchObject({ read: 1, woken: [] });
    expect(store.wakes.step('main', 2, NOW, judge)).toMatchObject({ read: 0 });
    expect(woken(store)).toEqual([first.id, second.id]);
    expect(store.wakes.queued('main', 9)).toMatchObject([
      {
        cause: 'post',
        author: ANN,
        thread: first.id,
        session: `thread:${first.id}`,
        tries: 0,
        queuedAt: NOW,
      },
      { thread: second.id },
    ]);
  });

  it('is repeated whole after a rule failed in the middle: no wake is lost, none comes twice', () => {
    const store = withAgent();
    const posts = [post(), post(), post()];
    put(store, ...posts);
    let asked = 0;
    const faulty = (candidate: Candidate): Judged => {
      asked += 1;
      if (asked === 2) throw new Error('a faulty rule');
      return judge(candidate);
    };
    expect(() => store.wakes.step('main', 10, NOW, faulty)).toThrow('a faulty rule');
    expect(store.wakes.queuedCount('main')).toBe(0);
    expect(store.wakes.history('main', 1)).toEqual({ verdict: null, wake: null });
    store.wakes.step('main', 10, NOW, judge);
    expect(woken(store)).toEqual(posts.map(({ id }) => id));
  });

  it('judges a late reply once, when its chain is complete', () => {
    const store = withAgent();
    const root = post({ kind: 'note' });
    const missing = reply(root, { kind: 'note' });
    const late = reply(missing, { kind: 'ask', author: BOB });
    put(store, root, late);
    store.wakes.step('main', 10, NOW, judge);
    expect(store.wakes.history('main', 2).verdict).toMatchObject({ verdict: 'later', rule: 'chain' });
    put(store, missing);
    expect(store.wakes.step('main', 10, NOW + 1, judge).woken.map(({ post: one }) => one.id)).toEqual([
      late.id,
    ]);
    expect(store.wakes.history('main', 2).verdict).toEqual({ verdict: 'wake', rule: 'ask', at: NOW + 1 });
    expect(store.wakes.step('main', 10, NOW + 2, judge).read).toBe(0);
    expect(woken(store)).toEqual([late.id]);
  });

  it('does not judge again what was decided, when its chain completes', () => {
    const store = withAgent();
    const root = post({ kind: 'note' });
    const missing = reply(root, { kind: 'note' });
    put(store, root, reply(missing, { kind: 'ask' }));
    store.wakes.step('main', 10, NOW, () => ({ verdict: 'no', rule: 'allow' }));
    put(store, missing);
    expect(store.wakes.step('main', 10, NOW + 1, judge).woken).toEqual([]);
    expect(store.wakes.history('main', 2)).toEqual({
      verdict: { verdict: 'no', rule: 'allow', at: NOW },
      wake: null,
    });
  });

  it('wakes for no post that was here before the agent, not even when its chain completes', () => {
    const store = tempStore();
    const root = post({ kind: 'note' });
    const missing = reply(root, { kind: 'note' });
    put(store, root, post(), reply(missing, { kind: 'ask' }));
    store.people.addAgent('main', AGENT);
    put(store, missing);
    expect(store.wakes.step('main', 10, NOW, judge).woken).toEqual([]);
    put(store, post());
    expect(store.wakes.step('main', 10, NOW, judge).woken).toHaveLength(1);
    // The same agent again, under another author: its cursor stays.
    store.people.addAgent('main', BOB);
    expect(store.wakes.step('main', 10, NOW, judge).read).toBe(0);
  });

  it('wakes for the same posts whatever the order of arrival and the size of its steps', () => {
    const made = () => {
      const root = post();
      const first = reply(root, { kind: 'ask' });
      const second = reply(first, { kind: 'ask' });
      const graft = reply(root, { kind: 'ask', root: hex('elsewhere') });
      return [
        root,
        first,
        second,
        graft,
        reply(graft, { kind: 'ask', root: root.id }),
        post({ kind: 'note' }),
      ];
    };
    fc.assert(
      fc.property(
        fc
          .constant(null)
          .map(made)
          .chain((posts) => fc.shuffledSubarray(posts, { minLength: posts.length })),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 6, maxLength: 6 }),
        (order, limits) => {
          const store = withAgent();
          const expected = order.filter((one) => one.kind === 'ask' && one.root !== hex('elsewhere'));
          const seen: string[] = [];
          const step = (limit: number) => {
            const result = store.wakes.step('main', limit, NOW, judge);
            seen.push(...result.woken.map(({ post: one }) => one.id));
            return result.read;
          };
          for (const [n, one] of order.entries()) {
            put(store, one);
            step(limits[n]!);
          }
          while (step(2) > 0);
          expect(seen.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
          expect(store.wakes.queuedCount('main')).toBe(expected.length);
          store.close();
        },
      ),
      { numRuns: 50 },
    );
  });

  it('does nothing for an agent that is not there', () => {
    const store = tempStore();
    put(store, post());
    expect(store.wakes.step('main', 10, NOW, judge)).toEqual({ read: 0, woken: [] });
  });
});

describe('wakes without a post', () => {
  it('wait one of a cause; a heartbeat that comes while one waits was missed', () => {
    const store = withAgent();
    expect(store.wakes.queue('main', 'heartbeat', 2, NOW)).toBe(true);
    expect(store.wakes.queue('main', 'heartbeat', 0, NOW)).toBe(false);
    expect(store.wakes.queue('main', 'person', 0, NOW)).toBe(true);
    expect(store.wakes.queued('main', 9)).toMatchObject([
      { cause: 'heartbeat', missed: 3, thread: null, session: 'heartbeat', author: null },
      { cause: 'person', missed: 0 },
    ]);
    expect(store.wakes.load([1, 99])).toMatchObject([{ id: 1, post: null, parentAuthor: null }]);
  });
});

describe('feedback', () => {
  it('is listed until a prompt told it, and again when that prompt was never read', () => {
    const store = withAgent();
    put(store, post(), post(), post());
    store.wakes.step('main', 10, NOW, () => ({ verdict: 'feedback', rule: 'feedback' }));
    expect(store.wakes.untoldFeedback('main', 2)).toMatchObject({
      posts: [{ seq: 1 }, { seq: 2 }],
      total: 3,
    });
    const run = {
      agent: 'main',
      session: 'heartbeat',
      cause: 'heartbeat',
      runtime: 'command',
      secondTry: false,
      about: null,
      wakes: [],
      charge: { microUsd: 0, runs: 1, unpricedRuns: 0 },
      capMicroUsd: null,
      at: NOW,
    } as const;
    const end = {
      at: NOW,
      message: '',
      exitCode: 0,
      signal: null,
      costMicroUsd: null,
      turns: null,
      charge: run.charge,
    };
    store.runs.book({ ...run, id: 'r-1' });
    expect(store.wakes.untoldFeedback('main', 2)).toEqual({ posts: [], total: 0 });
    store.runs.end({ ...end, id: 'r-1', outcome: 'rate_limited', fate: 'back' });
    expect(store.wakes.untoldFeedback('main', 2).total).toBe(3);
    store.runs.book({ ...run, id: 'r-2' });
    store.runs.end({ ...end, id: 'r-2', outcome: 'ok', fate: 'done' });
    expect(store.wakes.untoldFeedback('main', 2).total).toBe(0);
  });
});
