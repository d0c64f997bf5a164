import { describe, expect, it } from 'vitest';
import { AGENT_PROFILE, ask, heldBy, openHouse, person, refusal, run, START, session } from './support.ts';

const charge = { microUsd: 0, runs: 1, unpricedRuns: 0 } as const;

describe('a write that is repeated', () => {
  it('with its request id gives the first result, and does nothing', () => {
    const house = openHouse();
    const { publisher, store, heard, world } = house;
    const first = publisher.publish(person, ask({ requestId: 'q-1' }));
    world.now += 60_000;
    expect(publisher.publish(person, ask({ requestId: 'q-1' }))).toEqual({ ...first, repeated: true });
    // A session of the same profile is the same author.
    expect(publisher.publish(session, ask({ requestId: 'q-1' }))).toEqual({ ...first, repeated: true });
    expect([store.posts.count(), heard.length]).toEqual([1, 1]);

    const held = publisher.publish(run, ask({ requestId: 'q-1' }));
    expect(held).toMatchObject({ state: 'held', repeated: false });
    expect(publisher.publish(run, ask({ requestId: 'q-1' }))).toEqual({ ...held, repeated: true });
    expect([store.drafts.heldCount(), house.draftCalls()]).toEqual([1, 1]);
  });

  it('with other content is a mistake, and says so', () => {
    const { publisher, store } = openHouse();
    publisher.publish(person, ask({ requestId: 'q-1' }));
    for (const other of [
      { text: 'other' },
      { title: 'other' },
      { tags: [] },
      { kind: 'note' },
      { local: true },
    ])
      expect(() => publisher.publish(person, ask({ requestId: 'q-1', ...other }))).toThrow(
        refusal('invalid_post', 'used for another post'),
      );
    expect(store.posts.count()).toBe(1);
  });

  it('without an id is another write', () => {
    const { publisher, store, world } = openHouse();
    publisher.publish(person, ask());
    world.now += 1_000;
    publisher.publish(person, ask());
    expect(store.posts.count()).toBe(2);
  });

  it('in the same second with the same words is the same post', () => {
    const { publisher, store } = openHouse();
    const [first, second] = [publisher.publish(person, ask()), publisher.publish(person, ask())];
    expect(second).toEqual(first);
    expect(store.posts.count()).toBe(1);
  });

  it('after it failed is done: a failure is no result', () => {
    const { publisher, world } = openHouse({ review: false });
    world.halted = true;
    expect(() => publisher.publish(run, ask({ requestId: 'q-1' }))).toThrow(refusal('halted'));
    world.halted = false;
    expect(publisher.publish(run, ask({ requestId: 'q-1' }))).toMatchObject({
      state: 'posted',
      repeated: false,
    });
  });

  it('of which the result could not be written down was not done', () => {
    const { publisher, store, heard, world, draftCalls } = openHouse();
    world.failing = true;
    for (const who of [person, run])
      expect(() => publisher.publish(who, ask({ requestId: 'q-1' }))).toThrow('the disk is full');
    expect([store.posts.count(), store.drafts.heldCount(), heard.length, draftCalls()]).toEqual([0, 0, 0, 0]);
    world.failing = false;
    expect(publisher.publish(person, ask({ requestId: 'q-1' }))).toMatchObject({
      state: 'posted',
      repeated: false,
    });
  });
});

describe('a second try', () => {
  /** A wake that a first run took, acted on, and gave back; a second run has it now. */
  function secondTry(act: (house: ReturnType<typeof openHouse>, parent: string) => void) {
    const house = openHouse();
    const { store, publisher } = house;
    store.people.addAgent('main', house.keys.authorOf(AGENT_PROFILE));
    const asked = publisher.publish(person, ask());
    const parent = asked.state === 'posted' ? asked.id : '';
    store.wakes.step('main', 9, START, () => ({ verdict: 'wake', rule: 'ask' }));
    const book = (id: string) =>
      store.runs.book({
        id,
        agent: 'main',
        session: 's',
        cause: 'post',
        runtime: 'command',
        secondTry: id !== 'r-1',
        about: parent,
        wakes: [1],
        charge,
        capMicroUsd: null,
        at: START,
      });
    book('r-1');
    act(house, parent);
    store.runs.end({
      id: 'r-1',
      at: START,
      outcome: 'interrupted',
      message: '',
      exitCode: null,
      signal: 'SIGKILL',
      costMicroUsd: null,
      turns: null,
      charge,
      fate: 'second_try',
    });
    book('r-2');
    return { ...house, parent, again: { ...run, runId: 'r-2' } as const };
  }

  it('that repeats an effect gets the first result, whatever words it uses', () => {
    const { publisher, again, parent, store } = secondTry((house, to) => {
      heldBy(house, run, { kind: 'claim', parent: to.slice(0, 20), text: 'I take it' });
    });
    const [held] = store.drafts.held();
    expect(publisher.publish(again, ask({ kind: 'claim', parent, text: 'Mine, then' }))).toEqual({
      state: 'held',
      draft: held?.id,
      repeated: true,
    });
    expect(publisher.publish(again, ask({ kind: 'answer', parent })).repeated).toBe(false);
    expect(store.drafts.heldCount()).toBe(2);
  });

  it('does not come about when the first had answered, by the whole id or by the start of it', () => {
    for (const digits of [64, 15]) {
      expect(() =>
        secondTry((house, parent) => heldBy(house, run, { kind: 'answer', parent: parent.slice(0, digits) })),
      ).toThrow(/wake 1 was taken already/);
    }
  });
});
