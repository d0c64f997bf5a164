import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataDirectory } from '../support/node.ts';
import type { Pty } from '../support/pty.ts';
import { installCli } from './support/install-cli.ts';
import { afterwards, answeringDirectory, daemonOf, open } from './support/screens.ts';

const claude = await installCli('claude');
const skipped = claude.ok ? '' : ` (${claude.why})`;

describe.skipIf(!claude.ok)(`with the real claude on this machine${skipped}`, () => {
  test('the first start sets it up in the same terminal, starts again, and has an agent', async () => {
    const place = dataDirectory('profile = "me"\n');
    afterwards(place.remove);
    const home = join(place.dir, '..', `${place.dir.split('/').at(-1)}-home`);
    mkdirSync(home);
    const path = [claude.ok ? claude.dir : '', dirname(process.execPath), '/usr/bin', '/bin'].join(':');
    const terminal = open(['--dir', place.dir], {
      env: { PATH: path, HOME: home, DISABLE_AUTOUPDATER: '1', ANTHROPIC_API_KEY: 'sk-none' },
    });
    await terminal.until('⏎ set up');
    terminal.type('\r');
    await terminal.until(/▸ 1 set up claude \d/);
    terminal.type('\r');
    // The command has the terminal: it says what it will do, and asks.
    await terminal.until(/do it\?/);
    expect(terminal.alternate).toBe(false);
    expect(await terminal.inOrder()).toBe(true);
    expect(
      existsSync(join(home, '.claude.json')) && readFileSync(join(home, '.claude.json'), 'utf8'),
    ).not.toContain('wats');
    terminal.type('y\r');
    await terminal.until('Enter goes back to wats');
    terminal.type('\r');
    await terminal.until('claude is set up.');
    expect(terminal.alternate).toBe(true);
    terminal.type('\r');
    const again = await terminal.until(/agent \S+-agent · claude \d/);
    expect(again).toContain('LOCKED');
    expect(readFileSync(join(home, '.claude.json'), 'utf8')).toContain('wats');
    terminal.type('q');
    await terminal.until('▸ 1 quit');
    terminal.type('\r');
    expect(await terminal.ended).toBe(0);
    expect(await terminal.inOrder()).toBe(true);
  });

  test('what is not agreed to is not done, and the screen comes back as it was', async () => {
    const place = dataDirectory('profile = "me"\n');
    afterwards(place.remove);
    const path = [claude.ok ? claude.dir : '', dirname(process.execPath), '/usr/bin', '/bin'].join(':');
    const terminal = open(['--dir', place.dir], { env: { PATH: path, HOME: place.dir } });
    await terminal.until('⏎ set up');
    terminal.type('\r');
    await terminal.until(/▸ 1 set up claude \d/);
    terminal.type('\r');
    await terminal.until(/do it\?/);
    terminal.type('n\r');
    await terminal.until('Enter goes back to wats');
    terminal.type('\r');
    await terminal.until('claude was not set up');
    expect(readFileSync(join(place.dir, 'config.toml'), 'utf8')).toBe('profile = "me"\n');
  });
});

test('a changed safety setting is red, stands first in the settings, and K acknowledges it there and then', async () => {
  const dir = answeringDirectory();
  const first = open(['--dir', dir]);
  await first.until('No run yet');
  first.kill('SIGTERM');
  await first.ended;
  appendFileSync(join(dir, 'config.toml'), 'max_turns = 20\n');
  const daemon = open(['--dir', dir]);
  await daemon.until('SAFETY');
  const view = open(['agent', 'attach', '--dir', dir]);
  await view.until('SAFETY');
  view.type('7');
  await view.until(/▸! agent\.max_turns +10 → 20/);
  view.type('K');
  await view.until('acknowledge these? [y/N]');
  view.type('y\r');
  await view.until('Enter goes back to wats');
  view.type('\r');
  for (const terminal of [view, daemon])
    await terminal.until((text) => text.includes('review on') && !text.includes('SAFETY'));
  expect(await view.text()).not.toContain('!  agent.max_turns');
});

/** Chooses it in the quit dialog, once the change was noticed. */
async function startAgain(terminal: Pty): Promise<void> {
  await terminal.until('config.toml has changed');
  terminal.type('q');
  await terminal.until('3 start again');
  terminal.type('3');
  await terminal.until('▸ 3 start again');
  terminal.type('\r');
}

test('a changed config.toml is taken up by starting again from the screen', async () => {
  const dir = answeringDirectory();
  const terminal = open(['--dir', dir]);
  await terminal.until('No run yet');
  const pid = terminal.pid;
  appendFileSync(join(dir, 'config.toml'), 'about = "answers"\n');
  await startAgain(terminal);
  await terminal.until((text) => text.includes('No run yet') && !text.includes('config.toml has changed'));
  terminal.type('7');
  await terminal.until('Settings');
  terminal.type('/');
  for (const key of 'agent.about') terminal.type(key);
  await terminal.until(/agent\.about +"answers"/);
  expect(terminal.pid).toBe(pid);
});

test('with a config.toml that cannot be read, starting again says what is wrong, and the daemon goes on', async () => {
  const dir = answeringDirectory();
  const terminal = open(['--dir', dir]);
  await terminal.until('No run yet');
  const daemon = await daemonOf(dir);
  const good = readFileSync(join(dir, 'config.toml'), 'utf8');
  writeFileSync(join(dir, 'config.toml'), `${good}max_turns = "many"\n`);
  await startAgain(terminal);
  expect(await terminal.until('not started again')).toContain('agent.max_turns');
  expect(await daemonOf(dir)).toBe(daemon);
  writeFileSync(join(dir, 'config.toml'), `${good}max_turns = 7\n`);
  await startAgain(terminal);
  await terminal.until((text) => text.includes('No run yet') && !text.includes('config.toml has changed'));
  terminal.type('7');
  await terminal.until(/agent\.max_turns +10 → 7/);
});
