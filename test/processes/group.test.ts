import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  endGroup,
  endLeftovers,
  groupMembers,
  identityOf,
  signalGroup,
  spawnGroup,
} from '../../src/processes/index.ts';
import { runs, until } from '../support/look.ts';
import { startFamily } from './family.ts';

const QUICK = { killAfterMs: 100 };

test('ending a group ends the program and its helpers', async () => {
  const { identity, pids, exited } = await startFamily('child');
  await endGroup(identity, { killAfterMs: 20_000 });
  expect(await exited).toEqual({ code: null, signal: 'SIGTERM' });
  expect(runs(pids['child'])).toBe(false);
  expect(await groupMembers(identity)).toEqual([]);
});

test('whoever ignores SIGTERM gets SIGKILL', async () => {
  const { identity, pids, exited } = await startFamily('stubborn', 'child');
  await endGroup(identity, QUICK);
  expect(await exited).toEqual({ code: null, signal: 'SIGKILL' });
  expect(runs(pids['child'])).toBe(false);
});

test('a program that ends by itself in time is not signalled', async () => {
  const { identity, child, exited } = await startFamily();
  const ended = endGroup(identity, { termAfterMs: 20_000 });
  child.kill('SIGHUP');
  await ended;
  expect(await exited).toEqual({ code: null, signal: 'SIGHUP' });
});

test('helpers are ended although their leader was killed before', async () => {
  const { identity, pids, exited } = await startFamily('stubborn', 'child');
  process.kill(identity.pid, 'SIGKILL');
  await exited;
  expect(runs(pids['child'])).toBe(true);
  await endGroup(identity, QUICK);
  expect(runs(pids['child'])).toBe(false);
});

test.runIf(process.platform === 'linux')('a helper in a process group of its own is ended too', async () => {
  const { identity, pids } = await startFamily('session-mate');
  await until(async () => (await groupMembers(identity)).some((row) => row.group !== identity.pid));
  const apart = (await groupMembers(identity)).filter((row) => row.group !== identity.pid);
  await endGroup(identity, QUICK);
  expect(runs(pids['session-mate'])).toBe(false);
  for (const row of apart) expect(runs(row.pid)).toBe(false);
});

test('a group whose id belongs to somebody else by now is left alone', async () => {
  const { identity, pids } = await startFamily('child');
  const earlier = { pid: identity.pid, startToken: 'an earlier start' };
  expect(await groupMembers(earlier)).toEqual([]);
  await endGroup(earlier, QUICK);
  expect(runs(identity.pid)).toBe(true);
  expect(runs(pids['child'])).toBe(true);
});

test('ending a group twice, or one long gone, does nothing', async () => {
  const { identity } = await startFamily();
  await Promise.all([endGroup(identity, QUICK), endGroup(identity, QUICK)]);
  await endGroup(identity, QUICK);
  await endGroup(await identityOf(2 ** 22), QUICK);
});

test('a signal reaches every member', async () => {
  const { identity, pids, exited } = await startFamily('child');
  await signalGroup(identity, 'SIGTERM');
  await exited;
  await until(() => !runs(pids['child']));
});

test.runIf(process.platform === 'linux')(
  'a zombie that nobody reaps does not hold up the end of its group',
  async () => {
    // The subshell leaves the session but stays the parent of its dead child, which it never waits for.
    const script = 'exec 3<&0; ((read line <&3) & echo $!; exec setsid sleep 60) & wait';
    const dir = mkdtempSync(join(tmpdir(), 'wats-zombie-'));
    const env = { PATH: process.env['PATH'] ?? '', WATS_RUN_DIR: dir };
    const group = await spawnGroup(['sh', '-c', script], { cwd: dir, env });
    onTestFinished(async () => {
      await endLeftovers({ leader: group.identity, runDir: dir }, { killAfterMs: 0 });
      rmSync(dir, { recursive: true, force: true });
    });
    const child = Number(
      await new Promise<string>((done) => group.child.stdout.once('data', (chunk) => done(String(chunk)))),
    );
    // Once the subshell is out of the session, only the leader and the child are left in it.
    await until(async () => (await groupMembers(group.identity)).length === 2);
    group.child.stdin.write('\n');
    await until(() => readFileSync(`/proc/${child}/stat`, 'latin1').includes(') Z '));
    await endGroup(group.identity, { killAfterMs: 20_000 });
    expect(await groupMembers(group.identity)).toEqual([]);
    expect(readFileSync(`/proc/${child}/stat`, 'latin1')).toContain(') Z ');
  },
);
