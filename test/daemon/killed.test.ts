import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/node.ts';
import { makeHouse } from './support/house.ts';

test('a daemon killed before its run answered: the run is interrupted, its processes are gone, the wake comes back once', async () => {
  const house = makeHouse({ agent: ['family', 'stubborn'] });
  house.hold('before');
  const first = await house.start();
  const ask = await house.ask('what now?');
  const step = await eventually(() => house.steps('before')[0]);
  expect(house.marked().length).toBeGreaterThanOrEqual(3);
  first.kill('SIGKILL');
  await first.ended;
  const orphans = house.marked();
  expect(orphans).toContain(step.pid);

  house.release('before');
  house.hold('started');
  const second = await house.start();
  const again = await eventually(() => house.steps('started')[1]);
  expect(house.marked().filter((pid) => orphans.includes(pid))).toEqual([]);
  expect(second.said).toContainEqual(
    expect.objectContaining({ type: 'run_ended', run: step.run, outcome: 'interrupted' }),
  );
  expect(house.rows('SELECT state, outcome FROM runs WHERE id = ?', step.run)).toEqual([
    { state: 'ended', outcome: 'interrupted' },
  ]);
  // A crash is never free: the run counts in the windows of runs, settled.
  expect(house.rows('SELECT settled, runs, unpriced_runs FROM bookings WHERE run = ?', step.run)).toEqual([
    { settled: 1, runs: 1, unpriced_runs: 1 },
  ]);
  expect(existsSync(join(house.dir, 'agent/run', step.run))).toBe(false);

  house.release('started');
  await second.saw(({ type, run }) => type === 'run_ended' && run === again.run);
  expect(house.steps('prompted')[1]?.prompt).toContain(ask);
  expect(house.rows('SELECT second_try FROM runs WHERE id = ?', again.run)).toEqual([{ second_try: 1 }]);
  expect(house.rows('SELECT state, tries FROM wakes')).toEqual([{ state: 'done', tries: 1 }]);
  expect(house.rows<{ parent: string }>('SELECT lower(hex(parent)) AS parent FROM drafts')).toEqual([
    { parent: ask },
  ]);
  await eventually(() => house.marked().length === 0);
  await eventually(() => readdirSync(join(house.dir, 'agent/run')).length === 0);
});

test('a daemon killed after its run answered one of two asks: only the other one comes back', async () => {
  const house = makeHouse();
  house.hold('reply');
  const first = await house.start();
  house.hold('started');
  const one = await house.ask('first?');
  await eventually(() => house.steps('started')[0]);
  const two = await house.ask('second?');
  house.release('started');
  await eventually(() => house.steps('reply')[0]);
  first.kill('SIGKILL');
  await first.ended;

  house.release('reply');
  const second = await house.start();
  await second.saw(({ type, outcome }) => type === 'run_ended' && outcome === 'ok');
  const drafts = house.rows<{ parent: string }>(
    'SELECT lower(hex(parent)) AS parent FROM drafts ORDER BY created_at',
  );
  expect(drafts.map(({ parent }) => parent)).toEqual([one, two]);
  const prompt = house.steps('prompted').at(-1)?.prompt;
  expect(prompt).toContain(two);
  expect(prompt).not.toContain(one);
  expect(house.rows('SELECT DISTINCT state FROM wakes')).toEqual([{ state: 'done' }]);
});

test('a second try that repeats what the first one did gets the first result', async () => {
  const house = makeHouse({ agent: ['root'] });
  house.hold('post');
  const first = await house.start();
  await house.ask('what now?');
  const posted = await eventually(() => house.steps('post')[0]);
  first.kill('SIGKILL');
  await first.ended;

  house.release('post');
  const second = await house.start();
  await second.saw(({ type, outcome }) => type === 'run_ended' && outcome === 'ok');
  const [, again] = house.steps('post');
  expect(again?.run).not.toBe(posted.run);
  expect(again?.result?.held).toBe(posted.result?.held);
  expect(house.rows("SELECT id FROM drafts WHERE kind = 'note'")).toHaveLength(1);
});

test('a run whose second try is cut short too is not tried a third time', async () => {
  const house = makeHouse();
  house.hold('before');
  for (const n of [0, 1]) {
    const node = await house.start();
    if (n === 0) await house.ask('what now?');
    await eventually(() => house.steps('before')[n]);
    node.kill('SIGKILL');
    await node.ended;
  }
  const third = await house.start();
  await third.saw(({ type }) => type === 'run_ended');
  expect(house.rows('SELECT state, tries FROM wakes')).toEqual([{ state: 'done', tries: 1 }]);
  expect(house.rows('SELECT outcome FROM runs')).toEqual([
    { outcome: 'interrupted' },
    { outcome: 'interrupted' },
  ]);
});
