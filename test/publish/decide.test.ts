import { describe, expect, it } from 'vitest';
import { contentHash } from '../../src/review/index.ts';
import { isAuthentic } from '../../src/swarm/index.ts';
import {
  AGENT_PROFILE,
  ask,
  forwarded,
  heldBy,
  openHouse,
  peer,
  person,
  refusal,
  run,
  START,
  session,
  shared,
  TTL,
} from './support.ts';

describe('approve', () => {
  it('publishes the bytes that were shown, signed at that time by the agent', () => {
    const house = openHouse();
    const draft = heldBy(house);
    house.world.now += 3_600_000;
    const { postId } = house.publisher.approve(person, draft.id, draft.sha256, null);
    const stored = house.store.posts.byId(postId)!;
    expect(stored.post).toMatchObject({
      author: house.keys.authorOf(AGENT_PROFILE),
      ts: START / 1000 + 3_600,
      text: draft.text,
      title: draft.title,
      tags: draft.tags,
    });
    expect(isAuthentic(stored.post)).toBe(true);
    expect(house.heard.map(({ post }) => post.id)).toEqual([postId]);
    expect(house.store.drafts.byId(draft.id)).toMatchObject({
      state: 'approved',
      decidedBy: 'person',
      decidedThrough: 'screen',
      post: postId,
    });
  });

  it('publishes an edited text, and keeps it with the draft', () => {
    const house = openHouse();
    const draft = heldBy(house);
    const { postId } = house.publisher.approve(person, draft.id, draft.sha256, 'better words');
    expect(house.store.posts.byId(postId)?.post).toMatchObject({ text: 'better words', title: draft.title });
    expect(house.store.drafts.byId(draft.id)).toMatchObject({
      text: 'better words',
      sha256: contentHash({ ...draft, text: 'better words' }),
    });
  });

  it('of an edited text that breaks a limit leaves the draft as it was', () => {
    const house = openHouse();
    const draft = heldBy(house);
    expect(() => house.publisher.approve(person, draft.id, draft.sha256, 'a\0b')).toThrow(
      refusal('invalid_post', 'U+0000'),
    );
    expect(house.store.drafts.byId(draft.id)).toMatchObject({ ...draft, state: 'held' });
    expect(house.publisher.approve(person, draft.id, draft.sha256, '').postId).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of other bytes than were shown is refused as changed, whichever part is another', () => {
    const house = openHouse();
    const draft = heldBy(house);
    const others = [
      { text: 'x' },
      { title: 'x' },
      { tags: [] },
      { kind: 'note' },
      { parent: 'ab'.repeat(32) },
    ];
    for (const shown of [
      '',
      draft.sha256.slice(0, 15),
      ...others.map((other) => contentHash({ ...draft, ...other })),
    ])
      expect(() => house.publisher.approve(person, draft.id, shown, null)).toThrow(
        refusal('changed', 'not what you were shown'),
      );
    expect([house.store.posts.count(), house.heard.length]).toEqual([0, 0]);
  });

  it('happens once: the second is told that it was decided', () => {
    const house = openHouse();
    const draft = heldBy(house);
    house.publisher.approve(person, draft.id, draft.sha256, null);
    expect(() => house.publisher.approve(session, draft.id, draft.sha256, null)).toThrow(
      refusal('decided', 'was approved already'),
    );
    expect(() => house.publisher.reject(person, draft.id, 'no')).toThrow(
      refusal('decided', 'was approved already'),
    );
    expect(() => house.publisher.unreject(person, draft.id)).toThrow(refusal('decided'));
    expect(house.store.posts.count()).toBe(1);
  });

  it('of an expired draft says so, before and after the minute in which it is swept', () => {
    const house = openHouse();
    const draft = heldBy(house);
    house.world.now += TTL;
    expect(() => house.publisher.approve(person, draft.id, draft.sha256, null)).toThrow(
      refusal('decided', 'has expired'),
    );
    expect(() => house.publisher.reject(person, draft.id, 'no')).toThrow(refusal('decided', 'has expired'));
    house.store.drafts.expire(house.world.now);
    expect(() => house.publisher.approve(person, draft.id, draft.sha256, null)).toThrow(
      refusal('decided', 'was expired already'),
    );
  });

  it('waits while a halt is in force; a rejection need not', () => {
    const house = openHouse();
    const [draft, other] = [heldBy(house), heldBy(house, run, { text: 'other' })];
    house.world.halted = true;
    expect(() => house.publisher.approve(person, draft.id, draft.sha256, null)).toThrow(refusal('halted'));
    house.publisher.reject(person, other.id, 'no');
    house.world.halted = false;
    house.publisher.approve(person, draft.id, draft.sha256, null);
    expect(house.store.posts.count()).toBe(1);
  });

  it('does not carry a draft into another swarm than it was written for', () => {
    const house = openHouse();
    const [draft, local] = [heldBy(house), heldBy(house, run, { local: true, text: 'local' })];
    house.world.space = 'c0'.repeat(32);
    expect(() => house.publisher.approve(person, draft.id, draft.sha256, null)).toThrow(
      refusal('changed', 'another swarm'),
    );
    const { postId } = house.publisher.approve(person, local.id, local.sha256, null);
    expect(house.store.posts.byId(postId)?.post.space).toBe('local');
    expect(house.store.drafts.byId(draft.id)?.state).toBe('held');
  });

  it('publishes a reply where its parent stands by then', () => {
    const house = openHouse();
    const parent = house.publisher.publish(person, ask());
    const draft = heldBy(house, run, { kind: 'answer', parent: parent.state === 'posted' ? parent.id : '' });
    const { postId } = house.publisher.approve(person, draft.id, draft.sha256, null);
    expect(house.store.posts.byId(postId)).toMatchObject({ chain: 'resolved', thread: draft.parent });
  });
});

