import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Json, openclawHouse } from './house.ts';

const AGENT_CHILD = ['/opt/wats/bin/wats.js', 'mcp', '--runner-token-file'];

/** A person's own settings, with things in them that must survive. */
const OWN = {
  gateway: { port: 18789, auth: { mode: 'token', token: 'operator' } },
  agents: {
    defaults: { model: { primary: 'x/y' } },
    entries: { main: { workspace: '/w' }, cook: { tools: { deny: ['exec'] } } },
  },
  mcp: { servers: { other: { command: '/bin/other' } } },
};
const HOOKS = {
  enabled: true,
  token: 't'.repeat(32),
  path: '/in',
  allowedAgentIds: ['main'],
  allowedSessionKeyPrefixes: ['mail:', 'hook:'],
  allowRequestSessionKey: true,
};

test('--apply makes the agent, the hooks and both registrations, and puts every earlier value where it was', async () => {
  const house = openclawHouse(OWN);
  const url = await house.gateway();
  const { code, out, err } = await house.setup(['--apply', '--url', url]);
  expect([code, err]).toEqual([0, expect.stringContaining('lower bound')]);
  const token = house.own('hooks.token');
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const { meta: _meta, ...config } = house.config();
  const workspace = join(dirname(house.configPath), 'workspace-wats');
  const runner = join(house.machine.dir, 'openclaw', 'runner.token');
  expect(config).toEqual({
    gateway: OWN.gateway,
    agents: {
      defaults: OWN.agents.defaults,
      entries: {
        main: { workspace: '/w', tools: { deny: ['wats-agent__*'] } },
        cook: { tools: { deny: ['exec', 'wats-agent__*'] } },
        wats: {
          name: 'wats (swarm)',
          workspace,
          skills: [],
          tools: {
            allow: ['wats-agent__*'],
            deny: ['exec', 'process', 'write', 'edit', 'apply_patch', 'browser', 'message'],
          },
        },
      },
    },
    mcp: {
      servers: {
        other: { command: '/bin/other' },
        wats: { command: '/opt/node/bin/node', args: ['/opt/wats/bin/wats.js', 'mcp', '--profile', 'ada'] },
        'wats-agent': { command: '/opt/node/bin/node', args: [...AGENT_CHILD, runner] },
      },
    },
    hooks: {
      enabled: true,
      token,
      allowedAgentIds: ['wats'],
      allowRequestSessionKey: true,
      allowedSessionKeyPrefixes: ['wats:', 'hook:'],
    },
  });
  expect(house.machine.read('.local/share/wats/config.toml')).toContain('runtime = "openclaw"');
  expect(house.machine.read('.local/share/wats/config.toml')).toContain(`openclaw_url = "${url}"`);
  for (const name of ['hooks.token', 'runner.token', 'setup.json'])
    expect(statSync(join(house.machine.dir, 'openclaw', name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(workspace, 'AGENTS.md'), 'utf8')).toContain('wats-agent__reply');
  expect(out).toContain('the gateway takes wakes with this token, and with no other');
});

test('the token is neither in an argument, nor in what is printed or recorded; only in stdin and in its file', async () => {
  const house = openclawHouse(OWN);
  const { out, err } = await house.setup(['--apply', '--url', await house.gateway()]);
  const token = house.own('hooks.token');
  const [hooks, runner] = [token, house.own('runner.token')];
  for (const secret of [hooks, runner]) {
    expect(`${out}${err}`).not.toContain(secret);
    expect(house.calls().some(({ args }) => args.join(' ').includes(secret))).toBe(false);
  }
  expect(house.own('setup.json')).not.toContain(hooks);
  expect(
    house
      .calls()
      .filter(({ input }) => input.includes(hooks))
      .map(({ args }) => args.join(' ')),
  ).toEqual(['config patch --stdin --dry-run --json', 'config patch --stdin']);
});

test('a backup is made before the first write, with the mode of the original', async () => {
  const house = openclawHouse(OWN);
  const before = house.text();
  const { out } = await house.setup(['--apply', '--url', await house.gateway()]);
  const [name] = readdirSync(dirname(house.configPath)).filter((file) => /\.bak-\d{8}T\d{6}Z$/.test(file));
  const path = join(dirname(house.configPath), name ?? '');
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(out).toContain(path);
});

test('a second setup changes nothing, and says so', async () => {
  const house = openclawHouse(OWN);
  const url = await house.gateway();
  await house.setup(['--apply', '--url', url]);
  const [config, writes] = [house.text(), house.writes().length];
  const { code, out } = await house.setup(['--apply']);
  expect(code).toBe(0);
  expect(house.text()).toBe(config);
  expect(house.writes()).toHaveLength(writes);
  expect(out).toContain('already');
});

test('the entries are compared exactly: another path is put right, a variable that went is taken out', async () => {
  const house = openclawHouse(OWN);
  const url = await house.gateway();
  await house.setup(['--apply', '--url', url]);
  const config = house.config() as { mcp: { servers: Record<string, Json> } };
  config.mcp.servers['wats-agent'] = {
    command: '/old/node',
    args: ['x'],
    env: { WATS_OPENCLAW_DIR: '/old' },
  };
  config.mcp.servers['wats'] = { command: '/old/node', args: [] };
  writeFileSync(house.configPath, JSON.stringify(config));
  await house.setup(['--apply']);
  const { servers } = (house.config() as typeof config).mcp;
  expect(servers['wats-agent']).toEqual({
    command: '/opt/node/bin/node',
    args: [...AGENT_CHILD, join(house.machine.dir, 'openclaw', 'runner.token')],
    env: {},
  });
  expect(servers['wats']).toEqual({
    command: '/opt/node/bin/node',
    args: ['/opt/wats/bin/wats.js', 'mcp', '--profile', 'ada'],
  });
});

test('--mcp alone registers the tools and touches neither agents, hooks nor config.toml', async () => {
  const house = openclawHouse(OWN);
  const { code } = await house.setup(['--mcp', '--apply']);
  expect(code).toBe(0);
  expect(house.writes()).toEqual([expect.stringMatching(/^mcp set wats /)]);
  expect(house.calls().map(({ args }) => args.join(' '))).toContain('mcp probe wats --json');
  expect((house.config() as { agents: unknown }).agents).toEqual(OWN.agents);
  expect(existsSync(join(house.machine.dir, 'config.toml'))).toBe(false);
});

test('without a terminal and without --apply it prints, and writes nothing in OpenClaw', async () => {
  const house = openclawHouse(OWN);
  const before = house.text();
  const { code, out } = await house.setup([]);
  expect(code).toBe(0);
  expect(house.text()).toBe(before);
  expect(house.writes()).toEqual([]);
  expect(out).toContain(`"token": "\${WATS_OPENCLAW_HOOKS_TOKEN}"`);
  expect(out).toContain('openclaw config validate');
  expect(out).toContain('wats config set agent.runtime openclaw');
  expect(out).not.toContain(house.own('hooks.token'));
});

test('the printed commands put the token where the gateway finds it', async () => {
  const house = openclawHouse(OWN);
  const { out } = await house.setup(['--print']);
  const line = out.split('\n').find((each) => each.includes('printf')) ?? '';
  execFileSync('/bin/sh', ['-c', line]);
  const env = join(dirname(house.configPath), '.env');
  expect(readFileSync(env, 'utf8')).toBe(`WATS_OPENCLAW_HOOKS_TOKEN=${house.own('hooks.token')}\n`);
  expect(statSync(env).mode & 0o777).toBe(0o600);
});

test('on a terminal it asks for the gateway and the way, and does what it is told', async () => {
  const house = openclawHouse(OWN);
  const url = await house.gateway();
  const applied = await house.setup(['--agent'], [url, 'y', 'A']);
  expect(applied.err).not.toContain('nobody');
  expect((house.config() as { mcp: Json }).mcp['sessionIdleTtlMs']).toBe(600_000);
  const other = openclawHouse(OWN);
  const printed = await other.setup(['--agent'], [url, 'n', 'm']);
  expect(printed.code).toBe(0);
  expect(other.writes()).toEqual([]);
  expect(printed.out).toContain('Merge this into');
});

test('hooks that are in use keep their token, their path and their senders', async () => {
  const house = openclawHouse({ ...OWN, hooks: HOOKS });
  const url = await house.gateway();
  const file = join(house.machine.home, 'token');
  writeFileSync(file, `${HOOKS.token}\n`, { mode: 0o600 });
  const { code, err } = await house.setup(['--agent', '--apply', '--url', `${url}/in`, '--token-file', file]);
  expect([code, err]).toEqual([0, expect.any(String)]);
  expect((house.config() as { hooks: Json }).hooks).toEqual({
    ...HOOKS,
    allowedAgentIds: ['main', 'wats'],
    allowedSessionKeyPrefixes: ['mail:', 'hook:', 'wats:'],
  });
  expect(house.own('hooks.token')).toBe(HOOKS.token);
});

test('hooks in use without their token are refused before anything is written', async () => {
  const house = openclawHouse({ ...OWN, hooks: HOOKS });
  const before = house.text();
  const none = await house.setup(['--agent', '--apply']);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('--token-file')]);
  const file = join(house.machine.home, 'token');
  const url = await house.gateway();
  for (const [text, said] of [
    ['w'.repeat(32), 'does not know this hook token'],
    ['', 'no hook token'],
    [`\${X_TOKEN}`, 'literal'],
  ] as const) {
    writeFileSync(file, text);
    const wrong = await house.setup(['--agent', '--apply', '--url', `${url}/in`, '--token-file', file]);
    expect(wrong.code).not.toBe(0);
    expect(wrong.err).toContain(said);
  }
  const missing = await house.setup(['--agent', '--apply', '--token-file', '/nowhere']);
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('/nowhere')]);
  writeFileSync(file, HOOKS.token);
  const down = await house.setup(['--agent', '--apply', '--url', 'http://127.0.0.1:9', '--token-file', file]);
  expect(down.err).toContain('start the gateway first');
  expect(house.text()).toBe(before);
  expect(house.writes()).toEqual([]);
  expect(existsSync(join(house.machine.dir, 'openclaw'))).toBe(false);
});

