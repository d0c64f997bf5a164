import { expect, test } from 'vitest';
import { type BridgeSurroundings, readArguments } from '../../src/mcp/bridge/arguments.ts';

function read(argv: readonly string[], env: BridgeSurroundings['env'] = {}) {
  return readArguments({
    argv,
    env,
    home: '/home/ann',
    platform: 'linux',
    uid: 1000,
    resolve: (path) => (path.startsWith('/') ? path : `/cwd/${path}`),
  });
}

test('without arguments a session attaches to the data directory of this user', () => {
  expect(read([])).toEqual({
    do: 'session',
    socket: '/home/ann/.local/share/wats/mcp.sock',
    profile: undefined,
    startIn: '/home/ann/.local/share/wats',
    runtimeDir: '/tmp',
  });
});

test('flags win over the environment, in both spellings', () => {
  const env = { WATS_DIR: '/env', WATS_PROFILE: 'env', XDG_RUNTIME_DIR: '/run/user/1000' };
  const asked = {
    do: 'session',
    socket: '/cwd/d/mcp.sock',
    profile: 'p',
    startIn: '/cwd/d',
    runtimeDir: '/run/user/1000',
  };
  expect(read(['--dir', 'd', '--profile', 'p'], env)).toEqual(asked);
  expect(read(['--dir=d', '--profile=p'], env)).toEqual(asked);
  expect(read([], env)).toMatchObject({ socket: '/env/mcp.sock', profile: 'env' });
});

test('a socket that was moved is somebody else’s: no node is started for it', () => {
  expect(read([], { WATS_MCP_SOCKET: '/shared/mcp.sock' })).toMatchObject({
    socket: '/shared/mcp.sock',
    startIn: null,
  });
});

test('a run’s bridge takes its socket from nowhere but the flag, and nothing beside it', () => {
  expect(read(['--run-socket', '/r/mcp.sock'], { WATS_MCP_SOCKET: '/x', WATS_PROFILE: 'x' })).toEqual({
    do: 'run',
    socket: '/r/mcp.sock',
  });
  expect(read(['--run-socket', '/r', '--profile', 'x']).do).toBe('refuse');
});

test('the forwarded agent’s bridge uses the runner socket with its token file', () => {
  expect(read(['--runner-token-file', 't'])).toEqual({
    do: 'forwarded',
    socket: '/home/ann/.local/share/wats/openclaw/runner.sock',
    tokenFile: '/cwd/t',
  });
  expect(read(['--runner-token-file', 't'], { WATS_OPENCLAW_DIR: '/oc' })).toMatchObject({
    socket: '/oc/runner.sock',
  });
});

test.each([
  [['--porfile', 'x'], '--porfile'],
  [['--profile'], 'takes a value'],
  [['--profile='], 'takes a value'],
  [['--profile', 'a\nb'], 'control characters'],
  [['extra'], 'extra'],
])('%j is refused with %j', (argv, said) => {
  expect(read(argv)).toMatchObject({ do: 'refuse', why: expect.stringContaining(said) });
});

test('--help wins', () => {
  expect(read(['--dir', '/d', '--help'])).toEqual({ do: 'help' });
});
