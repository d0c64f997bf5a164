import { expect, test } from 'vitest';
import { createFeed } from '../../src/daemon/feed.ts';
import { eventually } from '../support/node.ts';

/** A feed whose steps take as long as a test says, and the sizes that it was asked for. */
function made(tookMs: (size: number) => number, steps: number) {
  const sizes: number[] = [];
  const failures: unknown[] = [];
  let time = 0;
  const feed = createFeed({
    clock: () => time,
    step(size) {
      sizes.push(size);
      time += tookMs(size);
      if (tookMs(size) === Number.POSITIVE_INFINITY) throw new Error('the disk is full');
      return sizes.length < steps;
    },
    failed: (error) => failures.push(error),
  });
  return { feed, sizes, failures };
}

test('steps grow while they are short, and shrink when they are long, within bounds', async () => {
  const fast = made(() => 1, 6);
  fast.feed.feed();
  await eventually(() => fast.sizes.length === 6);
  expect(fast.sizes).toEqual([50, 100, 200, 200, 200, 200]);

  const slow = made(() => 100, 6);
  slow.feed.feed();
  await eventually(() => slow.sizes.length === 6);
  expect(slow.sizes).toEqual([50, 25, 12, 10, 10, 10]);

  const even = made((size) => size / 10, 10);
  even.feed.feed();
  await eventually(() => even.sizes.length === 10);
  expect(even.sizes).toEqual(Array(10).fill(50));
});

test('other work comes between the steps, and asking again while it works changes nothing', async () => {
  const { feed, sizes } = made(() => 1, 3);
  feed.feed();
  feed.feed();
  expect(sizes).toHaveLength(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sizes).toHaveLength(1);
  await eventually(() => sizes.length === 3);
});

test('a step that fails is told and tried again with the next call; after the end nothing is done', async () => {
  const { feed, sizes, failures } = made(() => Number.POSITIVE_INFINITY, 5);
  feed.feed();
  await eventually(() => failures.length === 1);
  feed.feed();
  await eventually(() => failures.length === 2);
  feed.feed();
  feed.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(sizes).toHaveLength(2);
});

test('what comes soon after it has caught up gathers until the rest is over', async () => {
  const sizes: number[] = [];
  const feed = createFeed({
    restMs: 20,
    step: (size) => {
      sizes.push(size);
      return false;
    },
    failed: () => {},
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  feed.feed();
  await turn();
  expect(sizes).toHaveLength(1);
  feed.feed();
  feed.feed();
  await turn();
  expect(sizes).toHaveLength(1);
  await eventually(() => sizes.length === 2);
  feed.feed();
  feed.close();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(sizes).toHaveLength(2);
});

test('there is room, but behind a feed that has not caught up for a while one waits until it has', async () => {
  const order: string[] = [];
  let time = 0;
  const feed = createFeed({
    clock: () => time,
    step() {
      order.push('step');
      time += 150;
      if (order.length === 1) void feed.room().then(() => order.push('early'));
      if (order.length === 5) void feed.room().then(() => order.push('late'));
      return time < 900;
    },
    failed: () => {},
  });
  await feed.room();
  feed.feed();
  await eventually(() => order.includes('late'));
  expect(order).toEqual(['step', 'early', ...Array(5).fill('step'), 'late']);
  await feed.room();
});

test('nobody waits for a feed that was ended, nor long for one that has far to go', async () => {
  const endless = made(() => 150, Number.POSITIVE_INFINITY);
  endless.feed.feed();
  await eventually(() => endless.sizes.length >= 3);
  await endless.feed.room();
  const waiting = endless.feed.room();
  endless.feed.close();
  await waiting;
});
