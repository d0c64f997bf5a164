import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listenMcp, serveMcp } from '../../src/mcp/index.ts';
import { socketPath } from '../../src/paths/index.ts';
import { startBridge } from './support/bridge-process.ts';
import { type BridgeBundle, bundleBridge } from './support/bundle.ts';
import { FAKE_NODE } from './support/fake-node.ts';
import { FakeHouse } from './support/ports.ts';
import { line, toolCall } from './support/raw.ts';
import { call, optionsFor, RUN, startServer, temporaryDir } from './support/server.ts';

const INITIALIZE = line({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
});
const INITIALIZED = line({ method: 'notifications/initialized' });

let bundle: BridgeBundle;
beforeAll(async () => {
  bundle = await bundleBridge(FAKE_NODE);
});
afterAll(() => bundle.remove());

/** A daemon in this process that can go away and come back on the same socket. */
async function daemonIn(dir: string) {
  const path = join(dir, 'mcp.sock');
  const house = new FakeHouse();
  const serve = () => listenMcp(path, { mode: 0o600 }, serveMcp(optionsFor(house)));
  let listening = await serve();
  onTestFinished(() => listening.close(0));
  return {
    house,
    path,
    stop: () => listening.close(0),
    /** Stops, and waits until a bridge has seen that: it knocks again, at a door that opens to nothing. */
    stopSeen: async () => {
      await listening.close(0);
      const knocked = createServer();
      knocked.listen(path);
      await new Promise<void>((resolve) =>
        knocked.once('connection', (socket) => resolve(void socket.destroy())),
      );
      await new Promise((resolve) => knocked.close(resolve));
    },
    start: async () => {
      listening = await serve();
    },
    connections: () => listening.count(),
  };
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('loads no SDK, no React, no SQLite: nothing but its own few files and parts of Node', () => {
  const entry = Object.entries(bundle.metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === 'src/mcp/bridge-main.ts',
  );
  expect(entry).toBeDefined();
  const [, output] = entry ?? ['', { inputs: {}, imports: [] }];
  for (const input of Object.keys(output.inputs)) {
    expect(input).toMatch(/^src\/(mcp\/(bridge\/|bridge-main\.ts|hello\.ts|lines\.ts)|paths\/)/);
  }
  const loadedAtStart = output.imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => path);
  expect(new Set(loadedAtStart)).toEqual(new Set(['node:fs', 'node:net', 'node:os', 'node:path']));
});