test('unrestricted hooks are not restricted without asking', async () => {
  const { allowedAgentIds: _ids, allowedSessionKeyPrefixes: _keys, ...open } = HOOKS;
  const file = (home: string): string => {
    writeFileSync(join(home, 'token'), HOOKS.token);
    return join(home, 'token');
  };
  const silent = openclawHouse({ ...OWN, hooks: open });
  const url = await silent.gateway();
  const { err } = await silent.setup([
    '--agent',
    '--apply',
    '--url',
    `${url}/in`,
    '--token-file',
    file(silent.machine.home),
  ]);
  expect((silent.config() as { hooks: Json }).hooks).toEqual(open);
  expect(err).toContain('every agent');
  const asked = openclawHouse({ ...OWN, hooks: open });
  const there = await asked.gateway();
  await asked.setup(
    ['--agent', '--token-file', file(asked.machine.home)],
    [`${there}/in`, 'y', 'y', 'n', 'A'],
  );
  expect((asked.config() as { hooks: Json }).hooks).toEqual({
    ...open,
    allowedAgentIds: ['wats'],
    allowedSessionKeyPrefixes: ['wats:', 'hook:'],
  });
});

test('a default session key keeps its place among the prefixes', async () => {
  const house = openclawHouse({ ...OWN, hooks: { defaultSessionKey: 'mail:all' } });
  await house.setup(['--agent', '--apply', '--url', await house.gateway()]);
  expect((house.config() as { hooks: Json }).hooks['allowedSessionKeyPrefixes']).toEqual([
    'wats:',
    'mail:all',
  ]);
});

