import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWatsError } from '../../src/errors/index.ts';
import { contentHash } from '../../src/review/index.ts';
import { isAuthentic } from '../../src/swarm/index.ts';
import {
  AGENT_PROFILE,
  ask,
  forwarded,
  openHouse,
  peer,
  person,
  run,
  session,
  shared,
  TTL,
} from './support.ts';

const SPEAKERS = [
  person,
  session,
  shared,
  run,
  forwarded,
  peer,
  { ...session, profile: AGENT_PROFILE },
  { ...shared, profile: AGENT_PROFILE.normalize('NFD') },
  { ...run, profile: 'zoe' },
];

const who = fc.constantFrom(...SPEAKERS);
const pick = fc.nat(5);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('publish' as const),
      who,
      kind: fc.constantFrom('ask', 'answer', 'note', 'announce', 'halt', 'resume'),
      text: fc.constantFrom('one', 'two', 'three'),
      parent: fc.option(pick, { nil: null }),
      request: fc.option(fc.constantFrom('q-1', 'q-2'), { nil: null }),
      local: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('approve' as const),
      who,
      draft: pick,
      shown: fc.constantFrom('right', 'right', 'wrong'),
      edited: fc.constantFrom(null, null, 'edited', '\0'),
    }),
  },
  fc.record({ do: fc.constantFrom('reject' as const, 'unreject' as const), who, draft: pick }),
  fc.record({
    do: fc.constantFrom(
      'halt' as const,
      'expire' as const,
      'announce' as const,
      'move' as const,
      'break' as const,
    ),
  }),
);

describe('whatever is done, in whatever order', () => {
  it('a post with the key of the agent, other than its announce, was approved by somebody who may', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, sessionsDecide) => {
        const house = openHouse({ sessionsDecide });
        const { store, publisher, world, keys } = house;
        const agentKey = keys.authorOf(AGENT_PROFILE);
        const drafts: string[] = [];
        /** What was approved: the draft, and the content that somebody saw or wrote. */
        const approved = new Map<string, { draft: string; content: string }>();

        const act = (one: (typeof steps)[number]): void => {
          if (one.do === 'publish') {
            const { kind, text, request, local } = one;
            const parent = one.parent === null ? null : (store.posts.bySeq(one.parent + 1)?.post.id ?? null);
            const result = publisher.publish(one.who, ask({ kind, text, parent, requestId: request, local }));
            if (result.state === 'held' && !result.repeated) drafts.push(result.draft);
            // A repeated answer makes nothing: it may be that of a person with the same key.
            if ((one.who.kind === 'run' || one.who.kind === 'forwarded') && !result.repeated)
              expect(result.state).toBe('held');
          } else if (one.do === 'approve') {
            const id = drafts[one.draft] ?? 'd-none';
            const seen = store.drafts.byId(id);
            const shown = one.shown === 'right' && seen !== null ? seen.sha256 : contentHash(ask());
            const { postId } = publisher.approve(one.who, id, shown, one.edited);
            expect(seen?.state).toBe('held');
            expect(one.shown).toBe('right');
            expect(
              one.who === person || (sessionsDecide && one.who.kind === 'session' && !one.who.shared),
            ).toBe(true);
            approved.set(postId, {
              draft: id,
              content: contentHash({ ...seen!, text: one.edited ?? seen!.text }),
            });
          } else if (one.do === 'reject') publisher.reject(one.who, drafts[one.draft] ?? 'd-none', 'no');
          else if (one.do === 'unreject') publisher.unreject(one.who, drafts[one.draft] ?? 'd-none');
          else if (one.do === 'halt') world.halted = !world.halted;
          else if (one.do === 'announce') publisher.announce({ title: '', text: 'here', tags: [] });
          else if (one.do === 'move') world.space = world.space === 'open' ? 'c0'.repeat(32) : 'open';
          else if (one.do === 'break') world.failing = !world.failing;
          else store.drafts.expire(world.now + TTL);
        };
        for (const one of steps) {
          world.now += 1_000;
          try {
            act(one);
          } catch (error) {
            if (!isWatsError(error) && !(error instanceof Error && error.message === 'the disk is full'))
              throw error;
          }
        }

        for (const { post } of store.posts.after(0, 1_000)) {
          expect(isAuthentic(post)).toBe(true);
          expect(['ask', 'answer', 'note', 'announce']).toContain(post.kind);
          if (post.kind === 'announce') expect(post.author).toBe(agentKey);
          if (post.author !== agentKey || post.kind === 'announce') continue;
          const decision = approved.get(post.id);
          expect(decision?.content).toBe(contentHash(post));
          expect(store.drafts.byId(decision?.draft ?? '')).toMatchObject({
            state: 'approved',
            post: post.id,
          });
        }
        // And nothing that was stored went untold, nor was anything told of that is not here.
        const told = new Set(house.heard.map(({ post }) => post.id));
        expect(told).toEqual(new Set(store.posts.after(0, 1_000).map(({ post }) => post.id)));
        store.close();
      }),
      { numRuns: 120 },
    );
  });
});
