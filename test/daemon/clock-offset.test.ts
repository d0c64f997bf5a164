import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createClockOffset } from '../../src/daemon/clock-offset.ts';
import { dataDirectory, eventually, startNode, wats, watsJson } from '../support/node.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 30, 12);

test('a clock that is ten minutes ahead of three authors is told, with its sign', () => {
  const clock = createClockOffset(() => NOW);
  for (const author of ['a', 'b', 'c']) clock.hear(author, NOW - 10 * MINUTE);
  expect(clock.offset()).toBe(10 * MINUTE);
  const slow = createClockOffset(() => NOW);
  for (const author of ['a', 'b', 'c']) slow.hear(author, NOW + 7 * MINUTE);
  expect(slow.offset()).toBe(-7 * MINUTE);
});

test('two authors are too few, five minutes are nothing, and what was heard an hour ago is forgotten', () => {
  let now = NOW;
  const clock = createClockOffset(() => now);
  for (const author of ['a', 'b']) clock.hear(author, now - 10 * MINUTE);
  expect(clock.offset()).toBeNull();
  clock.hear('c', now - 10 * MINUTE);
  expect(clock.offset()).not.toBeNull();
  now += 61 * MINUTE;
  expect(clock.offset()).toBeNull();
  for (const author of ['a', 'b', 'c']) clock.hear(author, now - 5 * MINUTE);
  expect(clock.offset()).toBeNull();
});

test('an author who posts a thousand times is one author', () => {
  const clock = createClockOffset(() => NOW);
  for (let n = 0; n < 1000; n++) clock.hear('liar', NOW - 60 * MINUTE);
  for (const author of ['a', 'b', 'c']) clock.hear(author, NOW);
  expect(clock.offset()).toBeNull();
});

test('fewer than half of the authors can never make it tell an offset while the rest agree with this clock', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 40 }),
      fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 40 }),
      (honest, claims) => {
        const clock = createClockOffset(() => NOW);
        for (let n = 0; n < honest; n++) clock.hear(`honest ${n}`, NOW);
        for (const [n, claim] of claims.slice(0, honest - 1).entries()) clock.hear(`liar ${n}`, NOW + claim);
        expect(clock.offset()).toBeNull();
      },
    ),
  );
});

test('a node whose clock is seven minutes behind three authors of another node says so', async () => {
  const [here, there] = [dataDirectory('profile = "me"\n'), dataDirectory()];
  // The other node's clock, as its process sees it.
  const shift = join(there.dir, '..', 'shift.cjs');
  writeFileSync(shift, `const real = Date.now; Date.now = () => real() + ${7 * MINUTE};`);
  const node = await startNode(here.dir);
  onTestFinished(async () => {
    node.kill('SIGTERM');
    await node.ended;
    here.remove();
    there.remove();
  });
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: here.dir });
  const alerts = async () =>
    (await watsJson<{ alerts: { text: string }[] }>(['status'], { dir: here.dir })).alerts
      .map(({ text }) => text)
      .join();

  for (const [n, profile] of ['p1', 'p2', 'p3'].entries()) {
    expect(await alerts()).not.toContain('clock');
    const other = await startNode(there.dir, {
      args: ['--profile', profile],
      env: { NODE_OPTIONS: `--require=${shift}` },
    });
    if (n === 0) await watsJson(['peer', 'join', invite], { dir: there.dir });
    await eventually(async () =>
      (await watsJson<{ state: string }[]>(['peer', 'list'], { dir: there.dir })).some(
        ({ state }) => state === 'connected',
      ),
    );
    // Again until gossip, not reconciliation, brought one: the mesh forms a moment after the link.
    await eventually(async () => {
      await wats(['post', `by ${profile}`], { dir: there.dir });
      const { total } = await watsJson<{ total: number }>(['search', `by ${profile}`], { dir: here.dir });
      return total > 1;
    });
    other.kill('SIGTERM');
    await other.ended;
  }
  await eventually(async () =>
    (await alerts()).includes('this machine’s clock is 7m behind most of the swarm’s'),
  );
});