test('settings that would keep the gateway from starting again are refused before they are written', async () => {
  const house = openclawHouse({ ...OWN, hooks: { path: '/' } });
  const before = house.text();
  const { code, err } = await house.setup(['--agent', '--apply']);
  expect([code, err]).toEqual([1, expect.stringContaining('would not start again')]);
  expect(house.text()).toBe(before);
});

test('an agent of that name that wats did not make is left alone', async () => {
  const house = openclawHouse({
    agents: { entries: { main: {}, wats: { name: 'My own', tools: { allow: ['exec'] } } } },
  });
  const { code, err } = await house.setup(['--agent', '--apply']);
  expect([code, err]).toEqual([1, expect.stringContaining('agent.openclaw_agent')]);
  expect(house.writes()).toEqual([]);
});

test('an agent that is added does not begin to beat', async () => {
  const beat = (more: Json) => ({
    agents: { defaults: { heartbeat: { every: '30m', ...more } }, entries: { main: {} } },
  });
  const house = openclawHouse(beat({}));
  await house.setup(['--agent', '--apply', '--url', await house.gateway()]);
  expect((house.config() as { agents: { defaults: Json } }).agents.defaults['heartbeat']).toEqual({
    every: '30m',
    agentId: 'main',
  });
  for (const more of [{ agentId: 'cook' }, { every: '0m' }]) {
    const other = openclawHouse(beat(more));
    await other.setup(['--agent', '--apply', '--url', await other.gateway()]);
    expect((other.config() as { agents: { defaults: Json } }).agents.defaults['heartbeat']).toEqual({
      every: '30m',
      ...more,
    });
  }
  const several = openclawHouse({
    agents: { defaults: { heartbeat: { every: '30m' } }, entries: { main: {}, cook: {} } },
  });
  const { err } = await several.setup(['--agent', '--apply', '--url', await several.gateway()]);
  expect(err).toContain('will beat too');
});