describe('attached to a node', () => {
  test('carries a session between a host and the node, as the profile it was given', async () => {
    const dir = await temporaryDir();
    const { house } = await daemonIn(dir);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bundle.launcher, 'mcp', '--dir', dir, '--profile', 'ann'],
    });
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    await call(client, 'post', { kind: 'note', text: 'grüße 🦀' });
    expect(house.published).toMatchObject([{ who: { profile: 'ann' }, request: { text: 'grüße 🦀' } }]);
  });

  test('ends when the host closes its input, after answering what was asked', async () => {
    const dir = await temporaryDir();
    await daemonIn(dir);
    const bridge = startBridge({ launcher: bundle.launcher, args: ['--dir', dir] });
    bridge.child.stdin?.end(INITIALIZE + INITIALIZED + toolCall(1, 'status'));
    expect(await bridge.exited).toBe(0);
    expect(bridge.lines.map(({ id }) => id)).toEqual([0, 1]);
    expect(bridge.stderr()).toBe('');
  });

  test('ends when its host is killed, even while something holds its input open', async () => {
    const dir = await temporaryDir();
    const daemon = await daemonIn(dir);
    // A pipe whose other end this test keeps open, so that its end tells the bridge nothing.
    const pipe = join(dir, 'input');
    execFileSync('mkfifo', [pipe]);
    const input = openSync(pipe, 'r+');
    onTestFinished(() => closeSync(input));
    const host = spawn(
      process.execPath,
      [
        '-e',
        `const { spawn } = require('node:child_process');
         const bridge = spawn(process.execPath, ${JSON.stringify([bundle.launcher, 'mcp', '--dir', dir])}, { stdio: ['inherit', 'ignore', 'ignore'] });
         console.log(bridge.pid); setInterval(() => {}, 1000);`,
      ],
      { stdio: [input, 'pipe', 'inherit'] },
    );
    onTestFinished(() => void host.kill('SIGKILL'));
    const pid = Number(
      await new Promise<string>((resolve) => host.stdout?.once('data', (data) => resolve(String(data)))),
    );
    onTestFinished(() => {
      if (alive(pid)) process.kill(pid, 'SIGKILL');
    });
    await vi.waitUntil(() => daemon.connections() === 1, 10_000);
    host.kill('SIGKILL');
    await vi.waitUntil(() => !alive(pid) && daemon.connections() === 0, 10_000);
  });

  test('hides a restart of the node from the host', async () => {
    const dir = await temporaryDir();
    const daemon = await daemonIn(dir);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [bundle.launcher, 'mcp', '--dir', dir, '--profile', 'ann'],
    });
    const client = new Client({ name: 'host', version: '1' });
    const noticed: string[] = [];
    client.onerror = (error) => noticed.push(String(error));
    client.onclose = () => noticed.push('closed');
    await client.connect(transport);
    onTestFinished(async () => {
      client.onclose = () => {};
      await client.close();
    });
    for (let restart = 1; restart <= 3; restart++) {
      await daemon.stop();
      await daemon.start();
      await vi.waitUntil(() => daemon.connections() === 1, 10_000);
      await call(client, 'post', { kind: 'note', text: `after restart ${restart}` });
    }
    expect(daemon.house.published.map(({ request }) => request.text)).toEqual(
      [1, 2, 3].map((n) => `after restart ${n}`),
    );
    expect(daemon.house.published.every(({ who }) => 'profile' in who && who.profile === 'ann')).toBe(true);
    expect(noticed).toEqual([]);
  });

  test('sends what was asked while the node was away once it is back', async () => {
    const dir = await temporaryDir();
    const daemon = await daemonIn(dir);
    const bridge = startBridge({
      launcher: bundle.launcher,
      args: [],
      env: { WATS_MCP_SOCKET: daemon.path },
    });
    bridge.say(INITIALIZE + INITIALIZED);
    await bridge.next(({ id }) => id === 0);
    await daemon.stopSeen();
    bridge.say(toolCall(1, 'post', { kind: 'note', text: 'patient' }));
    await daemon.start();
    expect((await bridge.next(({ id }) => id === 1)).result.isError).toBeUndefined();
    expect(daemon.house.published).toHaveLength(1);
  });

  test('answers a call in flight with an error that a model can act on, and never sends it again', async () => {
    const dir = await temporaryDir();
    const daemon = await daemonIn(dir);
    let searches = 0;
    daemon.house.onSearch = () => {
      searches++;
      return new Promise(() => {});
    };
    const bridge = startBridge({ launcher: bundle.launcher, args: ['--dir', dir] });
    bridge.say(INITIALIZE + INITIALIZED + toolCall(1, 'search'));
    await vi.waitUntil(() => searches === 1, 10_000);
    await daemon.stop();
    await daemon.start();
    const { result } = await bridge.next(({ id }) => id === 1);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain('request_id');
    bridge.say(toolCall(2, 'status'));
    await bridge.next(({ id }) => id === 2);
    expect(searches).toBe(1);
    expect(bridge.lines.filter(({ id }) => id === 0 || String(id).startsWith('wats'))).toHaveLength(1);
  });

  test('finds the node of a directory whose path is too long for a socket', async () => {
    const runtime = await temporaryDir();
    const dir = join(await temporaryDir(), 'd'.repeat(120));
    const place = { platform: process.platform, runtimeDir: runtime, uid: process.getuid?.() ?? 0 };
    const path = socketPath(dir, 'mcp.sock', place);
    await mkdir(dirname(path), { recursive: true });
    await startServer({}, path);
    const bridge = startBridge({
      launcher: bundle.launcher,
      args: ['--dir', dir],
      env: { XDG_RUNTIME_DIR: runtime },
    });
    bridge.say(INITIALIZE);
    expect((await bridge.next(({ id }) => id === 0)).result.serverInfo.name).toBe('wats');
  });

  test('refuses a request over a mebibyte by its id and goes on', async () => {
    const dir = await temporaryDir();
    await daemonIn(dir);
    const bridge = startBridge({ launcher: bundle.launcher, args: ['--dir', dir] });
    bridge.say(INITIALIZE + toolCall(1, 'post', { text: 'x'.repeat(1_100_000) }) + toolCall(2, 'status'));
    expect((await bridge.next(({ id }) => id === 1)).result.content[0].text).toContain('1048576');
    await bridge.next(({ id }) => id === 2);
  });

  test('passes a host that reads slowly only what it reads', async () => {
    const dir = await temporaryDir();
    const { house } = await daemonIn(dir);
    for (let i = 0; i < 50; i++) house.add({ text: 'x'.repeat(16_000) });
    const bridge = startBridge({ launcher: bundle.launcher, args: ['--dir', dir] });
    bridge.child.stdout?.pause();
    bridge.say(INITIALIZE);
    for (let id = 1; id <= 300; id++) bridge.say(toolCall(id, 'search', { limit: 50 }));
    bridge.child.stdout?.resume();
    await bridge.next(({ id }) => id === 300);
    expect(bridge.lines).toHaveLength(301);
  });
});

