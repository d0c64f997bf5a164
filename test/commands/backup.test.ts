import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { dataDirectory, startNode, wats, watsJson } from '../support/node.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function place(config = '') {
  const made = dataDirectory(config);
  closers.push(made.remove);
  return made.dir;
}

async function running(dir: string) {
  const node = await startNode(dir);
  closers.push(async () => {
    node.kill('SIGTERM');
    await node.ended;
  });
  return node;
}

const AGENT = 'profile = "me"\n[agent]\nruntime = "command"\ncommand = ["/bin/true"]\n';

test('a backup made while the daemon runs restores the posts, the keys and the settings, with the agent paused', async () => {
  const first = place(AGENT);
  await running(first);
  const { id } = await watsJson<{ id: string }>(['ask', 'kept?'], { dir: first });
  const profiles = await watsJson<object[]>(['profile', 'list'], { dir: first });
  const file = join(first, '..', 'wats.backup');
  expect((await wats(['backup', file], { dir: first })).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const second = join(first, '..', 'restored');
  const restored = await wats(['restore', file], { dir: second });
  expect(restored.stdout).toContain('is restored');
  expect(readFileSync(join(second, 'config.toml'), 'utf8')).toBe(AGENT);
  expect(readFileSync(join(second, 'secret'))).toEqual(readFileSync(join(first, 'secret')));
  expect(statSync(join(second, 'secret')).mode & 0o777).toBe(0o600);

  await running(second);
  const { post } = await watsJson<{ post: { text: string } }>(['read', id], { dir: second });
  expect(post.text).toBe('kept?');
  expect(await watsJson<object[]>(['profile', 'list'], { dir: second })).toEqual(profiles);
  const status = await watsJson<{ alerts: { code: string; text: string }[] }>(['status'], { dir: second });
  expect(status.alerts.map(({ text }) => text).join()).toContain('restored from a backup');
  expect((await wats(['agent', 'run'], { dir: second })).code).toBe(75);

  expect((await wats(['agent', 'resume'], { dir: second })).code).toBe(0);
  const after = await watsJson<{ alerts: { text: string }[] }>(['status'], { dir: second });
  expect(after.alerts.map(({ text }) => text).join()).not.toContain('restored');
});

test('a directory with a database, a file that is no backup and a target that is there are refused untouched', async () => {
  const dir = place();
  const node = await startNode(dir);
  node.kill('SIGTERM');
  await node.ended;
  const file = join(dir, '..', 'wats.backup');
  expect((await wats(['backup', file], { dir })).code).toBe(0);
  const again = await wats(['backup', file], { dir });
  expect(again.stderr).toContain('cannot be made');
  expect(again.code).toBe(1);

  const into = await wats(['restore', file], { dir });
  expect(into.stderr).toContain('holds a database already');
  expect(into.code).toBe(1);

  const nonsense = join(dir, '..', 'nonsense');
  writeFileSync(nonsense, 'not a database at all, but some text that is long enough to be read as one');
  const other = join(dir, '..', 'other');
  const bad = await wats(['restore', nonsense], { dir: other });
  expect(bad.stderr).toContain('is no backup of wats');
  expect(existsSync(join(other, 'wats.db'))).toBe(false);
});

test('a report holds no key, no id, no text, no name and no path of the person', async () => {
  const dir = place('profile = "marvin"\n[agent]\nabout = "my secret plan"\n');
  await running(dir);
  const { id } = await watsJson<{ id: string }>(['ask', 'a private question'], { dir });
  const { stdout, code } = await wats(['report'], { dir });
  expect(code).toBe(0);
  expect(stdout).toContain('## Log');
  expect(stdout).toContain('agent.about = set');
  for (const secret of [
    id,
    id.slice(0, 15),
    'a private question',
    'my secret plan',
    'marvin',
    dir,
    '12D3KooW',
  ]) {
    expect(stdout).not.toContain(secret);
  }
});
