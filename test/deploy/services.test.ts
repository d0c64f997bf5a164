import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');

/** Why a check cannot run here; `null` when it can. */
function missing(program: string, args: readonly string[] = ['--version']): string | null {
  const { error, status } = spawnSync(program, args, { encoding: 'utf8' });
  return error === undefined && status === 0 ? null : `${[program, ...args].join(' ')} does not run here`;
}

describe('the systemd unit', () => {
  const why = missing('systemd-analyze');

  test.skipIf(why !== null)(`is one that systemd accepts${why === null ? '' : ` (${why})`}`, () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(DEPLOY, 'agent/wats.service')], {
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('wats.service');
    expect(status).toBe(0);
  });

  test('runs as a user of its own, drains on SIGTERM for longer than a run may take, and is not restarted for a bad setting', () => {
    const unit = readFileSync(join(DEPLOY, 'agent/wats.service'), 'utf8');
    expect(unit).toMatch(/^User=wats$/m);
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
    expect(unit).toMatch(/^ProtectSystem=strict$/m);
    expect(unit).toMatch(/^TimeoutStopSec=11min$/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m);
  });
});

describe('the launchd plist', () => {
  const why = missing('python3');

  test.skipIf(why !== null)(
    `is a property list that starts wats without a screen${why === null ? '' : ` (${why})`}`,
    () => {
      const read = 'import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))';
      const { stdout, stderr } = spawnSync('python3', ['-c', read, join(DEPLOY, 'agent/wats.plist')], {
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject({
        Label: 'wats',
        ProgramArguments: ['/usr/bin/env', 'wats', '--no-tui'],
        RunAtLoad: true,
        KeepAlive: { SuccessfulExit: false },
        Umask: 0o077,
      });
    },
  );
});

describe.each(['agent', 'openclaw'])('the Compose file of %s', (name) => {
  const why = missing('docker', ['compose', 'version']);

  test.skipIf(why !== null)(`is one that Compose accepts${why === null ? '' : ` (${why})`}`, () => {
    const file = join(DEPLOY, name, 'compose.yaml');
    const { status, stderr } = spawnSync('docker', ['compose', '-f', file, 'config', '--quiet'], {
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });
});
