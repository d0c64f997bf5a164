import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { eventually } from '../support/node.ts';
import { makeHouse } from './support/house.ts';

test('a heartbeat runs the agent with nothing new, and those that were missed while nobody ran are one run that counts them', async () => {
  const house = makeHouse({ settings: ['heartbeat = "1s"'] });
  const first = await house.start();
  await eventually(() => first.said.filter(({ type }) => type === 'run_ended').length === 2);
  first.kill('SIGKILL');
  await first.ended;
  expect(new Set(house.rows<{ cause: string }>('SELECT cause FROM runs').map(({ cause }) => cause))).toEqual(
    new Set(['heartbeat']),
  );
  expect(house.rows('SELECT id FROM posts')).toEqual([]);
  for (const { prompt } of house.steps('prompted')) expect(prompt).toMatch(/heartbeat/i);

  // Downtime: the last due time that was kept is ten minutes ago.
  const db = new Database(join(house.dir, 'wats.db'));
  db.exec('UPDATE agents SET heartbeat_prev = heartbeat_prev - 600000; DELETE FROM wakes');
  db.close();
  const before = house.steps('prompted').length;
  const second = await house.start();
  await second.saw(({ type }) => type === 'run_ended');
  const prompt = house.steps('prompted')[before]?.prompt ?? '';
  const missed = Number(/(\d+)[^.\n]*missed|missed[^.\n\d]*(\d+)/i.exec(prompt)?.slice(1).find(Boolean));
  expect(missed).toBeGreaterThanOrEqual(599);
  expect(missed).toBeLessThan(660);
});

test('without the setting nothing runs by itself', async () => {
  const house = makeHouse();
  const node = await house.start();
  const controls = await (await house.person()).watch();
  expect(controls.view().agent?.nextHeartbeatAt).toBeNull();
  expect(node.said.map(({ type }) => type)).toEqual(['started']);
});
