import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  cleanEnv,
  dataDirectory,
  eventually,
  finished,
  startNode,
  WATS,
  wats,
  watsJson,
} from '../support/node.ts';
import { makeHouse } from './support/house.ts';

interface Status {
  readonly alerts: readonly { readonly code: string; readonly text: string; readonly fix: string | null }[];
  readonly queue: { readonly total: number; readonly verdict: string | null };
}

/** A bare `wats` without a screen, as a server has it; what it says on stderr. */
function bare(dir: string, args: readonly string[] = []) {
  const child = spawn(process.execPath, [WATS, '--no-tui', '--dir', dir, ...args], { env: cleanEnv() });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = finished(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { stderr: () => stderr, ended, stop: () => child.kill('SIGTERM') };
}

test('for a program that wats can hold nothing back from, the banner and the status say so at every level', async () => {
  const unguarded = 'wats hands an agent program its tools and its limits, and holds back nothing else';
  const house = makeHouse();
  const daemon = bare(house.dir);
  await eventually(() => daemon.stderr().includes('LOCKED'));
  expect(daemon.stderr()).toContain(
    'LOCKED  the wats tools; whatever the program does by itself, as this user',
  );
  expect(daemon.stderr()).toContain(`! ${unguarded}`);
  const { alerts } = await watsJson<Status>(['status'], { dir: house.dir });
  expect(alerts).toEqual([{ code: 'unguarded', text: unguarded, fix: null }]);
  daemon.stop();
  expect(await daemon.ended).toMatchObject({ code: 0 });

  // Who may wake it, and that its posts are held, must be said before it may have everything of the user.
  const refused = await wats(['node', '--access', 'inherit'], { dir: house.dir });
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('agent.allow') });
  const open = bare(house.dir, ['--access', 'inherit', '--allow', 'a'.repeat(64), '--agent-review']);
  await eventually(() => open.stderr().includes('INHERIT'));
  expect(open.stderr()).toContain(`! ${unguarded}`);
  expect(open.stderr()).toMatch(/for this run only: .*agent\.access/);
});

/** A claude that says what a test wants: its version, and whether it is logged in. */
function fakeClaude(version: string, loggedIn: boolean): string {
  return `#!/bin/sh
case "$1" in
  --version) echo '${version} (Claude Code)' ;;
  --help) echo '  --restricted' ;;
  auth) echo '{"loggedIn": ${loggedIn}}' ;;
esac
`;
}

test.each([
  ['is missing', null, 'runtime', /claude\) is not in PATH\. npm install -g @anthropic-ai\/claude-code/],
  [
    'is too old',
    fakeClaude('2.0.9', true),
    'runtime',
    /claude 2\.0\.9 is too old; 2\.1\.197 or newer is needed\. claude update/,
  ],
  ['is not logged in', fakeClaude('2.1.332', false), 'login', /not logged in\. claude auth login/],
])(
  'a program that %s is told with the fix, its wakes wait, and it runs once that is mended',
  async (_, program, code, says) => {
    const place = dataDirectory(
      'profile = "person"\n[agent]\nruntime = "claude"\nevery = "0s"\nignore_local = false\nnotify = false\n',
    );
    onTestFinished(place.remove);
    const { dir } = place;
    const bin = join(dir, '..', 'bin');
    mkdirSync(bin);
    if (program !== null) writeFileSync(join(bin, 'claude'), program, { mode: 0o755 });
    const node = await startNode(dir, { env: { PATH: `${bin}:/usr/bin:/bin` } });
    onTestFinished(async () => {
      node.kill('SIGTERM');
      await node.ended;
    });
    const before = await watsJson<Status>(['status'], { dir });
    expect(before.alerts).toEqual([
      { code, text: expect.stringMatching(says), fix: expect.stringContaining('wats agent resume') },
    ]);
    await wats(['ask', 'what now?'], { dir });
    await node.saw(({ type }) => type === 'woken');
    expect((await watsJson<Status>(['status'], { dir })).queue).toMatchObject({
      total: 1,
      verdict: expect.stringMatching(says),
    });
    expect(node.said.map(({ type }) => type)).not.toContain('run_booked');
    if (code === 'runtime') {
      // Whoever insists gets another look, not a run of a program that nobody has checked the switches of.
      await wats(['agent', 'resume'], { dir });
      await node.saw(({ type, outcome }) => type === 'run_ended' && outcome === 'config');
      expect(node.said.map(({ type }) => type)).not.toContain('run_spawned');
      const again = await watsJson<Status>(['status'], { dir });
      expect(again.alerts).toMatchObject([{ code, text: expect.stringMatching(says) }]);
      expect(again.queue.total).toBe(1);
    }
    writeFileSync(join(bin, 'claude'), fakeClaude('2.1.332', true), { mode: 0o755 });
    await wats(['agent', 'resume'], { dir });
    await node.saw(({ type }) => type === 'run_spawned');
  },
);
