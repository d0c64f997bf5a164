import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectControl } from '../../src/control/index.ts';
import { cleanEnv, eventually, type Finished, finished, WATS } from '../support/node.ts';
import { installCli } from './support/install-cli.ts';

const clis = { claude: await installCli('claude'), codex: await installCli('codex') };
const skipped = (name: keyof typeof clis): string => {
  const cli = clis[name];
  return cli.ok ? '' : ` (${cli.why})`;
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wats-real-setup-'));
  for (const name of ['home', 'project']) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const home = (): string => join(root, 'home');
const config = (): string => readFileSync(join(home(), '.local/share/wats/config.toml'), 'utf8');

function environment(): Record<string, string> {
  const dirs = Object.values(clis).flatMap((cli) => (cli.ok ? [cli.dir] : []));
  return cleanEnv({
    HOME: home(),
    PATH: [...dirs, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
    DISABLE_AUTOUPDATER: '1',
  });
}

/** Runs wats, or a program beside it, in the project. */
function run(program: string, args: readonly string[]): Promise<Finished> {
  const child = spawn(program, args, {
    cwd: join(root, 'project'),
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return finished(child);
}
const wats = (...args: string[]): Promise<Finished> => run(process.execPath, [WATS, ...args]);

const user = 'wats-tester';
const args = [WATS, 'mcp', '--profile', user];
const withProfile = async (): Promise<void> => {
  const { code, stderr } = await wats('config', 'set', 'profile', user);
  if (code !== 0) throw new Error(stderr);
};

describe.skipIf(!clis.claude.ok)(`the real claude${skipped('claude')}`, () => {
  const servers = (): Record<string, unknown> =>
    JSON.parse(readFileSync(join(home(), '.claude.json'), 'utf8')).mcpServers;

  test('is set up once, replaces what is stale, keeps other servers, and is taken back', async () => {
    await withProfile();
    await run('claude', ['mcp', 'add', 'other', '--scope', 'user', '--', 'true']);
    await run('claude', ['mcp', 'add', 'wats', '--scope', 'user', '--', '/old/node', '/old/wats.js', 'mcp']);
    const first = await wats('setup', 'claude', '--yes');
    expect(first.stderr).not.toContain('local');
    expect(first.code).toBe(0);
    expect(servers()).toEqual({
      other: { type: 'stdio', command: 'true', args: [], env: {} },
      wats: { type: 'stdio', command: process.execPath, args, env: {} },
    });
    expect(config()).toContain('runtime = "claude"');
    const again = await wats('setup', 'claude');
    expect(again.stdout).toContain('nothing to do');

    const removed = await wats('setup', 'claude', '--remove', '--yes');
    expect(removed.code).toBe(0);
    expect(Object.keys(servers())).toEqual(['other']);
    expect(config()).not.toContain('runtime');
  });

  test('connects to what was registered, and is listed as such', async () => {
    await wats('setup', 'claude', '--mcp', '--yes');
    try {
      const got = await run('claude', ['mcp', 'get', 'wats']);
      expect(got.stdout).toMatch(/Status: . Connected/);
    } finally {
      await endBackgroundNode();
    }
    const { stdout } = await wats('setup', '--json');
    expect(JSON.parse(stdout)[0]).toMatchObject({
      found: true,
      version: '2.1.332',
      loggedIn: false,
      registered: 'yes',
    });
  });

  test('has a registration in the project beside the user’s', async () => {
    await wats('setup', 'claude', '--mcp', '--scope', 'project', '--yes');
    const shared = JSON.parse(readFileSync(join(root, 'project/.mcp.json'), 'utf8')).mcpServers;
    expect(shared.wats.command).toBe(process.execPath);
    expect((await wats('setup', 'claude', '--mcp', '--scope', 'project')).stdout).toContain('nothing to do');
    expect((await wats('uninstall', '--yes')).code).toBe(0);
    expect(JSON.parse(readFileSync(join(root, 'project/.mcp.json'), 'utf8')).mcpServers).toEqual({});
  });

  test('keeps the old entry when it refuses the new one', async () => {
    const old = { type: 'stdio', command: '/old/node', args: ['x'], env: { K: 'v' }, alwaysLoad: true };
    writeFileSync(join(home(), '.claude.json'), JSON.stringify({ mcpServers: { wats: old } }));
    // The real program in front of which one word is refused: nothing else makes it refuse an add after a remove.
    const bin = join(root, 'bin');
    mkdirSync(bin);
    const real = clis.claude.ok ? clis.claude.bin : '';
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\n[ "$2" = add ] && exit 7\nexec '${real}' "$@"\n`, {
      mode: 0o755,
    });
    const child = spawn(process.execPath, [WATS, 'setup', 'claude', '--mcp', '--yes'], {
      cwd: join(root, 'project'),
      env: { ...environment(), PATH: `${bin}:${environment()['PATH']}` },
    });
    const { code } = await finished(child);
    expect(code).toBe(1);
    expect(servers()['wats']).toEqual(old);
  });
});

describe.skipIf(!clis.codex.ok)(`the real codex${skipped('codex')}`, () => {
  const file = (): string => join(home(), '.codex/config.toml');
  const got = async (): Promise<Record<string, unknown> | null> => {
    const { code, stdout } = await run('codex', ['mcp', 'get', 'wats', '--json']);
    return code === 0 ? JSON.parse(stdout).transport : null;
  };

  test('is set up once, says itself what was registered, and is taken back', async () => {
    await withProfile();
    mkdirSync(join(home(), '.codex'));
    writeFileSync(file(), '# mine\nmodel = "m"\n\n[mcp_servers.wats]\ncommand = "/old"\nrequired = true\n');
    const first = await wats('setup', 'codex', '--yes');
    expect(first.code).toBe(0);
    expect(first.stderr).toContain('put them back: required = true');
    expect(await got()).toMatchObject({ type: 'stdio', command: process.execPath, args, env: null });
    expect(readFileSync(file(), 'utf8')).toContain('# mine\nmodel = "m"');
    expect((await wats('setup', 'codex')).stdout).toContain('nothing to do');

    // The lines that it is advised to have are ones that it takes.
    const advised = first.stdout.split('\n').filter((line) => / = .*#/.test(line));
    expect(advised).toHaveLength(3);
    writeFileSync(
      file(),
      readFileSync(file(), 'utf8').replace(
        '[mcp_servers.wats]\n',
        `[mcp_servers.wats]\n${advised.join('\n')}\n`,
      ),
    );
    const listed = await run('codex', ['mcp', 'get', 'wats', '--json']);
    expect(listed.code).toBe(0);
    expect(JSON.parse(listed.stdout)).toMatchObject({ startup_timeout_sec: 20 });
    const then = await wats('setup', 'codex');
    expect(then.stdout).toContain('nothing to do');
    expect(then.stdout).not.toContain('startup_timeout_sec');

    const removed = await wats('setup', 'codex', '--remove', '--yes');
    expect(removed.code).toBe(0);
    expect(await got()).toBeNull();
  });

  test('is listed with its version and login, and taken back by uninstall', async () => {
    await wats('setup', 'codex', '--mcp', '--yes');
    const { stdout } = await wats('setup', '--json');
    expect(JSON.parse(stdout)[1]).toMatchObject({ version: '0.171.0', loggedIn: false, registered: 'yes' });
    expect((await wats('uninstall', '--yes')).code).toBe(0);
    expect(await got()).toBeNull();
  });
});

/** What was registered started a node in the background, as it should; it must not outlive the test. */
async function endBackgroundNode(): Promise<void> {
  const client = await connectControl(join(home(), '.local/share/wats/control.sock'));
  const { pid } = client.hello;
  process.kill(pid, 'SIGTERM');
  await client.closed;
  await eventually(() => !isRunning(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // nobody has that id
  }
}
