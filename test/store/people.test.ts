import { describe, expect, it } from 'vitest';
import { ANN, BOB, NOW, tempStore } from './support.ts';

describe('what the store remembers of an agent', () => {
  it('starts empty, and keeps each fact by itself', () => {
    const store = tempStore();
    expect(store.people.agent('main')).toBeNull();
    store.people.addAgent('main', ANN);
    const fresh = {
      agent: 'main',
      author: ANN,
      heartbeat: null,
      pausedAt: null,
      blocked: null,
      announced: null,
    };
    expect(store.people.agent('main')).toEqual(fresh);
    const heartbeat = { prev: NOW, everyMs: 60_000 };
    const blocked = { code: 'auth', text: 'log in', until: NOW + 5, count: 2 };
    store.people.setHeartbeat('main', heartbeat);
    store.people.setPaused('main', NOW);
    store.people.setBlocked('main', blocked);
    store.people.setAnnounced('main', 'hash');
    expect(store.people.agent('main')).toEqual({
      ...fresh,
      heartbeat,
      pausedAt: NOW,
      blocked,
      announced: 'hash',
    });
    // A renamed profile is another author; the rest stays.
    store.people.addAgent('main', BOB);
    expect(store.people.agent('main')).toMatchObject({ author: BOB, pausedAt: NOW, announced: 'hash' });
    store.people.setHeartbeat('main', null);
    store.people.setPaused('main', null);
    store.people.setBlocked('main', null);
    expect(store.people.agent('main')).toMatchObject({ heartbeat: null, pausedAt: null, blocked: null });
  });
});

describe('what the store remembers of people and peers', () => {
  it('keeps a profile under the first name that it was given', () => {
    const store = tempStore();
    store.people.addProfile(BOB, 'bob', NOW);
    store.people.addProfile(ANN, 'ann', NOW + 1);
    store.people.addProfile(ANN, 'another', NOW + 2);
    expect(store.people.profiles()).toEqual([
      { author: BOB, profile: 'bob' },
      { author: ANN, profile: 'ann' },
    ]);
  });

  it('forgets a peer with all its addresses', () => {
    const store = tempStore();
    store.people.addPeer('/ip4/192.0.2.1', 'p1', NOW);
    store.people.addPeer('/ip4/192.0.2.2', 'p1', NOW + 1);
    store.people.addPeer('/ip4/192.0.2.3', 'p2', NOW + 2);
    store.people.addPeer('/ip4/192.0.2.3', 'p2', NOW + 3);
    store.people.seePeer('p1', NOW + 9);
    expect(store.people.peers().map(({ address, lastSeenAt }) => [address, lastSeenAt])).toEqual([
      ['/ip4/192.0.2.1', NOW + 9],
      ['/ip4/192.0.2.2', NOW + 9],
      ['/ip4/192.0.2.3', null],
    ]);
    expect([store.people.removePeer('p1'), store.people.removePeer('p1')]).toEqual([true, false]);
    expect(store.people.peers()).toHaveLength(1);
  });

  it('answers an intent once, and forgets old answers', () => {
    const store = tempStore();
    store.people.answer('i-1', NOW, '"first"');
    store.people.answer('i-1', NOW, '"second"');
    store.people.answer('i-2', NOW + 1, '"other"');
    expect(store.people.answered('i-1')).toBe('"first"');
    store.people.forgetIntents(NOW + 1);
    expect([store.people.answered('i-1'), store.people.answered('i-2')]).toEqual([null, '"other"']);
  });

  it('keeps small facts, the newest of each', () => {
    const store = tempStore();
    expect(store.people.meta('key')).toBeNull();
    store.people.setMeta('key', 'a');
    store.people.setMeta('key', 'b');
    expect(store.people.meta('key')).toBe('b');
  });
});
