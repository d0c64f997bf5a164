import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runs, until } from '../support/look.ts';
import { eventually, watsJson } from '../support/node.ts';
import type { Pty } from '../support/pty.ts';
import { afterwards, daemonOf, endDaemon, open, waitingDirectory } from './support/screens.ts';

/** A run is going on the screen. */
async function withRun(): Promise<{ terminal: Pty; dir: string; finish: () => void }> {
  const { dir, finish } = waitingDirectory();
  const terminal = open(['--dir', dir]);
  await terminal.until('No run yet');
  terminal.type('r');
  await terminal.until('I am at work.');
  return { terminal, dir, finish };
}

async function runsOf(dir: string): Promise<readonly { readonly outcome: string }[]> {
  // The daemon is gone: a new one says what the last one did.
  const terminal = open(['--dir', dir]);
  await terminal.until('node ');
  const { runs: all } = await watsJson<{ runs: { outcome: string }[] }>(['agent', 'runs'], { dir });
  terminal.kill('SIGTERM');
  await terminal.ended;
  return all;
}

test('q while a run is going waits for it by default, shows it to its end, and leaves the terminal in order', async () => {
  const { terminal, dir, finish } = await withRun();
  terminal.type('q');
  await terminal.until('▸ 1 let the run finish, then quit');
  terminal.type('\r');
  await terminal.until('QUITS WHEN THE RUN ENDS');
  expect(runs(terminal.pid)).toBe(true);
  finish();
  expect(await terminal.ended).toBe(0);
  expect(await terminal.inOrder()).toBe(true);
  expect(await runsOf(dir)).toMatchObject([{ outcome: 'idle' }]);
});

test('q, stop the run and quit: the run is interrupted and the program ends', async () => {
  const { terminal, dir } = await withRun();
  terminal.type('q');
  await terminal.until('let the run finish');
  terminal.type('2');
  await terminal.until('▸ 2 stop the run and quit');
  terminal.type('\r');
  expect(await terminal.ended).toBe(0);
  expect(await terminal.inOrder()).toBe(true);
  const [run] = await runsOf(dir);
  expect(run?.outcome).not.toBe('ok');
});

test('q, stay: everything goes on; Esc is the same', async () => {
  const { terminal, finish } = await withRun();
  for (const stay of ['\x1b', '3\r']) {
    terminal.type('q');
    await terminal.until('let the run finish');
    for (const key of stay) {
      terminal.type(key);
      await terminal.until(key === '3' ? '▸ 3 stay' : /following/);
    }
    await terminal.until('S stop run');
  }
  finish();
  await terminal.until('My work is done.');
});

test('with no run going, q also goes on in the background, where attach shows the same node', async () => {
  const { dir } = waitingDirectory();
  afterwards(() => endDaemon(dir));
  const terminal = open(['--dir', dir]);
  const before = await terminal.until('No run yet');
  terminal.type('q');
  await terminal.until('2 go on in the background');
  terminal.type('2');
  await terminal.until('▸ 2 go on in the background');
  terminal.type('\r');
  expect(await terminal.ended).toBe(0);
  expect(await terminal.inOrder()).toBe(true);
  expect(await terminal.text()).toMatch(/wats goes on in the background \(process \d+\)/);
  const view = open(['agent', 'attach', '--dir', dir]);
  const node = /node (\S{15})/.exec(before)?.[1] ?? 'none';
  expect(await view.until('No run yet')).toContain(node);
  view.type('q');
  expect(await view.ended).toBe(0);
  expect(await view.inOrder()).toBe(true);
  expect(await daemonOf(dir), 'it is still there').not.toBeNull();
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends the daemon in order, with exit code 0, and the terminal is as it was',
  async (signal) => {
    const { dir } = waitingDirectory();
    const terminal = open(['--dir', dir]);
    await terminal.until('No run yet');
    terminal.type('m');
    await terminal.until('clicks are on');
    terminal.kill(signal);
    expect(await terminal.ended).toBe(0);
    expect(await terminal.inOrder()).toBe(true);
    // What a shell prints next stands where it should.
    expect(terminal.alternate).toBe(false);
  },
);

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)(
  '%s ends a view with exit code %i and restores the terminal; the daemon goes on',
  async (signal, code) => {
    const { dir } = waitingDirectory();
    const daemon = open(['--dir', dir]);
    await daemon.until('No run yet');
    const view = open(['agent', 'attach', '--dir', dir]);
    await view.until('No run yet');
    view.kill(signal);
    expect(await view.ended).toBe(code);
    expect(await view.inOrder()).toBe(true);
    expect(runs(daemon.pid)).toBe(true);
  },
);

