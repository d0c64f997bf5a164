import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { denySettings } from '../../src/runtimes/claude/deny.ts';
import { serversOf } from '../../src/runtimes/claude/servers.ts';
import { claudeArgs, claudeEnv, givesShell } from '../../src/runtimes/claude/switches.ts';

const SPEC = {
  access: 'locked',
  model: 'sonnet',
  maxTurns: 10,
  maxMicroUsd: 400_000,
  tools: ['Read'],
  denyPaths: [],
  workDir: '/w',
  env: {},
} as const;

/** The value that follows a switch; every value up to the next switch when it takes several. */
function valuesOf(args: readonly string[], name: string): readonly string[] {
  const from = args.indexOf(name);
  if (from === -1) return [];
  const rest = args.slice(from + 1);
  const next = rest.findIndex((arg) => arg.startsWith('--'));
  return next === -1 ? rest : rest.slice(0, next);
}

test('locked closes every way by which a run was seen to get tools, memory, hooks or settings', () => {
  const args = claudeArgs(SPEC, '/r/mcp.json', { restricted: true });
  expect(args.slice(0, 6)).toEqual([
    '-p',
    '--input-format',
    'stream-json',
    '--output-format',
    'stream-json',
    '--verbose',
  ]);
  expect(valuesOf(args, '--tools')).toEqual(['']);
  expect(valuesOf(args, '--setting-sources')).toEqual(['']);
  expect(valuesOf(args, '--allowedTools')).toEqual(['mcp__wats__*']);
  expect(valuesOf(args, '--permission-mode')).toEqual(['dontAsk']);
  expect(valuesOf(args, '--mcp-config')).toEqual(['/r/mcp.json']);
  expect(valuesOf(args, '--max-turns')).toEqual(['10']);
  expect(valuesOf(args, '--max-budget-usd')).toEqual(['0.4']);
  expect(valuesOf(args, '--model')).toEqual(['sonnet']);
  for (const flag of [
    '--strict-mcp-config',
    '--disable-slash-commands',
    '--no-session-persistence',
    '--restricted',
  ])
    expect(args).toContain(flag);
});

test('a switch that the program does not know is not given, and what is unset is left out', () => {
  const args = claudeArgs({ ...SPEC, model: null, maxMicroUsd: null }, '/m', { restricted: false });
  for (const flag of ['--restricted', '--model', '--max-budget-usd']) expect(args).not.toContain(flag);
});

test('no turns at all is never handed on as no limit', () => {
  expect(valuesOf(claudeArgs({ ...SPEC, maxTurns: 0 }, '/m', { restricted: false }), '--max-turns')).toEqual([
    '1',
  ]);
});

test('workspace keeps file tools inside the directory and hooks off', () => {
  const tools = ['Read', 'Grep', 'Edit', 'Bash(git log *)', 'mcp__files__list'];
  const args = claudeArgs({ ...SPEC, access: 'workspace', tools }, '/m', { restricted: true });
  expect(valuesOf(args, '--tools')).toEqual(['Read,Grep,Edit,Bash']);
  // Bare `Grep` in the allow list was seen to search all of the disk.
  expect(valuesOf(args, '--allowedTools')).toEqual([
    'mcp__wats__*',
    'Edit(./**)',
    'Edit(./**)',
    'Bash(git log *)',
    'mcp__files__list',
  ]);
  expect(valuesOf(args, '--setting-sources')).toEqual(['project']);
  expect(args).toContain('--strict-mcp-config');
  expect(JSON.parse(valuesOf(args, '--settings')[0] ?? '')).toMatchObject({ disableAllHooks: true });
});

test('inherit denies nothing', () => {
  const args = claudeArgs({ ...SPEC, access: 'inherit' }, '/m', { restricted: true });
  for (const flag of ['--tools', '--setting-sources', '--strict-mcp-config', '--settings', '--restricted'])
    expect(args).not.toContain(flag);
  expect(valuesOf(args, '--allowedTools')).toEqual(['mcp__wats__*']);
});

