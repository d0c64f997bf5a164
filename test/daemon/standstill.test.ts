import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { dataDirectory, eventually, type RunningNode, startNode, wats, watsJson } from '../support/node.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const CONFIG =
  'profile = "me"\n[agent]\nruntime = "command"\ncommand = ["/bin/true"]\nevery = "0s"\nmax_runs_per_hour = 60\n';

function place(config = CONFIG): string {
  const made = dataDirectory(config);
  closers.push(made.remove);
  return made.dir;
}

async function start(dir: string): Promise<RunningNode> {
  const node = await startNode(dir);
  closers.push(() => end(node));
  return node;
}

async function end(node: RunningNode): Promise<void> {
  node.kill('SIGTERM');
  await node.ended;
}

const alertsOf = async (dir: string): Promise<string> => {
  const { alerts } = await watsJson<{ alerts: { text: string }[] }>(['status'], { dir });
  return alerts.map(({ text }) => text).join('\n');
};

test('a damaged database is set aside, spend comes back from the list of runs, and nothing runs until a person resumes', async () => {
  const dir = place();
  const first = await start(dir);
  expect((await wats(['agent', 'run'], { dir })).code).toBe(0);
  await first.saw(({ type }) => type === 'run_ended');
  const before = await watsJson<{ spend: { unpricedToday: number } }>(['agent', 'runs'], { dir });
  expect(before.spend.unpricedToday).toBe(1);
  await end(first);
  writeFileSync(
    join(dir, 'wats.db'),
    'this was a database once, but the disk had other plans for it'.repeat(200),
  );

  const second = await start(dir);
  expect(await alertsOf(dir)).toContain('the database was damaged and set aside');
  const after = await watsJson<typeof before & { runs: { outcome: string }[] }>(['agent', 'runs'], { dir });
  expect(after.spend.unpricedToday).toBe(1);
  expect(after.runs.map(({ outcome }) => outcome)).toEqual(['idle']);
  const aside = readdirSync(dir).filter((name) => name.startsWith('wats.db.damaged'));
  expect(readFileSync(join(dir, aside[0] ?? ''), 'utf8')).toContain('the disk had other plans');
  const refused = await wats(['agent', 'run'], { dir });
  expect(refused.code).toBe(75);
  expect(refused.stderr).toContain('paused');

  expect((await wats(['agent', 'resume'], { dir })).code).toBe(0);
  expect(await alertsOf(dir)).not.toContain('damaged');
  expect((await wats(['agent', 'run'], { dir })).code).toBe(0);
  await second.saw(({ type }) => type === 'run_ended');
  await end(second);
  await start(dir);
  expect(await alertsOf(dir), 'what was looked at stays looked at').not.toContain('damaged');
});

test('a post signed with a key of this node by another node pauses the agent and is told', async () => {
  const original = place();
  const copy = place('profile = "me"\n');
  const first = await start(original);
  await end(first);
  copyFileSync(join(original, 'secret'), join(copy, 'secret'));
  await start(original);
  const clone = await start(copy);
  const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: original });
  await watsJson(['peer', 'join', invite], { dir: copy });
  expect(await alertsOf(original)).not.toContain('another node signs as you');
  await wats(['post', 'as you'], { dir: copy });
  await eventually(async () => (await alertsOf(original)).includes('another node signs as you'));
  expect((await wats(['agent', 'run'], { dir: original })).code).toBe(75);
  await end(clone);
});

test('a changed config.toml is told until it says the same again, and the node keeps its values', async () => {
  const dir = place();
  await start(dir);
  writeFileSync(join(dir, 'config.toml'), `${CONFIG}max_turns = 3\n`);
  expect(await alertsOf(dir)).toContain('config.toml has changed since wats started');
  writeFileSync(join(dir, 'config.toml'), CONFIG);
  expect(await alertsOf(dir)).not.toContain('config.toml has changed');
});
