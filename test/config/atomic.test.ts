import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, load } from './support.ts';

const CONFIG = new URL('../../src/config/index.ts', import.meta.url).href;

/** Sets `agent.about` again and again to a text of one letter, until it is killed. */
const WRITER = `
  import { saveSettings } from ${JSON.stringify(CONFIG)};
  const around = { user: 'ada', home: '/h', cwd: '/', dataDir: '/d', realPath: (path) => path, suggest: () => undefined };
  for (let i = 0; ; i += 1) {
    saveSettings(process.argv[1], [{ key: 'agent.about', text: 'abcdefghij'[i % 10].repeat(4000) }], around);
    if (i === 0) process.stdout.write('writing');
  }
`;

test('whoever reads during a write, and whatever a kill leaves behind, is one whole text', async () => {
  const dir = folder();
  const path = join(dir, 'config.toml');
  writeFileSync(path, '# mine\nprofile = "ada"\n');
  const whole = () => {
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^# mine\nprofile = "ada"\n/);
    expect(load(text).settings['agent.about']).toMatch(/^(([a-j])\2{3999})?$/);
  };
  for (let round = 0; round < 4; round += 1) {
    const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(writer, 'exit');
    try {
      await once(writer.stdout, 'data');
      for (let reads = 0; reads < 100 + round * 37; reads += 1) whole();
    } finally {
      writer.kill('SIGKILL');
      await ended;
    }
    whole();
  }
  // What a killed write leaves beside the file is never read: another name, and at most one a process.
  expect(
    readdirSync(dir).filter((name) => name !== 'config.toml' && !/^config\.toml\.\d+\.tmp$/.test(name)),
  ).toEqual([]);
});