test('the deny rules hold the data directory, what starts the next run, and the commands that loosen wats', () => {
  const { deny } = denySettings({
    denyPaths: ['/home/a/.wats'],
    workDir: '/w',
    env: { HOME: '/home/a' },
  }).permissions;
  expect(deny).toEqual(
    expect.arrayContaining([
      'Read(//home/a/.wats)',
      'Read(//home/a/.wats/**)',
      'Edit(//home/a/.wats/**)',
      'Write(//home/a/.wats/**)',
      'Bash(*/home/a/.wats*)',
      'Bash(*~/.wats*)',
      'Bash(*$HOME/.wats*)',
      `Bash(*$${'{HOME}'}/.wats*)`,
      'Edit(//w/.claude/**)',
      'Write(//w/.mcp.json)',
      'Bash(*config.toml*)',
      'Bash(*safety.json*)',
      'Bash(*wats config*)',
      'Bash(*wats resume*)',
      'Bash(*wats guardian*)',
      'Bash(*wats setup*)',
      'Bash(*wats agent*)',
      'Bash(*wats peer*)',
    ]),
  );
});

test('a path that looks like a pattern is taken as it is', () => {
  const { deny } = denySettings({ denyPaths: ['/a[1]*'], workDir: '/w', env: {} }).permissions;
  expect(deny).toContain('Read(//a\\[1\\]\\*/**)');
});

test('the environment cannot switch memory back on, but may move a limit', () => {
  const env = {
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '0',
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: '0',
    CLAUDE_CODE_MAX_RETRIES: '5',
  };
  const locked = claudeEnv({ access: 'locked', env, runDir: '/r' }, { WATS_RUN_DIR: '/r' });
  expect(locked).toMatchObject({
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1',
    CLAUDE_CODE_MAX_RETRIES: '5',
    API_TIMEOUT_MS: '120000',
    WATS_RUN_DIR: '/r',
  });
  expect(claudeEnv({ access: 'workspace', env: {}, runDir: '/r' }, {})).not.toHaveProperty(
    'CLAUDE_CODE_DISABLE_CLAUDE_MDS',
  );
  const inherit = claudeEnv({ access: 'inherit', env: {}, runDir: '/r' }, {});
  expect(inherit).not.toHaveProperty('CLAUDE_CODE_DISABLE_AUTO_MEMORY');
  expect(locked).toHaveProperty('XDG_CACHE_HOME', '/r/cache');
  expect(inherit).not.toHaveProperty('XDG_CACHE_HOME');
});

test('a shell is known however it is scoped', () => {
  expect(givesShell(['Read', 'Bash(ls /a/b)'])).toBe(true);
  expect(givesShell(['Read', 'mcp__x__Bash', 'BashOutputReader'])).toBe(false);
});

test('servers of the workspace stand beside ours and never in its place', async () => {
  const workDir = mkdtempSync(join(tmpdir(), 'wats-ws-'));
  onTestFinished(() => rmSync(workDir, { recursive: true }));
  const spec = { workDir, runDir: '/r', mcp: { command: 'wats', args: ['mcp'], env: { A: '1' } } };
  const ours = {
    type: 'stdio',
    command: 'wats',
    args: ['mcp'],
    env: { A: '1', WATS_RUN_DIR: '/r' },
    alwaysLoad: true,
  };
  expect(await serversOf({ ...spec, access: 'workspace' })).toEqual({ wats: ours });
  const files = { command: 'files', args: ['.'] };
  writeFileSync(
    join(workDir, '.mcp.json'),
    JSON.stringify({ mcpServers: { files, wats: { command: 'evil' } } }),
  );
  expect(await serversOf({ ...spec, access: 'workspace' })).toEqual({ files, wats: ours });
  expect(await serversOf({ ...spec, access: 'locked' })).toEqual({ wats: ours });
  writeFileSync(join(workDir, '.mcp.json'), '{');
  await expect(serversOf({ ...spec, access: 'workspace' })).rejects.toMatchObject({ code: 'runtime' });
});
