import { beforeEach, expect, test } from 'vitest';
import { decisionFacts, oldestWakes } from '../../src/runner/index.ts';
import { author, HOUR, pass, stopTheClock, World } from './support/world.ts';

beforeEach(() => stopTheClock());

const FRIEND = author(2);

/** Posts are judged a part at a look, and each look asks for the next one. */
async function judged(world: World, wakes: number): Promise<void> {
  while (world.store.wakes.queuedCount('main') < wakes) await pass(1);
}

test('a free wake is found behind any number of held ones', async () => {
  // What `agent.allow` lets in no more is judged under the old list and held under the new one.
  const before = new World();
  before.store.atomically(() => {
    for (let n = 0; n < 700; n++) before.post({ author: author(1) });
  });
  const free = before.post({ author: FRIEND });
  await judged(before, 701);
  await before.runner.close('now');
  const world = new World({ store: before.store, settings: { everyMs: 0, allow: [FRIEND] } });
  world.runner.poke();
  await pass();
  expect(world.run.prompt).toContain(free);
  world.run.end('ok', { costMicroUsd: 1 });
  await pass();
  expect(world.runner.verdict()).toMatchObject({
    kind: 'wait',
    until: null,
    because: { rule: 'not_allowed' },
  });
});

test('posts that come by the thousand are all judged, a part at a time', async () => {
  const world = new World({ settings: { everyMs: HOUR } });
  world.store.atomically(() => {
    for (let n = 0; n < 1_000; n++) world.post();
  });
  await pass();
  expect(world.store.wakes.queuedCount('main')).toBeLessThan(1_000);
  await judged(world, 1_000);
});

test('a decision reads of the queue what a run takes, and what a person asked for behind it', async () => {
  const world = new World({ settings: { everyMs: HOUR } });
  world.store.atomically(() => {
    for (let n = 0; n < 500; n++) world.post();
  });
  await pass();
  world.store.wakes.queue('main', 'person', 0, Date.now());
  const { wakes } = decisionFacts(world.settings, world.ports, { running: null, priced: true }, Date.now());
  expect(wakes.map(({ wake }) => wake.cause)).toEqual([...Array<string>(8).fill('post'), 'person']);
});

test('the screen is shown the oldest wakes, held or not', async () => {
  const world = new World({ settings: { everyMs: HOUR, wakesPerAuthorPerHour: 2 } });
  for (let n = 0; n < 5; n++) world.post();
  await pass();
  const shown = oldestWakes(world.settings, world.ports, 4, Date.now());
  expect(shown.map(({ hold }) => hold?.rule ?? null)).toEqual([null, null, 'author_cap', 'author_cap']);
});
