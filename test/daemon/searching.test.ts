import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { dataDirectory, eventually, type RunningNode, startNode, wats, watsJson } from '../support/node.ts';

async function running(dir: string): Promise<RunningNode> {
  const node = await startNode(dir);
  onTestFinished(async () => {
    node.kill('SIGKILL');
    await node.ended;
  });
  return node;
}

function place(): string {
  const { dir, remove } = dataDirectory('profile = "someone"\n');
  onTestFinished(remove);
  return dir;
}

/** Names of the threads of a process, as the kernel lists them. */
const threads = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8').trim(),
  );
const found = async (dir: string, ...words: string[]): Promise<string[]> =>
  (await watsJson<{ posts: { id: string }[] }>(['search', ...words], { dir })).posts.map(({ id }) => id);

test.skipIf(process.platform !== 'linux')(
  'a daemon searches on a thread of its own, which is not there before somebody searches',
  async () => {
    const dir = place();
    const node = await running(dir);
    const { id } = await watsJson<{ id: string }>(['post', 'the word is otter'], { dir });
    await watsJson(['inbox'], { dir });
    await watsJson(['status'], { dir });
    expect(threads(node.pid)).not.toContain('wats-reader');
    expect(
      await eventually(async () => (await found(dir, 'otter')).length > 0 && found(dir, 'otter')),
    ).toEqual([id]);
    expect(threads(node.pid).filter((name) => name === 'wats-reader')).toHaveLength(1);
    node.kill('SIGTERM');
    expect(await node.ended).toMatchObject({ code: 0 });
    expect(readdirSync(dir).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  },
);

test('a damaged search index costs one search, and is made again while the daemon runs', async () => {
  const dir = place();
  const first = await running(dir);
  const { id } = await watsJson<{ id: string }>(['post', 'the word is otter'], { dir });
  await eventually(async () => (await found(dir, 'otter')).length === 1);
  first.kill('SIGTERM');
  await first.ended;
  const db = new Database(join(dir, 'wats.db'));
  db.unsafeMode(true).exec("UPDATE posts_fts_data SET block = x'00112233' WHERE id > 10");
  db.close();

  await running(dir);
  const failed = await wats(['search', 'otter'], { dir });
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('search index was damaged') });
  await eventually(async () => (await wats(['search', 'otter', '--json'], { dir })).stdout.includes(id));
});

test('a note of damage that turns out to be wrong costs a look at the whole database, and nothing else', async () => {
  const dir = place();
  const first = await running(dir);
  const { id } = await watsJson<{ id: string }>(['post', 'kept'], { dir });
  first.kill('SIGTERM');
  await first.ended;
  writeFileSync(join(dir, 'wats.db.suspect'), '', { mode: 0o600 });
  await running(dir);
  expect(await watsJson(['read', id], { dir })).toMatchObject({ post: { text: 'kept' } });
  expect(readdirSync(dir).filter((name) => /suspect|damaged/.test(name))).toEqual([]);
});
