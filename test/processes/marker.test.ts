import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parsePsEnvironments, valueInEnviron, valueInPs } from '../../src/processes/environment.ts';
import { ancestors, endLeftovers, findByMarker, insideRun, RUN_MARKER } from '../../src/processes/index.ts';
import { runs, until } from '../support/look.ts';
import { startFamily } from './family.ts';

const QUICK = { killAfterMs: 100 };

test('a run is found by its marker, runaways included, and nobody else', async () => {
  const one = await startFamily('child', 'runaway');
  const other = await startFamily();
  const found = (await findByMarker(RUN_MARKER, one.dir)).map((row) => row.pid);
  expect(found).toEqual(expect.arrayContaining([one.pids['self'], one.pids['child'], one.pids['runaway']]));
  expect(found).not.toContain(other.pids['self']);
  expect(await findByMarker(RUN_MARKER, `${one.dir}-other`)).toEqual([]);
});

test('what a daemon left without a record is ended by the marker alone', async () => {
  const family = await startFamily('stubborn', 'child', 'runaway');
  await endLeftovers({ leader: null, runDir: family.dir }, QUICK);
  expect(await findByMarker(RUN_MARKER, family.dir)).toEqual([]);
  // The kernel takes the environment of a dying process away a moment before the process.
  for (const pid of Object.values(family.pids)) await until(() => !runs(pid));
});

test('what a daemon started and could not record is ended by the next one', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'wats-dead-daemon-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const programs = new URL('./programs/', import.meta.url).pathname;
  const file = join(dir, 'pids.json');
  const daemon = spawn(process.execPath, [`${programs}daemon.ts`, dir, `${programs}tree.mjs`, file], {
    stdio: 'ignore',
  });
  const gone = new Promise((resolve) => daemon.once('exit', resolve));
  onTestFinished(() => endLeftovers({ leader: null, runDir: dir }, { killAfterMs: 0 }));
  await until(() => existsSync(file));
  daemon.kill('SIGKILL');
  await gone;
  const pids = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>);
  expect(pids).toHaveLength(3);
  expect(pids.map(runs)).toEqual([true, true, true]);
  await endLeftovers({ leader: null, runDir: dir }, QUICK);
  expect(pids.map(runs)).toEqual([false, false, false]);
});

test('a runaway survives the end of its group, but not of its run', async () => {
  const family = await startFamily('runaway');
  process.kill(family.identity.pid, 'SIGKILL');
  await family.exited;
  expect(runs(family.pids['runaway'])).toBe(true);
  await endLeftovers({ leader: family.identity, runDir: family.dir }, QUICK);
  expect(runs(family.pids['runaway'])).toBe(false);
});

test('whoever looks is never found, nor what started it', async () => {
  // Set in this process only; a child inherits it, as a shell in a run would.
  vi.stubEnv(RUN_MARKER, '/somewhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const pids = (await findByMarker('PATH', process.env['PATH'] ?? '')).map((row) => row.pid);
  expect(pids).not.toContain(process.pid);
  expect(pids).not.toContain(process.ppid);
});

test('the processes above one are told, nearest first', async () => {
  const { pids, identity } = await startFamily('child');
  const above = (await ancestors(pids['child'] ?? 0)).map((ancestor) => ancestor.pid);
  expect(above.slice(0, 2)).toEqual([identity.pid, process.pid]);
  expect((await ancestors(pids['child'] ?? 0))[0]).toEqual(identity);
  expect(await ancestors(2 ** 22)).toEqual([]);
});

test('a process knows that it is inside a run, also with its own environment cleared', async () => {
  const { dir, pids } = await startFamily('child');
  expect(await insideRun({ [RUN_MARKER]: '/runs/1' }, process.pid)).toBe('/runs/1');
  expect(await insideRun({}, pids['child'] ?? 0)).toBe(dir);
  expect(await insideRun({}, process.pid)).toBeNull();
  expect(await insideRun({ [RUN_MARKER]: '' }, process.pid)).toBeNull();
});

test('values are read from an environment as the kernel keeps it', () => {
  const environ = 'A=1\0XWATS_RUN_DIR=/no\0WATS_RUN_DIR=/a dir=with/signs\0EMPTY=\0';
  expect(valueInEnviron(environ, 'WATS_RUN_DIR')).toBe('/a dir=with/signs');
  expect(valueInEnviron(environ, 'EMPTY')).toBe('');
  expect(valueInEnviron(environ, 'RUN_DIR')).toBeNull();
});

test('values are read from a process list of macOS', () => {
  const output = [
    '  501 node agent.mjs --x WATS_RUN_ID=7 WATS_RUN_DIR=/Users/a b/run/7 HOME=/Users/a',
    '  502 node agent.mjs WATS_RUN_DIR=/run/7',
    '  503 grep WATS_RUN_DIR',
  ].join('\n');
  const lines = parsePsEnvironments(output);
  expect([...lines.keys()]).toEqual([501, 502, 503]);
  expect(valueInPs(lines.get(501) ?? '', 'WATS_RUN_DIR')).toBe('/Users/a b/run/7');
  expect(valueInPs(lines.get(502) ?? '', 'WATS_RUN_DIR')).toBe('/run/7');
  expect(valueInPs(lines.get(503) ?? '', 'WATS_RUN_DIR')).toBeNull();
});
