import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openLog, plainLine } from '../../src/daemon/log.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});
function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'wats-log-'));
  dirs.push(dir);
  return dir;
}

const AT = Date.UTC(2026, 10, 30, 12, 0, 0);

test('a line is one JSON object with its time, in a file of its owner alone', () => {
  const path = join(directory(), 'wats.log');
  const log = openLog(path, 'info', () => AT);
  log.write('info', 'run_ended', { run: 'r-1', cost: 12, ok: true, none: null });
  log.write('debug', 'too_small');
  expect(readFileSync(path, 'utf8')).toBe(
    '{"at":"2026-11-30T12:00:00.000Z","level":"info","what":"run_ended","run":"r-1","cost":12,"ok":true,"none":null}\n',
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(log.recent(5)).toMatchObject({ total: 1, entries: [{ what: 'run_ended' }] });
});

test('the log is rotated at 8 MiB, four old files are kept, and a restart goes on where it was', () => {
  const dir = directory();
  const path = join(dir, 'wats.log');
  const big = 'x'.repeat(64 * 1024);
  // 50 MiB and more: six files' worth.
  for (let part = 0; part < 2; part++) {
    const log = openLog(path, 'info', () => AT);
    for (let n = 0; n < 420; n++) log.write('info', 'filled', { part, n, big });
  }
  expect(readdirSync(dir).sort()).toEqual([
    'wats.log',
    'wats.log.1',
    'wats.log.2',
    'wats.log.3',
    'wats.log.4',
  ]);
  for (const name of readdirSync(dir))
    expect(statSync(join(dir, name)).size).toBeLessThanOrEqual(8 * 1024 * 1024);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ part: 1, n: 419 });
  const older = readFileSync(`${path}.1`, 'utf8').trimEnd().split('\n');
  expect(JSON.parse(older.at(-1) ?? '')).toMatchObject({ part: 1, n: 419 - lines.length });
});

test('a disk that refuses loses the line and nothing else', () => {
  const dir = directory();
  const log = openLog(join(dir, 'gone', 'wats.log'), 'info', () => AT);
  const heard: string[] = [];
  log.onEntry(({ what }) => heard.push(what));
  log.write('warn', 'not_written');
  expect(heard).toEqual(['not_written']);
  expect(log.recent(1).entries).toMatchObject([{ what: 'not_written' }]);
});

test('a plain line says the same to a person', () => {
  expect(plainLine({ at: AT, level: 'warn', what: 'peer_ignored', fields: { peer: 'p' } })).toBe(
    '2026-11-30T12:00:00.000Z warn peer ignored peer=p',
  );
});
