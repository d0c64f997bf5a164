import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { endGroup, type ProcessIdentity, spawnGroup } from '../../src/processes/index.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };

function scratch(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'wats-spawn-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('a program gets exactly the environment and the directory it was given', async () => {
  const cwd = scratch();
  const program = 'process.stdout.write(JSON.stringify({ env: process.env, cwd: process.cwd() }))';
  const { child, exited } = await spawnGroup([process.execPath, '-e', program], {
    cwd,
    env: { ONE: 'a b', TWO: '' },
  });
  const seen = JSON.parse(await text(child.stdout)) as { env: Record<string, string>; cwd: string };
  // macOS adds one variable of its own to every process.
  delete seen.env['__CF_USER_TEXT_ENCODING'];
  expect(seen).toEqual({ env: { ONE: 'a b', TWO: '' }, cwd });
  expect(await exited).toEqual({ code: 0, signal: null });
});

test('arguments never meet a shell', async () => {
  const words = ['$(touch stolen)', '; exit 9', '*', '`id`', '"', "'"];
  const program = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
  const { child } = await spawnGroup([process.execPath, '-e', program, '--', ...words], {
    cwd: scratch(),
    env: ENV,
  });
  expect(JSON.parse(await text(child.stdout))).toEqual(words);
});

test('a program leads a process group of its own', async () => {
  const { child, identity } = await spawnGroup(['sh', '-c', 'ps -o pgid= -p $$; cat'], {
    cwd: scratch(),
    env: ENV,
  });
  onTestFinished(() => endGroup(identity, { killAfterMs: 0 }));
  const group = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk))),
  );
  expect(Number(group)).toBe(identity.pid);
});

test('its identity is told before anything could be written to it', async () => {
  const told: ProcessIdentity[] = [];
  const group = await spawnGroup(['cat'], {
    cwd: scratch(),
    env: ENV,
    onSpawn: (identity) => told.push(identity),
  });
  expect(told).toEqual([group.identity]);
  group.child.stdin.end('after');
  expect(await text(group.child.stdout)).toBe('after');
});

test('an ending is told also to whoever asks after it', async () => {
  const { child, exited } = await spawnGroup(['sh', '-c', 'exit 7'], { cwd: scratch(), env: ENV });
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.stdout.resume();
  child.stderr.resume();
  await closed;
  expect(await exited).toEqual({ code: 7, signal: null });
});

test('a program that is not there, or may not run, is a sentence with a fix', async () => {
  const cwd = scratch();
  const plain = join(cwd, 'plain.txt');
  writeFileSync(plain, 'no program');
  await expect(spawnGroup(['wats-no-such-program'], { cwd, env: ENV })).rejects.toMatchObject({
    code: 'runtime',
    message: expect.stringContaining('wats-no-such-program cannot be started: it was not found'),
    fix: expect.stringContaining('agent.command'),
  });
  await expect(spawnGroup([plain], { cwd, env: ENV })).rejects.toMatchObject({
    code: 'runtime',
    message: expect.stringContaining('may not be executed'),
  });
  await expect(spawnGroup(['a\0b'], { cwd, env: ENV })).rejects.toMatchObject({ code: 'runtime' });
  await expect(spawnGroup([], { cwd, env: ENV })).rejects.toMatchObject({ code: 'runtime' });
});

test('writing to a program that has closed its input does not bring the daemon down', async () => {
  const { child, exited } = await spawnGroup(['true'], { cwd: scratch(), env: ENV });
  await exited;
  const failed = await new Promise<unknown>((resolve) => child.stdin.write('x'.repeat(1 << 20), resolve));
  expect(failed).toBeInstanceOf(Error);
});