/** What fails, at which call, and whether OpenClaw had written by then. */
const FAILURES: readonly (readonly [string, string, boolean])[] = [
  ['the dry run', 'config patch --stdin --dry-run', false],
  ['the patch', 'config patch --stdin', false],
  ['the patch, after it had written', 'config patch --stdin', true],
  ['the registration, after it had written', 'mcp set wats', true],
  ['the look at the entry', 'mcp show wats', false],
  ['the try of the server', 'mcp probe wats', false],
];

test.each(FAILURES)('when %s fails, everything is as it was before', async (_what, call, after) => {
  const house = openclawHouse(OWN);
  const before = house.text();
  const url = await house.gateway();
  // The dry run begins like the patch: a fault of the patch must not catch it.
  house.fault(call === 'config patch --stdin' ? 'config patch --stdin' : call, { after });
  if (call === 'config patch --stdin')
    house.fault('config patch --stdin --dry-run', { code: 0, stdout: 'ok' });
  const { code, err } = await house.setup(['--apply', '--url', url]);
  expect(code).toBe(1);
  expect(house.text()).toBe(before);
  if (house.writes().length > 0) expect(err).toContain('OpenClaw’s settings are as they were before');
  for (const name of ['hooks.token', 'runner.token', 'setup.json']) expect(house.has(name)).toBe(false);
  expect(existsSync(join(dirname(house.configPath), 'workspace-wats'))).toBe(false);
  expect(existsSync(join(house.machine.dir, 'config.toml'))).toBe(false);
});

test('when the gateway does not take the token, everything is as it was before', async () => {
  for (const how of [
    { token: 'z'.repeat(32) },
    { hooks: 'off' },
    { also: `\${WATS_OPENCLAW_HOOKS_TOKEN}` },
  ] as const) {
    const house = openclawHouse(OWN);
    const before = house.text();
    const url = await house.gateway(how);
    let at = Date.now();
    Object.assign(house.machine.context, { now: () => (at += 20_000) });
    const { code, err } = await house.setup(['--agent', '--apply', '--url', url]);
    expect([code, err]).toEqual([1, expect.stringContaining('as they were before')]);
    expect(house.text()).toBe(before);
  }
});

test('the agent’s MCP server is tried where a daemon listens for it', async () => {
  const house = openclawHouse(OWN);
  const folder = join(house.machine.dir, 'openclaw');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(house.machine.dir, 0o700);
  const daemon = createServer((socket) => socket.end()).listen(join(folder, 'runner.sock'));
  onTestFinished(() => void daemon.close());
  const { code, err } = await house.setup(['--agent', '--apply', '--url', await house.gateway()]);
  expect(code).toBe(0);
  expect(err).not.toContain('could not be tried');
  expect(house.calls().map(({ args }) => args.join(' '))).toContain('mcp probe wats-agent --json');
  const fails = openclawHouse(OWN);
  mkdirSync(join(fails.machine.dir, 'openclaw'), { recursive: true, mode: 0o700 });
  chmodSync(fails.machine.dir, 0o700);
  const other = createServer((socket) => socket.end()).listen(
    join(fails.machine.dir, 'openclaw', 'runner.sock'),
  );
  onTestFinished(() => void other.close());
  fails.fault('mcp probe wats-agent', { code: 0, stdout: '{"tools":[]}' });
  const before = fails.text();
  expect((await fails.setup(['--agent', '--apply', '--url', await fails.gateway()])).err).toContain(
    'finds no tools',
  );
  expect(fails.text()).toBe(before);
});

test('a gateway that does not run is said, and the setup stands', async () => {
  const house = openclawHouse(OWN);
  const { code, err } = await house.setup(['--agent', '--apply', '--url', 'http://127.0.0.1:9']);
  expect([code, err]).toEqual([0, expect.stringContaining('the gateway does not run')]);
  expect(house.machine.read('.local/share/wats/config.toml')).toContain('openclaw');
});

