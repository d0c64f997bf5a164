import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type House, makeHouse } from '../daemon/support/house.ts';
import { eventually, wats, watsJson } from '../support/node.ts';

interface Runs {
  readonly total: number;
  readonly runs: readonly { readonly id: string; readonly outcome: string; readonly cause: string }[];
  readonly spend: { readonly unpricedToday: number; readonly unpricedPerDay: number };
}
interface Draft {
  readonly id: string;
  readonly text: string;
  readonly parent: { readonly id: string };
}
interface Status {
  readonly running: boolean;
  readonly nodeId: string;
  readonly pendingDrafts: number;
  readonly posts: number;
  readonly queue: { readonly total: number };
  readonly agent: { readonly profile: string; readonly review: boolean };
  readonly alerts: readonly { readonly code: string }[];
}

/** A directory whose daemon has answered one ask, taken another one while paused, and was then ended by a signal. */
async function left(signal: NodeJS.Signals): Promise<{ house: House; status: Status }> {
  const house = makeHouse();
  const node = await house.start();
  await house.ask('which journal mode?');
  await node.saw(({ type }) => type === 'run_ended');
  await house.send({ do: 'pause' });
  await house.ask('and now?');
  await eventually(() => house.rows("SELECT id FROM wakes WHERE state = 'queued'").length === 1);
  const status = await watsJson<Status>(['status'], { dir: house.dir });
  node.kill(signal);
  await node.ended;
  return { house, status };
}

const SAYS = 'no wats daemon is running on';

test('what a killed daemon left is read without one, each command says so, and nothing is written', async () => {
  const { house, status } = await left('SIGKILL');
  const { dir } = house;
  expect(status).toMatchObject({ running: true, pendingDrafts: 1 });
  const before = content(house);

  const runs = await wats(['agent', 'runs', '--json'], { dir });
  expect(runs).toMatchObject({ code: 0, stderr: expect.stringContaining(SAYS) });
  const listed = JSON.parse(runs.stdout) as Runs;
  expect(listed).toMatchObject({ total: 1, runs: [{ outcome: 'ok', cause: 'post' }] });
  expect(listed.spend).toMatchObject({ unpricedToday: 1, unpricedPerDay: 10_000 });
  expect((await wats(['agent', 'runs'], { dir })).stdout).toContain(listed.runs[0]?.id);

  const pending = await wats(['agent', 'pending', '--json'], { dir });
  expect(pending).toMatchObject({ code: 0, stderr: expect.stringContaining(SAYS) });
  const [draft] = JSON.parse(pending.stdout) as Draft[];
  expect(draft?.text).toBe(`an answer by ${listed.runs[0]?.id}`);
  const shown = await wats(['agent', 'pending', 'show', draft?.id ?? ''], { dir });
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain(draft?.text);
  expect(shown.stdout).toContain('which journal mode?');

  const logs = await wats(['agent', 'logs'], { dir });
  expect(logs.code).toBe(0);

  // It shows what is there, and answers the question of a script: no daemon.
  const asleep = await wats(['status', '--json'], { dir });
  expect(asleep).toMatchObject({ code: 3, stderr: expect.stringContaining(SAYS) });
  expect(JSON.parse(asleep.stdout)).toMatchObject({
    running: false,
    nodeId: status.nodeId,
    posts: status.posts,
    pendingDrafts: 1,
    queue: { total: 1 },
    agent: { profile: 'person-agent', review: true },
    alerts: [],
  });
  expect((await wats(['status'], { dir })).stdout).toContain('1 wait for you');

  expect(content(house)).toBe(before);
});

test('without a daemon nothing is decided, what expired is not shown, and a changed safety setting is', async () => {
  const { house } = await left('SIGTERM');
  const { dir } = house;
  const [draft] = await watsJson<Draft[]>(['agent', 'pending'], { dir });
  const refused = await Promise.all(
    [
      ['agent', 'approve', draft?.id ?? '', '--yes'],
      ['agent', 'reject', draft?.id ?? ''],
      ['agent', 'run'],
      ['agent', 'preview'],
    ].map((args) => wats(args, { dir })),
  );
  for (const result of refused)
    expect(result).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('no wats daemon is running'),
    });
  expect(house.rows('SELECT state FROM drafts')).toEqual([{ state: 'held' }]);

  // A draft lives for a day.
  edit(house, 'UPDATE drafts SET expires_at = expires_at - 90000000');
  await wats(['config', 'set', 'agent.review', 'false'], { dir });
  expect(await watsJson<Draft[]>(['agent', 'pending'], { dir })).toEqual([]);
  const { stdout } = await wats(['status', '--json'], { dir });
  expect(JSON.parse(stdout)).toMatchObject({ pendingDrafts: 0, alerts: [{ code: 'safety' }] });

  const version = house.rows<{ user_version: number }>('PRAGMA user_version')[0]?.user_version ?? 0;
  edit(house, `PRAGMA user_version = ${version + 1}`);
  expect(await wats(['agent', 'runs'], { dir })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('newer wats'),
  });
  edit(house, `PRAGMA user_version = ${version - 1}`);
  expect(await wats(['agent', 'runs'], { dir })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('start wats once'),
  });
});

/** Every table, whatever files SQLite keeps it in. */
function content(house: House): string {
  const tables = house.rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%search%' ORDER BY name",
  );
  const all = tables.map(({ name }) => [name, house.rows(`SELECT * FROM "${name}"`)]);
  return createHash('sha256').update(JSON.stringify(all)).update(config(house)).digest('hex');
}

const config = (house: House): string => readFileSync(join(house.dir, 'config.toml'), 'utf8');

/** Changes the database of a directory that no daemon holds. */
function edit(house: House, sql: string): void {
  const db = new Database(join(house.dir, 'wats.db'));
  db.exec(sql);
  db.close();
}
