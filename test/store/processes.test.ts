import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { acquireLock } from '../../src/store/index.ts';
import { hex, NOW, tempFolder, tempStore } from './support.ts';

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

function start(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'programs', program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return { child, line: async () => String((await lines.next()).value) };
}

/** A process that is about to take the lock. */
async function holder(path: string) {
  const { child, line } = start('holder.ts', path);
  expect(await line()).toBe('ready');
  return {
    child,
    take: async () => {
      child.stdin?.write('go\n');
      return await line();
    },
  };
}

describe('the lock of a data directory', () => {
  it('refuses a second process, and is freed when the first is killed', async () => {
    const path = join(tempFolder(), 'lock.db');
    const [first, second] = [await holder(path), await holder(path)];
    expect(await first.take()).toBe('held');
    expect(await second.take()).toBe('already_running');
    expect(() => acquireLock(path)).toThrow(
      expect.objectContaining({ code: 'already_running', fix: expect.stringContaining('--dir') }),
    );
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    acquireLock(path).release();
  });

  it('goes to exactly one of many that start at the same moment', async () => {
    const path = join(tempFolder(), 'lock.db');
    const all = await Promise.all(Array.from({ length: 5 }, () => holder(path)));
    const answers = await Promise.all(all.map(({ take }) => take()));
    expect(answers.toSorted()).toEqual([...Array(4).fill('already_running'), 'held']);
  });

  it('can be taken again after it was released', () => {
    const path = join(tempFolder(), 'lock.db');
    acquireLock(path).release();
    acquireLock(path).release();
  });
});

describe('a writer that is killed', () => {
  it('leaves every acknowledged post, and no wake twice or lost', async () => {
    const path = join(tempFolder(), 'wats.db');
    let acknowledged = 0;
    for (const pause of [11, 24, 37]) {
      const { child, line } = start('writer.ts', path);
      const until = acknowledged + pause;
      while (acknowledged < until) acknowledged = Number(await line());
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const store = tempStore(path);
    expect(store.posts.count()).toBeGreaterThanOrEqual(acknowledged);
    for (let n = 1; n <= acknowledged; n++) expect(store.posts.bySeq(n)?.post.id).toBe(hex(`post ${n}`));
    while (store.wakes.step('main', 50, NOW, () => ({ verdict: 'wake', rule: 'ask' })).read > 0);
    const wakes = store.wakes.load(store.wakes.queued('main', 10_000).map(({ id }) => id));
    expect(wakes.map(({ post }) => post?.seq)).toEqual(
      Array.from({ length: store.posts.count() }, (_, n) => n + 1),
    );
  });
});
