import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanEnv } from '../support/node.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'wats-package-'));
let tarball = '';

function npm(args: readonly string[], cwd: string) {
  return spawnSync('npm', [...args, '--no-audit', '--no-fund'], { cwd, encoding: 'utf8', timeout: 240_000 });
}

beforeAll(() => {
  const packed = npm(['pack', '--pack-destination', work, '--json'], ROOT);
  const name = readdirSync(work).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error(`npm pack made nothing: ${packed.stderr}`);
  tarball = join(work, name);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe.each(['22.22.0', '24.21.0'])(
  'installed from its tarball in an empty folder, under Node %s',
  (version) => {
    const folder = join(work, version);

    test('it brings better-sqlite3 and nothing else, runs no install script that compiles, and the demo passes', () => {
      mkdirSync(folder);
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ private: true, allowScripts: { node: true, 'better-sqlite3': false } }),
      );
      const installed = npm(['install', tarball, `node@${version}`], folder);
      expect(installed.status, installed.stderr).toBe(0);
      const packages = readdirSync(join(folder, 'node_modules')).filter(
        (name) => !name.startsWith('.') && !/^node(-bin|-linux|-darwin)?/.test(name),
      );
      expect(packages.sort()).toEqual(['better-sqlite3', 'wats']);
      expect(existsSync(join(folder, 'node_modules/wats/dist/LICENCES.txt'))).toBe(true);

      const path = `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`;
      const env = { ...cleanEnv(), PATH: path };
      const node = spawnSync('node', ['--version'], { env, encoding: 'utf8' });
      expect(node.stdout.trim()).toBe(`v${version}`);
      const demo = spawnSync('wats', ['demo', '--once', '--json'], {
        cwd: folder,
        env,
        encoding: 'utf8',
        timeout: 60_000,
      });
      expect(demo.status, demo.stderr).toBe(0);
      const steps = demo.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { step: string }).step);
      expect(steps).toEqual(['asked', 'woken', 'run', 'draft', 'approved', 'answered']);
    });

    test('its threads are found where they were installed: a search, and a backup', () => {
      const env = { ...cleanEnv(), PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}` };
      const script = [
        'mkdir -m 700 data && wats node --dir data & node=$!',
        'until wats post "a word" --dir data; do sleep 0.2; done',
        'until wats search word --dir data --json | grep "a word"; do sleep 0.2; done',
        'wats backup copy --dir data --json; ended=$?',
        'kill $node; wait $node; exit $ended',
      ].join('\n');
      const ran = spawnSync('sh', ['-c', script], { cwd: folder, env, encoding: 'utf8', timeout: 30_000 });
      expect(ran.status, ran.stderr).toBe(0);
      expect(ran.stdout).toContain('"text":"a word"');
      expect(existsSync(join(folder, 'copy'))).toBe(true);
    });
  },
);