describe('of a run', () => {
  test('uses the run’s socket and ends with it, answering what was in flight', async () => {
    const { path, house, listening } = await startServer({ principal: RUN });
    house.onSearch = () => new Promise(() => {});
    const bridge = startBridge({
      launcher: bundle.launcher,
      args: ['--run-socket', path],
      env: { WATS_PROFILE: 'other', XDG_RUNTIME_DIR: await temporaryDir() },
    });
    bridge.say(INITIALIZE + toolCall(1, 'post', { kind: 'note', text: 'x' }) + toolCall(2, 'search'));
    await bridge.next(({ id }) => id === 1);
    expect(house.published[0]?.who).toEqual(RUN);
    await listening.close(0);
    expect((await bridge.next(({ id }) => id === 2)).result.isError).toBe(true);
    expect(await bridge.exited).toBe(0);
  });

  test('starts no node when its socket is gone: one line, an error to the handshake, exit 1', async () => {
    const dir = await temporaryDir();
    const bridge = startBridge({ launcher: bundle.launcher, args: ['--run-socket', join(dir, 'mcp.sock')] });
    bridge.say(INITIALIZE);
    expect(await bridge.exited).toBe(1);
    expect(bridge.stderr()).toMatch(/^wats mcp: No wats node answers on .*\n$/);
    expect(existsSync(join(dir, 'started'))).toBe(false);
  });
});

