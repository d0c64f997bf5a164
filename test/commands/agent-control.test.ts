import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type House, makeHouse } from '../daemon/support/house.ts';
import { cleanEnv, eventually, finished, WATS, wats, watsJson } from '../support/node.ts';

interface Status {
  readonly queue: { readonly total: number; readonly verdict: string | null };
  readonly run: { readonly id: string; readonly state: string } | null;
}

const agent = (house: House, ...words: string[]) => wats(['agent', ...words], { dir: house.dir });
const outcomes = (house: House) =>
  house.rows<{ outcome: string | null }>('SELECT outcome FROM runs ORDER BY n').map(({ outcome }) => outcome);

test('a person stops, pauses, resumes and starts runs from the command line, and is told why one does not start', {
  timeout: 60_000,
}, async () => {
  const house = makeHouse({ agent: ['family'] });
  house.hold('before');
  const node = await house.start();
  const first = await house.ask('what now?');
  await eventually(() => house.steps('before')[0]);

  // One run at a time, whoever asks.
  const second = await agent(house, 'run');
  expect(second).toMatchObject({
    code: 75,
    stdout: '',
    stderr: expect.stringMatching(/no run starts now: after run r-/),
  });

  expect(await agent(house, 'stop')).toMatchObject({ code: 0, stdout: expect.stringContaining('stopping') });
  await node.saw(({ type, outcome }) => type === 'run_ended' && outcome === 'stopped');
  expect(house.marked()).toEqual([]);
  expect(await agent(house, 'stop')).toMatchObject({
    code: 75,
    stderr: expect.stringContaining('no run is going'),
  });
  house.release('before');

  // The wake of a stopped run is done; one that comes while paused waits, and nothing else starts either.
  expect((await agent(house, 'pause')).code).toBe(0);
  const later = await house.ask('and now?');
  await node.saw(({ type, post }) => type === 'woken' && post === later);
  expect(await agent(house, 'run')).toMatchObject({
    code: 75,
    stderr: expect.stringContaining('paused by you'),
  });
  const paused = await watsJson<Status>(['status'], { dir: house.dir });
  expect(paused.queue).toMatchObject({ total: 1, verdict: expect.stringContaining('paused by you') });
  expect(outcomes(house)).toEqual(['stopped']);

  expect((await agent(house, 'resume')).code).toBe(0);
  await node.saw(({ type, outcome }) => type === 'run_ended' && outcome === 'ok');
  const prompt = house.steps('prompted').at(-1)?.prompt;
  expect(prompt).toContain(later);
  expect(prompt).not.toContain(first);

  // A run that a person asked for needs no post.
  expect(await agent(house, 'run')).toMatchObject({ code: 0, stdout: 'a run is starting\n' });
  await eventually(() => outcomes(house).length === 3 && outcomes(house).at(-1) === 'idle');
  const runs = await agent(house, 'runs');
  expect(
    runs.stdout
      .split('\n')
      .slice(1, 4)
      .map((line) => /(stopped|ok|idle)/.exec(line)?.[1]),
  ).toEqual(['idle', 'ok', 'stopped']);
  expect(runs.stdout).toMatch(/today \$0\.00 of \$\d.*month \$0\.00 of/);
});

test('over its budget no run starts, and the window is named', async () => {
  const house = makeHouse();
  const node = await house.start({ env: { WATS_AGENT_MAX_RUNS_PER_DAY: '1', WATS_LOG_LEVEL: 'debug' } });
  expect((await agent(house, 'run')).code).toBe(0);
  await node.saw(({ type }) => type === 'run_ended');
  const refused = await agent(house, 'run');
  expect(refused.code).toBe(75);
  expect(refused.stderr).toMatch(/paused: day unpriced runs 1 of 1, resets .*00:00 UTC/);
  // What was refused is not queued for tomorrow.
  expect(house.rows("SELECT id FROM wakes WHERE state <> 'done'")).toEqual([]);
  const ask = await house.ask('what now?');
  await node.saw(({ type, post }) => type === 'woken' && post === ask);
  const preview = await agent(house, 'preview');
  expect(preview.stdout).toContain('No run would start now: paused: day unpriced runs 1 of 1');
  expect(preview.stdout).toContain(ask);

  // The decision is in the log once, however often it is taken; so is a post that woke nobody, and why.
  const note = await watsJson<{ id: string }>(['reply', '--kind', 'note', ask, 'Never mind.'], {
    dir: house.dir,
  });
  const logged = () =>
    readFileSync(join(house.dir, 'wats.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { what: string; rule?: string; post?: string });
  await eventually(() => logged().some(({ what, post }) => what === 'ignored' && post === note.id));
  expect(logged().find(({ what, post }) => what === 'ignored' && post === note.id)).toMatchObject({
    level: 'debug',
    rule: expect.stringMatching(/^\w+$/),
  });
  expect(logged().filter(({ what, rule }) => what === 'waiting' && rule === 'budget')).toMatchObject([
    {
      level: 'info',
      window: 'day',
      unit: 'unpriced_runs',
      limit: 1,
      until: expect.stringContaining('T00:00:00'),
    },
  ]);
});

test('logs follow a run as it goes on, end with it, and end cleanly when interrupted', async () => {
  const house = makeHouse();
  house.hold('before');
  const node = await house.start();
  const follow = () => {
    const child = spawn(process.execPath, [WATS, 'agent', 'logs', '-f', '--dir', house.dir], {
      env: cleanEnv(),
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let seen = '';
    child.stdout.on('data', (chunk) => {
      seen += chunk;
    });
    return { child, seen: () => seen, ended: finished(child) };
  };
  await house.ask('what now?');
  await eventually(() => house.steps('before')[0]);
  const [all, some] = [follow(), follow()];
  await eventually(() => all.seen() !== '' && some.seen() !== '');
  expect(all.seen()).toContain('working on it');
  expect(all.seen()).not.toContain('all done');
  some.child.kill('SIGINT');
  expect(await some.ended).toMatchObject({ code: 0, stderr: '' });
  house.release('before');
  const { code, stdout } = await all.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('all done');
  await node.saw(({ type }) => type === 'run_ended');

  // The same afterwards, by its id, as JSON.
  const [run] = house.rows<{ id: string }>('SELECT id FROM runs');
  const logs = await wats(['agent', 'logs', '--run', run?.id ?? '', '--json'], { dir: house.dir });
  const entries = logs.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { text: string });
  expect(entries.map(({ text }) => text)).toEqual(expect.arrayContaining(['working on it', 'all done']));
  expect(await agent(house, 'logs', '--run', 'r-000000000000')).toMatchObject({ code: 1, stdout: '' });
  expect(await agent(house, 'logs', '--run', join('..', 'secret'))).toMatchObject({ code: 2, stdout: '' });
});
