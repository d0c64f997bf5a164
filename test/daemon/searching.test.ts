import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { eventually, wats, watsJson } from '../support/node.ts';
import { node, place } from './support/nodes.ts';

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
    const dir = place('profile = "someone"\n');
    const daemon = await node(dir);
    const { id } = await watsJson<{ id: string }>(['post', 'the word is otter'], { dir });
    await watsJson(['inbox'], { dir });
    await watsJson(['status'], { dir });
    expect(threads(daemon.pid)).not.toContain('wats-reader');
    expect(
      await eventually(async () => (await found(dir, 'otter')).length > 0 && found(dir, 'otter')),
    ).toEqual([id]);
    expect(threads(daemon.pid).filter((name) => name === 'wats-reader')).toHaveLength(1);
    daemon.kill('SIGTERM');
    expect(await daemon.ended).toMatchObject({ code: 0 });
    expect(readdirSync(dir).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  },
);

test('a damaged search index costs one search, and is made again while the daemon runs', async () => {
  const dir = place('profile = "someone"\n');
  const first = await node(dir);
  const { id } = await watsJson<{ id: string }>(['post', 'the word is otter'], { dir });
  await eventually(async () => (await found(dir, 'otter')).length === 1);
  first.kill('SIGTERM');
  await first.ended;
  const db = new Database(join(dir, 'wats.db'));
  db.unsafeMode(true).exec("UPDATE posts_fts_data SET block = x'00112233' WHERE id > 10");
  db.close();

  await node(dir);
  const failed = await wats(['search', 'otter'], { dir });
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('search index was damaged') });
  await eventually(async () => (await wats(['search', 'otter', '--json'], { dir })).stdout.includes(id));
});

test('a note of damage that turns out to be wrong costs a look at the whole database, and nothing else', async () => {
  const dir = place('profile = "someone"\n');
  const first = await node(dir);
  const { id } = await watsJson<{ id: string }>(['post', 'kept'], { dir });
  first.kill('SIGTERM');
  await first.ended;
  writeFileSync(join(dir, 'wats.db.suspect'), '', { mode: 0o600 });
  await node(dir);
  expect(await watsJson(['read', id], { dir })).toMatchObject({ post: { text: 'kept' } });
  expect(readdirSync(dir).filter((name) => /suspect|damaged/.test(name))).toEqual([]);
});
