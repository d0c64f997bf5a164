import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dataDirectory, wats, watsJson } from '../support/node.ts';

function place(config = ''): { dir: string; text: () => string } {
  const { dir, remove } = dataDirectory(config);
  onTestFinished(remove);
  const file = join(dir, 'config.toml');
  return { dir, text: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') };
}

test('settings that need one another are set in one call, and refused one by one', async () => {
  const { dir, text } = place('# mine\n');
  const alone = await wats(['config', 'set', 'agent.runtime', 'command'], { dir });
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('needs agent.command') });
  const both = await wats(['config', 'set', 'agent.runtime=command', 'agent.command=["/bin/echo", "a=b"]'], {
    dir,
  });
  expect(both.code).toBe(0);
  expect(both.stdout).toBe(
    'agent.runtime set; a running daemon takes it up when it is restarted\n' +
      'agent.command set; a running daemon takes it up when it is restarted\n',
  );
  expect(both.stderr).toContain('agent.command is a safety setting: flagged until "wats config ack"');
  expect(text()).toBe('# mine\n\n[agent]\nruntime = "command"\ncommand = ["/bin/echo", "a=b"]\n');
});

test('a file with two bad values is mended by one call', async () => {
  const { dir, text } = place('[agent]\nmax_turns = "many"\ntimeout = 10\n');
  expect((await wats(['config', 'set', 'agent.max_turns', '5'], { dir })).code).toBe(2);
  expect((await wats(['config', 'set', 'agent.max_turns=5', 'agent.timeout=2m'], { dir })).code).toBe(0);
  expect(text()).toBe('[agent]\nmax_turns = 5\ntimeout = "2m"\n');
});

test('several settings are set all or none, and a word that is no pair is named', async () => {
  const { dir, text } = place('profile = "p"\n');
  for (const [words, says] of [
    [['log.level=debug', 'agent.timeout=10'], 'agent.timeout'],
    [['log.level=debug', 'agent.tiemout=10m'], 'agent.timeout'],
    [['log.level=debug', 'profile', 'x'], '"profile" is not KEY=VALUE'],
    [['=debug'], '"=debug" is not KEY=VALUE'],
    [['log.level'], 'a value are missing'],
  ] as const) {
    const refused = await wats(['config', 'set', ...words], { dir });
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
    expect(text()).toBe('profile = "p"\n');
  }
});

test('a value of several words needs no quotes, and may hold a "="', async () => {
  const { dir } = place();
  await wats(['config', 'set', 'agent.about', 'I', 'know', 'why', '1+1=2'], { dir });
  expect(await watsJson(['config', 'get', 'agent.about'], { dir })).toMatchObject({
    value: 'I know why 1+1=2',
  });
});

test('several settings are unset in one call, retired and unknown ones that stand in the file among them', async () => {
  const { dir, text } = place();
  writeFileSync(join(dir, 'config.toml'), 'profile = "p"\nodd = 1\n\n[agent]\nthread_backoff = "1m"\n', {
    mode: 0o600,
  });
  const saved = await watsJson<{ changed: string[]; flagged: string[] }>(
    ['config', 'unset', 'odd', 'agent.thread_backoff', 'log.level'],
    { dir },
  );
  expect(saved).toEqual({ changed: ['odd', 'agent.thread_backoff'], flagged: [] });
  expect(text()).toContain('profile = "p"\n');
  expect(text()).not.toMatch(/odd|thread_backoff/);
});
