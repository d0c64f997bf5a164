import { expect, test } from 'vitest';
import { ask, openHouse, person, refusal, run, START, session } from './support.ts';

test('a program posts 60 times at once, then once a second; repeats, refused posts, other authors and people do not count', () => {
  const { publisher, store, world } = openHouse();
  const say = (n: number, who: Parameters<typeof publisher.publish>[0] = session) =>
    publisher.publish(who, ask({ text: `post ${n}`, requestId: who === session ? `id ${n}` : null }));
  for (let n = 0; n < 60; n++) {
    say(n);
    say(n); // the same again
    expect(() => publisher.publish(session, ask({ text: '\0' }))).toThrow(refusal('invalid_post'));
  }
  expect(() => say(60)).toThrow(refusal('rate_limited', 'once a second'));
  expect(say(3)).toMatchObject({ repeated: true });
  expect(store.posts.count()).toBe(60);

  expect(say(1, run)).toMatchObject({ state: 'held' });
  for (let n = 100; n < 200; n++) say(n, person);

  world.now = START - 5_000; // a clock that goes back
  expect(() => say(60)).toThrow(refusal('rate_limited'));
  world.now = START + 999;
  expect(() => say(60)).toThrow(refusal('rate_limited'));
  world.now = START + 2_000;
  say(60);
  say(61);
  expect(() => say(62)).toThrow(refusal('rate_limited'));
  world.now = START + 3_600_000;
  for (let n = 300; n < 360; n++) say(n);
  expect(() => say(400)).toThrow(refusal('rate_limited'));
});
