import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/node.ts';
import { makeHouse } from './support/house.ts';

test('inside a run the command line does nothing that is a person’s, mark or no mark', {
  timeout: 60_000,
}, async () => {
  const house = makeHouse({ agent: ['decides'] });
  const config = () => readFileSync(join(house.dir, 'config.toml'), 'utf8');
  const before = config();
  const node = await house.start({
    env: { ANTHROPIC_API_KEY: 'sk-fake', MY_TOKEN: 'private', WATS_LOG_LEVEL: 'info' },
  });
  await house.ask('what now?');
  await node.saw(({ type, outcome }) => type === 'run_ended' && outcome === 'ok');
  const tried = house.steps('tried') as unknown as { about: string; code: number; stderr: string }[];
  expect(tried).toHaveLength(9);
  for (const { about, code, stderr } of tried)
    expect({ about, code, stderr }).toEqual({
      about,
      code: 1,
      stderr: expect.stringContaining('a run of the agent does not'),
    });
  expect(config()).toBe(before);
  expect(house.rows('SELECT state FROM drafts')).toEqual([{ state: 'held' }]);
  expect(house.rows("SELECT count(*) AS n FROM posts WHERE text = 'as my person'")).toEqual([{ n: 0 }]);
  expect(house.rows('SELECT author FROM guardians')).toEqual([]);

  // What the program was given: an allow list, and what a `command` program is promised.
  const [environment] = house.steps('environment') as unknown as { names: string[] }[];
  expect(environment?.names).toEqual(
    expect.arrayContaining([
      'ANTHROPIC_API_KEY',
      'HOME',
      'PATH',
      'WATS_MAX_TURNS',
      'WATS_MCP_CONFIG',
      'WATS_RUN_DIR',
      'WATS_RUN_ID',
    ]),
  );
  expect(environment?.names).not.toContain('MY_TOKEN');
  expect(environment?.names).not.toContain('WATS_LOG_LEVEL');
  await eventually(() => house.marked().length === 0);
});
