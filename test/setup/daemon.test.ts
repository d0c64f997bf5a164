import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, WATS, wats, watsJson } from '../support/node.ts';
import { type TestMachine, testMachine } from './support/machine.ts';

let machine: TestMachine;
let dir: string;
const closers: (() => unknown)[] = [];
beforeEach(() => {
  machine = testMachine();
  dir = join(machine.home, 'd');
  machine.write('d/config.toml', 'profile = "ada"\n');
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  machine.remove();
});

const env = (): Record<string, string> => machine.context.env as Record<string, string>;

/** Starts `wats` as a person would, without a terminal. */
async function daemon(args: readonly string[]): Promise<{ stderr: () => string }> {
  const child = spawn(process.execPath, [WATS, ...args, '--dir', dir], {
    env: env(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise((done) => child.on('close', done));
  closers.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  await eventually(
    () => stderr.includes('agent ada-agent') || stderr.includes('no agent') || child.exitCode !== null,
  );
  return { stderr: () => stderr };
}

const registered = (): unknown => JSON.parse(machine.read('.claude.json')).mcpServers.wats;
const ENTRY = {
  type: 'stdio',
  command: process.execPath,
  args: [WATS, 'mcp', '--profile', 'ada', '--dir', ''],
  env: {},
};

test('wats --agent claude registers wats once, and the status of a node tells a registration that went stale', async () => {
  const profile = ['--agent-profile', 'ada-agent'];
  const { stderr } = await daemon(['--agent', 'claude', ...profile]);
  expect(stderr()).toContain('wats: registered wats in Claude Code');
  const wanted = { ...ENTRY, args: [...ENTRY.args.slice(0, -1), dir] };
  expect(registered()).toEqual(wanted);
  const alerts = async (): Promise<{ text: string; fix: string }[]> =>
    (await watsJson<{ alerts: { text: string; fix: string }[] }>(['status'], { dir, env: env() })).alerts;
  expect((await alerts()).map(({ text }) => text).join()).not.toContain('registered');

  for (const close of closers.splice(0).reverse()) await close();
  const second = await daemon(['--agent', 'claude', ...profile]);
  expect(second.stderr()).not.toContain('registered');
  expect(machine.changes('claude')).toHaveLength(1);

  machine.write(
    '.claude.json',
    JSON.stringify({ mcpServers: { wats: { ...wanted, command: '/old/node' } } }),
  );
  expect(await alerts()).toContainEqual(
    expect.objectContaining({ text: expect.stringContaining('Claude Code'), fix: 'wats setup claude --mcp' }),
  );
  const { stdout } = await wats(['status'], { dir, env: env() });
  expect(stdout).toContain('wats setup claude --mcp');
});

test('a daemon whose agent stands in config.toml registers nothing', async () => {
  machine.write('d/config.toml', 'profile = "ada"\nagent.runtime = "claude"\nagent.profile = "ada-agent"\n');
  await daemon([]);
  expect(machine.changes('claude')).toEqual([]);
});

test('a registration that fails is one line, and the agent runs without it', async () => {
  machine.write('.claude.json', 'no JSON');
  const { stderr } = await daemon(['--agent', 'claude', '--agent-profile', 'ada-agent']);
  expect(stderr()).toContain('wats: not registered in claude:');
  expect(stderr()).toContain('.claude.json is no JSON');
  const status = await watsJson<{ agent: { runtime: string } }>(['status'], { dir, env: env() });
  expect(status.agent.runtime).toBe('claude');
});