describe('without a node', () => {
  test('ten bridges at once start one, in the background, without the host’s secrets, and all are answered', async () => {
    const dir = await temporaryDir();
    const runtime = await temporaryDir();
    const bridges = Array.from({ length: 10 }, () =>
      startBridge({
        launcher: bundle.launcher,
        args: ['--dir', dir],
        env: { XDG_RUNTIME_DIR: runtime, ANTHROPIC_API_KEY: 'secret', WATS_AGENT_RUNTIME: 'claude' },
      }),
    );
    for (const bridge of bridges) bridge.say(INITIALIZE);
    const answers = await Promise.all(bridges.map((bridge) => bridge.next(({ id }) => id === 0)));
    const started = (await readFile(join(dir, 'started'), 'utf8')).trim().split('\n');
    onTestFinished(() => {
      for (const entry of started)
        if (alive(Number.parseInt(entry, 10))) process.kill(Number.parseInt(entry, 10));
    });
    expect(started).toHaveLength(1);
    const pid = Number.parseInt(started[0] ?? '', 10);
    expect(answers.every(({ result }) => result.pid === pid)).toBe(true);
    expect(started[0]).not.toMatch(/ANTHROPIC|WATS_AGENT/);

    // It outlives the bridge that started it, and the lock is free again.
    for (const bridge of bridges.slice(1)) bridge.child.kill('SIGKILL');
    bridges[0]?.say(line({ id: 1, method: 'ping' }));
    await bridges[0]?.next(({ id }) => id === 1);
    expect(alive(pid)).toBe(true);
    expect(await readdir(join(runtime, `wats-${process.getuid?.()}`))).toEqual([]);
    bridges[0]?.child.stdin?.end();
    await vi.waitUntil(() => !alive(pid), 10_000);
  });

  test('a bridge whose starter was killed takes its turn', async () => {
    const dir = await temporaryDir();
    const runtime = await temporaryDir();
    const first = startBridge({
      launcher: bundle.launcher,
      args: ['--dir', join(dir, 'a')],
      env: { XDG_RUNTIME_DIR: runtime },
    });
    // Its node can't write there and ends, but the bridge holds the lock until it is killed.
    await vi.waitUntil(() => existsSync(join(runtime, `wats-${process.getuid?.()}`)), 10_000);
    first.child.kill('SIGKILL');
    await first.exited;
    await mkdir(join(dir, 'a'));
    const second = startBridge({
      launcher: bundle.launcher,
      args: ['--dir', join(dir, 'a')],
      env: { XDG_RUNTIME_DIR: runtime },
    });
    second.say(INITIALIZE);
    const { result } = await second.next(({ id }) => id === 0);
    second.child.stdin?.end();
    await vi.waitUntil(() => !alive(result.pid), 10_000);
  });

  test('one that cannot start is one clear line, an error to the handshake, and exit 1', async () => {
    const dir = join(await temporaryDir(), 'absent');
    const bridge = startBridge({
      launcher: bundle.launcher,
      args: ['--dir', dir],
      env: { XDG_RUNTIME_DIR: await temporaryDir() },
    });
    bridge.say(INITIALIZE);
    expect((await bridge.next(({ id }) => id === 0)).error?.message).toContain(`wats node --dir ${dir}`);
    expect(await bridge.exited).toBe(1);
    expect(bridge.stderr()).toMatch(/^wats mcp: The wats node that was started ended at once.*\n$/);
  });

  test('none is started for a socket that was moved', async () => {
    const dir = await temporaryDir();
    const bridge = startBridge({
      launcher: bundle.launcher,
      args: ['--dir', dir],
      env: { WATS_MCP_SOCKET: join(dir, 'moved.sock') },
    });
    bridge.say(INITIALIZE);
    expect((await bridge.next(({ id }) => id === 0)).error?.message).toContain('moved.sock');
    expect(await bridge.exited).toBe(1);
    expect(existsSync(join(dir, 'started'))).toBe(false);
  });

  test('a host that gives up is not waited for', async () => {
    const dir = join(await temporaryDir(), 'absent');
    const bridge = startBridge({
      launcher: bundle.launcher,
      args: ['--dir', dir],
      env: { XDG_RUNTIME_DIR: await temporaryDir() },
    });
    bridge.child.stdin?.end();
    expect(await bridge.exited).toBe(0);
  });
});

test('a node that comes back by itself is used; one that stays away is started for the next call', async () => {
  const dir = await temporaryDir();
  const daemon = await daemonIn(dir);
  const bridge = startBridge({
    launcher: bundle.launcher,
    args: ['--dir', dir],
    env: { XDG_RUNTIME_DIR: await temporaryDir() },
  });
  bridge.say(INITIALIZE + INITIALIZED);
  await bridge.next(({ id }) => id === 0);
  await daemon.stopSeen();
  bridge.say(toolCall(1, 'status'));
  const { result } = await bridge.next(({ id }) => id === 1);
  expect(result.pid).toBeGreaterThan(0);
  bridge.child.stdin?.end();
  await vi.waitUntil(() => !alive(result.pid), 10_000);
});

test.each([
  [['--help'], 0, /^Usage: wats mcp/, /^$/],
  [['--porfile', 'x'], 2, /^$/, /^wats mcp: no such option: "--porfile".*\n$/],
  [['--runner-token-file', '/nowhere'], 1, /^$/, /^wats mcp: cannot read the token.*\n$/],
])('%j ends with %i', async (args, code, stdout, stderr) => {
  const child = spawn(process.execPath, [bundle.launcher, 'mcp', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(code);
  expect(out).toMatch(stdout);
  expect(err).toMatch(stderr);
});
