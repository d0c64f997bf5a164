import { describe, expect, it } from 'vitest';
import { isAuthentic, LIMITS, SYSTEM_KINDS } from '../../src/swarm/index.ts';
import { Author } from '../support/posts.ts';
import {
  AGENT_PROFILE,
  ask,
  forwarded,
  openHouse,
  peer,
  person,
  refusal,
  run,
  START,
  session,
  shared,
} from './support.ts';

describe('publish', () => {
  it('posts for a person and a session at once, with their profile, signed', () => {
    const { publisher, store, heard, keys } = openHouse();
    for (const who of [person, session, shared]) {
      const result = publisher.publish(who, ask({ text: `of ${who.kind} ${heard.length}` }));
      if (result.state !== 'posted') throw new Error('held');
      const stored = store.posts.byId(result.id)!;
      expect(stored.post).toMatchObject({
        author: keys.authorOf('zoe'),
        space: 'open',
        ts: START / 1000,
        root: null,
        tags: ['tag'],
      });
      expect(isAuthentic(stored.post)).toBe(true);
      expect(heard.at(-1)).toMatchObject({ seq: stored.seq, source: 'own' });
      expect(publisher.authorOf(who)).toBe(keys.authorOf('zoe'));
    }
  });

  it('holds whatever has the key of the agent, through whichever door and under whichever form of its name', () => {
    const decomposed = { ...session, profile: AGENT_PROFILE.normalize('NFD') } as const;
    expect(decomposed.profile).not.toBe(AGENT_PROFILE);
    for (const who of [
      run,
      forwarded,
      { ...session, profile: AGENT_PROFILE },
      decomposed,
      { ...shared, profile: AGENT_PROFILE },
    ]) {
      const { publisher, store, heard, draftCalls } = openHouse();
      const result = publisher.publish(who, ask());
      expect(result).toMatchObject({
        state: 'held',
        draft: expect.stringMatching(/^d-[a-z2-9]{8}$/),
        repeated: false,
      });
      expect([store.posts.count(), heard.length, store.drafts.heldCount(), draftCalls()]).toEqual([
        0, 0, 1, 1,
      ]);
    }
  });

  it('holds a person, too, who posts with the profile of the agent, and a run with another profile', () => {
    const house = openHouse({ personProfile: AGENT_PROFILE });
    expect(house.publisher.publish(person, ask()).state).toBe('held');
    expect(openHouse().publisher.publish({ ...run, profile: 'zoe' }, ask()).state).toBe('held');
  });

  it('posts for the agent at once where review is off', () => {
    const { publisher, store, keys } = openHouse({ review: false });
    const result = publisher.publish(run, ask());
    expect(result.state === 'posted' && store.posts.byId(result.id)?.post.author).toBe(
      keys.authorOf(AGENT_PROFILE),
    );
  });

  it('writes halt, resume, announce, retract and unknown kinds for nobody', () => {
    const { publisher, store } = openHouse({ review: false });
    for (const kind of [...SYSTEM_KINDS, 'x', '', 'Ask', '__proto__'])
      for (const who of [person, session, shared, run, forwarded])
        expect(() => publisher.publish(who, ask({ kind }))).toThrow(
          refusal('invalid_post', 'this kind is not'),
        );
    expect(store.posts.count()).toBe(0);
    expect(() => publisher.publish(peer, ask())).toThrow(refusal('forbidden'));
    expect(() => publisher.authorOf(peer)).toThrow(refusal('forbidden'));
  });

  it('refuses what breaks a limit with what to change, and writes nothing', () => {
    const { publisher, store } = openHouse();
    for (const [fields, message] of [
      [{ text: 'x'.repeat(LIMITS.textBytes + 1) }, '16385 bytes'],
      [{ title: 'a\x1b' }, 'U+001B'],
      [{ tags: Array(17).fill('t') }, '17 tags'],
      [{ text: '\ud83e' }, 'lone surrogate'],
      [{ requestId: '' }, 'request id'],
      [{ requestId: 'x'.repeat(201) }, 'request id'],
    ] as const)
      for (const who of [person, run])
        expect(() =>
          publisher.publish(who, ask({ ...fields, tags: 'tags' in fields ? [...fields.tags] : [] })),
        ).toThrow(refusal('invalid_post', message));
    expect([store.posts.count(), store.drafts.heldCount()]).toEqual([0, 0]);
  });

  it('takes a post of the greatest size that the limits allow', () => {
    const { publisher } = openHouse();
    const full = ask({
      title: '"'.repeat(200),
      text: '"'.repeat(LIMITS.textBytes),
      tags: Array(16).fill('"'.repeat(64)),
    });
    expect(publisher.publish(person, full).state).toBe('posted');
  });

  it('publishes nothing of the agent while a halt is in force, and lets a person speak', () => {
    const { publisher, world, store } = openHouse({ review: false });
    world.halted = true;
    expect(() => publisher.publish(run, ask())).toThrow(refusal('halted'));
    expect(() => publisher.announce({ title: '', text: 'hi', tags: [] })).toThrow(refusal('halted'));
    expect(publisher.publish(person, ask()).state).toBe('posted');
    world.halted = false;
    publisher.announce({ title: '', text: 'hi', tags: [] });
    expect(store.posts.newest(1)[0]?.post.kind).toBe('announce');
  });

  it('announces for the agent without a draft, and for nobody where there is none', () => {
    const house = openHouse();
    const id = house.publisher.announce({ title: 'I am', text: 'here', tags: ['cap'] });
    expect(house.store.posts.byId(id)?.post).toMatchObject({
      kind: 'announce',
      author: house.keys.authorOf(AGENT_PROFILE),
    });
    expect(house.heard).toHaveLength(1);
    const without = openHouse({ agent: false });
    expect(() => without.publisher.announce({ title: '', text: '', tags: [] })).toThrow(refusal('refused'));
  });
});