test('a window that is closed ends its view and, with its screen, the daemon in it: nothing goes on unseen', async () => {
  const { dir } = waitingDirectory();
  const daemon = open(['--dir', dir]);
  await daemon.until('No run yet');
  const view = open(['agent', 'attach', '--dir', dir]);
  await view.until('No run yet');
  view.hangUp();
  await until(() => !runs(view.pid));
  expect(runs(daemon.pid)).toBe(true);
  daemon.hangUp();
  await until(() => !runs(daemon.pid));
  expect(await daemonOf(dir)).toBeNull();
  const again = open(['--dir', dir]);
  expect(await again.until('No run yet')).not.toContain('twin');
});

const DEFECT = { NODE_OPTIONS: `--import ${new URL('support/defect.mjs', import.meta.url).href}` };

test('an error that nobody caught ends the daemon with its stack, in the log too, and the terminal in order', async () => {
  const { dir } = waitingDirectory();
  const terminal = open(['--dir', dir], { env: DEFECT });
  await terminal.until('No run yet');
  terminal.type('m');
  await terminal.until('clicks are on');
  terminal.kill('SIGUSR2');
  expect(await terminal.ended).toBe(1);
  expect(await terminal.inOrder()).toBe(true);
  expect(await terminal.text(), 'it can be read').toContain('a defect that nobody caught');
  expect(readFileSync(join(dir, 'wats.log'), 'utf8')).toMatch(
    /"what":"crashed".*a defect that nobody caught/,
  );
  const again = open(['--dir', dir]);
  await again.until('No run yet');
});

test('an error that nobody caught ends a view with its stack and the terminal in order; the daemon goes on', async () => {
  const { dir } = waitingDirectory();
  const daemon = open(['--dir', dir]);
  await daemon.until('No run yet');
  const view = open(['agent', 'attach', '--dir', dir], { env: DEFECT });
  await view.until('No run yet');
  view.kill('SIGUSR2');
  expect(await view.ended).toBe(1);
  expect(await view.inOrder()).toBe(true);
  expect(await view.text()).toContain('a defect that nobody caught');
  expect(runs(daemon.pid)).toBe(true);
  daemon.type('?');
  await daemon.until('type to find');
});

test('^Z gives the terminal back to a shell with job control, and fg comes back to the same screen', async () => {
  const { dir } = waitingDirectory();
  const shell = open(['--norc', '--noprofile', '-i'], {
    program: 'bash',
    env: { PS1: '$ ', HISTFILE: '/dev/null' },
  });
  await shell.until('$ ');
  shell.type(`${process.execPath} ${process.cwd()}/bin/wats.js --dir ${dir}\r`);
  await shell.until('No run yet');
  shell.type('\x1a');
  await shell.until('Stopped');
  expect(shell.alternate).toBe(false);
  expect(shell.written.lastIndexOf('\x1b[?25h')).toBeGreaterThan(shell.written.lastIndexOf('\x1b[?25l'));
  shell.type('echo $((6 * 7))\r');
  await shell.until('42');
  shell.type('fg\r');
  expect(await shell.until('No run yet')).toContain('? help');
  expect(shell.alternate).toBe(true);
  shell.type('q');
  await shell.until('▸ 1 quit');
  shell.type('\r');
  await eventually(() => !shell.alternate);
  shell.type('echo code $?\r');
  await shell.until('code 0');
  shell.type('exit\r');
  await shell.ended;
});

test('after kill -9 the next wats on the same terminal puts it in order, and loses nothing that was known', async () => {
  const { dir } = waitingDirectory();
  const shell = open(['--norc', '--noprofile', '-i'], {
    program: 'bash',
    env: { PS1: '$ ', HISTFILE: '/dev/null' },
  });
  await shell.until('$ ');
  const start = `${process.execPath} ${process.cwd()}/bin/wats.js --dir ${dir}\r`;
  shell.type('echo be""fore\r');
  await shell.until('before');
  shell.type(start);
  await shell.until('No run yet');
  shell.type('m');
  await shell.until('clicks are on');
  const pid = await daemonOf(dir);
  if (pid === null) throw new Error('it does not listen');
  process.kill(pid, 'SIGKILL');
  await shell.until(/^\$ *$/m);
  expect(shell.alternate, 'a killed program puts nothing back').toBe(true);
  shell.type(start);
  await shell.until('No run yet');
  shell.type('q');
  await shell.until('▸ 1 quit');
  shell.type('\r');
  await eventually(() => !shell.alternate);
  shell.type('echo af""ter\r');
  const text = await shell.until(/before[\s\S]*after/);
  expect(text, 'the shell is where it was before the first start').toContain('$ echo af""ter');
  expect(text).not.toContain('No run yet');
  shell.type('exit\r');
  await shell.ended;
  expect(await shell.inOrder()).toBe(true);
});