test('a machine that cannot be set up is told what to do', async () => {
  const none = openclawHouse(OWN);
  rmSync(join(none.machine.home, '..', 'bin', 'openclaw'));
  expect((await none.setup(['--apply'])).err).toContain('not in PATH');
  const old = openclawHouse(OWN, { FAKE_VERSION: '2026.8.31' });
  expect((await old.setup(['--apply'])).err).toContain('too old');
  expect((await openclawHouse(OWN, { FAKE_VERSION: '2027.1.0' }).setup(['--mcp', '--apply'])).code).toBe(0);
  const node = openclawHouse(OWN);
  node.fault('--version', { stderr: 'openclaw: Node 20.20.2: node:sqlite is unavailable; use 24.16+/26.1+' });
  const tooOld = await node.setup(['--apply']);
  expect(tooOld.err).toContain('node:sqlite is unavailable');
  expect(tooOld.err).toContain('Node that it asks for');
  const strange = openclawHouse(OWN);
  strange.fault('--version', { code: 0, stdout: 'hello' });
  expect((await strange.setup(['--apply'])).err).toContain('does not tell its version');
  const broken = openclawHouse({ ...OWN, broken: true });
  expect((await broken.setup(['--apply'])).err).toContain('broken already');
  for (const house of [none, old, node, strange, broken]) expect(house.writes()).toEqual([]);
});

test('settings that are managed from outside, or behind a symbolic link, are printed instead', async () => {
  const managed = openclawHouse(OWN, { OPENCLAW_CONFIG_READONLY: '1' });
  const { code, out, err } = await managed.setup(['--apply']);
  expect([code, err]).toEqual([0, expect.stringContaining('managed from outside')]);
  expect(out).toContain('Merge this into');
  const linked = openclawHouse(OWN);
  const real = join(linked.machine.home, 'real.json');
  renameSync(linked.configPath, real);
  symlinkSync(real, linked.configPath);
  const link = await linked.setup(['--apply']);
  expect([link.code, link.err]).toEqual([0, expect.stringContaining('symbolic link')]);
  for (const house of [managed, linked]) expect(house.writes()).toEqual([]);
});

test('an address that would carry the token in clear is refused', async () => {
  const house = openclawHouse(OWN);
  for (const url of [
    'http://gateway.example:18789',
    'http://203.0.113.7',
    'http://openclaw:18789',
    'not an address',
  ]) {
    const { code, err } = await house.setup(['--agent', '--apply', '--url', url]);
    expect([code, err.includes(url)]).toEqual([2, true]);
  }
  expect(house.writes()).toEqual([]);
});

test('a budget that OpenClaw manages is confirmed once', async () => {
  const house = openclawHouse(OWN);
  house.machine.write('.local/share/wats/config.toml', '[agent]\nopenclaw_budget = "managed"\n');
  chmodSync(house.machine.dir, 0o700);
  const url = await house.gateway();
  const refused = await house.setup(['--agent', '--apply', '--url', url]);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--yes')]);
  expect(house.writes()).toEqual([]);
  expect((await house.setup(['--agent', '--apply', '--yes', '--url', url])).code).toBe(0);
});

test('at inherit the wake goes to an agent of the person’s own, and nothing is made', async () => {
  const house = openclawHouse(OWN);
  house.machine.write(
    '.local/share/wats/config.toml',
    `[agent]\naccess = "inherit"\nopenclaw_agent = "main"\nallow = ["${'a'.repeat(64)}"]\n`,
  );
  chmodSync(house.machine.dir, 0o700);
  const { code, err } = await house.setup(['--agent', '--apply', '--url', await house.gateway()]);
  expect([code, err]).toEqual([0, expect.stringContaining('strangers will reach')]);
  const { entries } = (house.config() as { agents: { entries: Record<string, Json> } }).agents;
  expect(entries['main']).toEqual({ workspace: '/w' });
  expect(entries['cook']).toEqual({ tools: { deny: ['exec', 'wats-agent__*'] } });
  expect(entries['wats']).toBeUndefined();
  const bare = openclawHouse(OWN);
  bare.machine.write('.local/share/wats/config.toml', '[agent]\naccess = "inherit"\n');
  chmodSync(bare.machine.dir, 0o700);
  expect((await bare.setup(['--agent', '--apply'])).err).toContain('agent.allow');
});