describe('reject and unreject', () => {
  it('records who and why, and gives the draft back while nobody was told', () => {
    const house = openHouse();
    const draft = heldBy(house);
    house.publisher.reject(session, draft.id, 'too\nlong');
    expect(house.store.drafts.byId(draft.id)).toMatchObject({
      state: 'rejected',
      decidedBy: 'session',
      decidedThrough: 'mcp',
      reason: 'too\nlong',
      post: null,
    });
    expect(() => house.publisher.approve(person, draft.id, draft.sha256, null)).toThrow(
      refusal('decided', 'was rejected already'),
    );
    house.publisher.unreject({ kind: 'person', through: 'control' }, draft.id);
    house.publisher.approve(person, draft.id, draft.sha256, null);
    expect(house.draftCalls()).toBe(4);
    expect(house.store.drafts.byId(draft.id)).toMatchObject({ state: 'approved', reason: null });
  });

  it('takes a short text for a reason, since a model reads it', () => {
    const house = openHouse();
    const draft = heldBy(house);
    expect(() => house.publisher.reject(person, draft.id, 'x'.repeat(4_097))).toThrow(
      refusal('too_large', '4097 bytes'),
    );
    expect(() => house.publisher.reject(person, draft.id, '\x1b]0;')).toThrow(
      refusal('invalid_post', 'U+001B'),
    );
    house.publisher.reject(person, draft.id, '');
  });
});

describe('who decides', () => {
  const acts = (
    house: ReturnType<typeof openHouse>,
    who: Parameters<typeof house.publisher.reject>[0],
    id: string,
    sha: string,
  ) => [
    () => house.publisher.approve(who, id, sha, null),
    () => house.publisher.reject(who, id, 'no'),
    () => house.publisher.unreject(who, id),
  ];

  it('is not the run, the forwarded agent, a shared session or a peer', () => {
    const house = openHouse();
    const draft = heldBy(house);
    for (const who of [run, forwarded, shared, peer, { ...shared, profile: AGENT_PROFILE }])
      for (const act of acts(house, who, draft.id, draft.sha256)) expect(act).toThrow(refusal('forbidden'));
    expect(house.store.drafts.byId(draft.id)?.state).toBe('held');
  });

  it('is a session only while mcp.decide is on', () => {
    const house = openHouse({ sessionsDecide: false });
    const draft = heldBy(house);
    for (const act of acts(house, session, draft.id, draft.sha256)) expect(act).toThrow(refusal('forbidden'));
    const open = openHouse();
    const other = heldBy(open);
    open.publisher.approve(session, other.id, other.sha256, null);
    expect(open.store.drafts.byId(other.id)).toMatchObject({ decidedBy: 'session', decidedThrough: 'mcp' });
  });

  it('is told of a draft that is not there without having its words repeated', () => {
    const { publisher } = openHouse();
    expect(() => publisher.approve(person, 'd-nothere', '', null)).toThrow(
      refusal('not_found', 'no draft d-nothere'),
    );
    expect(() => publisher.approve(person, '\x1b[31m', '', null)).toThrow(
      refusal('not_found', 'no draft with that id'),
    );
  });
});
