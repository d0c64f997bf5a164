import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { endGroup, identityOf, isAlive, spawnGroup } from '../../src/processes/index.ts';
import { parsePs, parseStat } from '../../src/processes/table.ts';
import { until } from '../support/look.ts';
import { startFamily } from './family.ts';

test('a running process is alive until it is killed', async () => {
  const family = await startFamily();
  expect(await identityOf(family.identity.pid)).toEqual(family.identity);
  expect(await isAlive(family.identity)).toBe(true);
  process.kill(family.identity.pid, 'SIGKILL');
  await family.exited;
  expect(await isAlive(family.identity)).toBe(false);
});

test('another process with the same id is somebody else', async () => {
  const self = await identityOf(process.pid);
  expect(await isAlive(self)).toBe(true);
  expect(await isAlive({ pid: process.pid, startToken: `${self.startToken}0` })).toBe(false);
});

test('an id that nobody has gives an identity that is never alive', async () => {
  const pid = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
  const nobody = await identityOf(pid);
  expect(nobody.pid).toBe(pid);
  expect(await isAlive(nobody)).toBe(false);
});

test.runIf(process.platform === 'linux')('a zombie is not alive', async () => {
  // The child ends once a line comes, and by then `exec` has put a program that reaps nobody in its parent's place.
  const parent = await spawnGroup(['sh', '-c', 'exec 3<&0; (read line <&3) & echo $!; exec sleep 60'], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
  });
  onTestFinished(() => endGroup(parent.identity, { killAfterMs: 0 }));
  const pid = Number(
    await new Promise<string>((done) => parent.child.stdout.once('data', (c) => done(String(c)))),
  );
  await until(() => readFileSync(`/proc/${parent.identity.pid}/comm`, 'latin1') === 'sleep\n');
  parent.child.stdin.write('\n');
  await until(() => readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z '));
  const zombie = await identityOf(pid);
  expect(zombie.startToken).not.toBe('gone');
  expect(await isAlive(zombie)).toBe(false);
});

test('a program whose name looks like the rest of the line is read right', () => {
  // proc(5): pid (name) state ppid pgrp session …, the start being field 22.
  const fields = Array.from({ length: 30 }, (_, i) => String(i + 100));
  fields[0] = 'S';
  const line = `4242 (a) Z 1 (b c) ${fields.join(' ')}\n`;
  expect(parseStat(line, 'boot-1')).toEqual({
    pid: 4242,
    parent: 101,
    group: 102,
    session: 103,
    zombie: false,
    startToken: 'boot-1:119',
  });
  expect(parseStat('', 'boot-1')).toBeNull();
});

test('the process list of macOS is read', () => {
  const output = [
    '    1     0     1 Ss   Mon Nov 30 08:01:02 2026    ',
    '  812     1   812 S+   Mon Nov 30 13:18:39 2026    ',
    '  813   812   812 Z    Mon Nov 30 13:18:40 2026    ',
    '',
  ].join('\n');
  expect(parsePs(output)).toEqual([
    { pid: 1, parent: 0, group: 1, session: 0, zombie: false, startToken: 'Mon Nov 30 08:01:02 2026' },
    { pid: 812, parent: 1, group: 812, session: 0, zombie: false, startToken: 'Mon Nov 30 13:18:39 2026' },
    { pid: 813, parent: 812, group: 812, session: 0, zombie: true, startToken: 'Mon Nov 30 13:18:40 2026' },
  ]);
});