describe('where a post stands', () => {
  it('keeps a local post local, and every reply to it', () => {
    const { publisher, store } = openHouse();
    const first = publisher.publish(person, ask({ local: true }));
    const parent = first.state === 'posted' ? first.id : '';
    const second = publisher.publish(person, ask({ kind: 'note', parent }));
    const reply = second.state === 'posted' ? store.posts.byId(second.id) : null;
    expect(reply).toMatchObject({ post: { space: 'local', root: parent, parent }, chain: 'resolved' });
  });

  it('stands where the chain of its parent leads, or where an unresolved parent claims to', () => {
    const { publisher, store, intake } = openHouse();
    const bob = new Author();
    const root = bob.post();
    const child = bob.reply(root);
    const graft = bob.reply(child, { root: 'ab'.repeat(32) });
    const unresolved = bob.post({ kind: 'answer', root: 'cd'.repeat(32), parent: 'ef'.repeat(32) });
    intake.received([root, child, graft, unresolved].map((post) => ({ post, from: 'p' })));
    const under = (parent: string) => {
      const result = publisher.publish(person, ask({ kind: 'answer', parent }));
      return result.state === 'posted' ? store.posts.byId(result.id) : null;
    };
    expect(under(child.id)).toMatchObject({ post: { root: root.id, parent: child.id }, chain: 'resolved' });
    expect(under(graft.id)).toMatchObject({ post: { root: root.id }, chain: 'resolved' });
    expect(under(unresolved.id)).toMatchObject({ post: { root: 'cd'.repeat(32) }, chain: 'unresolved' });
    expect(() => under('12'.repeat(32))).toThrow(refusal('not_found'));
  });

  it('names the whole parent, also where the caller named the start of it', () => {
    const { publisher, store } = openHouse();
    const root = publisher.publish(person, ask());
    const parent = root.state === 'posted' ? root.id : '';
    const short = publisher.publish(
      run,
      ask({ kind: 'answer', parent: parent.slice(0, 15), requestId: 'q-1' }),
    );
    expect(short.state === 'held' && store.drafts.byId(short.draft)).toMatchObject({ parent, root: parent });
    // The same request with the whole id is the same request.
    expect(publisher.publish(run, ask({ kind: 'answer', parent, requestId: 'q-1' }))).toEqual({
      ...short,
      repeated: true,
    });
  });

  it('is in the swarm that the node is in at that time; a parent of another one is refused', () => {
    const { publisher, world, store } = openHouse();
    const old = publisher.publish(person, ask());
    world.space = 'c0'.repeat(32);
    const fresh = publisher.publish(person, ask());
    expect(fresh.state === 'posted' && store.posts.byId(fresh.id)?.post.space).toBe(world.space);
    const parent = old.state === 'posted' ? old.id : '';
    expect(() => publisher.publish(person, ask({ parent, kind: 'note' }))).toThrow(
      refusal('invalid_post', 'space open'),
    );
  });
});