test('a person’s own files in the workspace stay', async () => {
  const house = openclawHouse(OWN);
  const agents = join(dirname(house.configPath), 'workspace-wats', 'AGENTS.md');
  mkdirSync(dirname(agents));
  writeFileSync(agents, 'my own orders');
  const { err } = await house.setup(['--agent', '--apply', '--url', await house.gateway()]);
  expect(err).toContain('is your own');
  expect(readFileSync(agents, 'utf8')).toBe('my own orders');
});

test('--remove leaves nothing of ours, and every earlier key its value', async () => {
  for (const config of [
    OWN,
    { agents: { ownership: 'explicit', entries: { main: { workspace: '/w' } } } },
    { ...OWN, hooks: HOOKS },
    {},
    {
      mcp: { sessionIdleTtlMs: 5 },
      agents: { entries: { main: { tools: { deny: ['wats-agent__*', 'x'] } } } },
    },
  ]) {
    const house = openclawHouse(config);
    const url = await house.gateway();
    const file = join(house.machine.home, 'token');
    writeFileSync(file, HOOKS.token);
    const path = 'hooks' in config ? '/in' : '';
    const set = await house.setup(['--apply', '--idle-ttl', '--url', `${url}${path}`, '--token-file', file]);
    expect([set.code, set.err]).toEqual([0, expect.any(String)]);
    await house.setup(['--apply']);
    const { code, err } = await house.setup(['--remove', '--yes']);
    expect([code, err]).toEqual([0, '']);
    const { meta: _meta, ...left } = house.config();
    expect(stripped(left)).toEqual(stripped(config));
    for (const name of ['hooks.token', 'runner.token', 'setup.json']) expect(house.has(name)).toBe(false);
    expect(existsSync(join(dirname(house.configPath), 'workspace-wats'))).toBe(false);
    expect(house.machine.read('.local/share/wats/config.toml')).not.toContain('openclaw');
  }
});

/** Without empty objects, which OpenClaw leaves behind or drops as it likes. */
function stripped(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).flatMap(([key, each]) => {
    const clean = stripped(each);
    const empty =
      typeof clean === 'object' && clean !== null && !Array.isArray(clean) && Object.keys(clean).length === 0;
    return empty ? [] : [[key, clean] as const];
  });
  return Object.fromEntries(inner);
}

test('--remove keeps what was added since, and hooks that others use by now', async () => {
  const house = openclawHouse(OWN);
  await house.setup(['--apply', '--url', await house.gateway()]);
  const config = house.config() as { hooks: Json; agents: { entries: Record<string, Json> } };
  const token = config.hooks['token'];
  config.hooks['mappings'] = [{ match: { path: 'mail' } }];
  (config.hooks['allowedAgentIds'] as string[]).push('cook');
  writeFileSync(house.configPath, JSON.stringify(config));
  const { err } = await house.setup(['--remove', '--yes']);
  expect(err).toContain('stay on');
  const { hooks } = house.config() as { hooks: Json };
  expect(hooks).toMatchObject({
    enabled: true,
    token,
    mappings: [{ match: { path: 'mail' } }],
    allowedAgentIds: ['cook'],
  });
  expect(JSON.stringify(hooks)).not.toContain('wats');
});

test('--remove of one half leaves the other', async () => {
  const house = openclawHouse(OWN);
  await house.setup(['--apply', '--url', await house.gateway()]);
  await house.setup(['--remove', '--mcp', '--yes']);
  const { mcp } = house.config() as { mcp: { servers: Json } };
  expect(Object.keys(mcp.servers)).toEqual(['other', 'wats-agent']);
  expect(house.has('hooks.token')).toBe(true);
});

test('--remove without a terminal needs --yes, and puts things back when it fails on the way', async () => {
  const house = openclawHouse(OWN);
  await house.setup(['--apply', '--url', await house.gateway()]);
  const before = house.text();
  expect((await house.setup(['--remove'])).code).toBe(2);
  house.fault('agents delete');
  const { code, err } = await house.setup(['--remove', '--yes']);
  expect([code, err]).toEqual([1, expect.stringContaining('as they were before')]);
  expect(house.text()).toBe(before);
  expect(house.has('hooks.token')).toBe(true);
});

test('--remove where nothing was set up does nothing', async () => {
  const house = openclawHouse(OWN);
  const { code, out } = await house.setup(['--remove', '--yes']);
  expect([code, out]).toEqual([0, expect.stringContaining('is not registered')]);
  expect(house.writes()).toEqual([]);
});
