import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestMachine, testMachine } from './support/machine.ts';

let machine: TestMachine;
beforeEach(() => {
  machine = testMachine();
});
afterEach(() => machine.remove());

const WANTED = ['/opt/node/bin/node', '/opt/wats/bin/wats.js', 'mcp', '--profile', 'ada'];
const CONFIG = '.local/share/wats/config.toml';
const claudeServers = (): Record<string, { command: string; args: string[] }> =>
  JSON.parse(machine.read('.claude.json')).mcpServers;

describe('wats setup claude', () => {
  test('registers wats by absolute path and makes claude run the agent', async () => {
    const { code, out } = await machine.run(['setup', 'claude', '--about', 'knows SQLite', '--yes']);
    expect(code).toBe(0);
    expect(claudeServers()['wats']).toMatchObject({ command: WANTED[0], args: WANTED.slice(1) });
    expect(machine.changes('claude')).toEqual([['mcp', 'add', 'wats', '--scope', 'user', '--', ...WANTED]]);
    expect(machine.read(CONFIG)).toBe('[agent]\nruntime = "claude"\nabout = "knows SQLite"\n');
    expect(out).toContain(`- register wats in Claude Code (user scope): ${WANTED.join(' ')}`);
    expect(out).toContain('✓ registered wats in Claude Code (user scope)');
    expect(out).toContain('✓ set agent.runtime to "claude"');
  });

  test('does nothing the second time, and needs no --yes for it', async () => {
    await machine.run(['setup', 'claude', '--yes']);
    const config = machine.read(CONFIG);
    const { code, out } = await machine.run(['setup', 'claude']);
    expect(code).toBe(0);
    expect(out).toContain('wats is registered in Claude Code (user scope) already');
    expect(out).toContain('nothing to do');
    expect(machine.changes('claude')).toHaveLength(1);
    expect(machine.read(CONFIG)).toBe(config);
  });

  test('replaces an entry that differs in one word, and shows what was there', async () => {
    machine.write(
      '.claude.json',
      JSON.stringify({
        theme: 'dark',
        mcpServers: { other: { command: 'x' }, wats: { command: '/old/node', args: WANTED.slice(1) } },
      }),
    );
    const { code, out } = await machine.run(['setup', 'claude', '--mcp', '--yes']);
    expect(code).toBe(0);
    expect(machine.changes('claude').map(([, action]) => action)).toEqual(['remove', 'add']);
    expect(claudeServers()['wats']?.command).toBe('/opt/node/bin/node');
    expect(claudeServers()['other']).toEqual({ command: 'x' });
    expect(out).toContain('/old/node');
  });

  test('puts the old entry back when the new one is refused', async () => {
    const old = { type: 'stdio', command: '/old/node', args: ['a b'], env: { K: 'v' }, alwaysLoad: true };
    machine.write('.claude.json', JSON.stringify({ mcpServers: { wats: old } }));
    machine.write('refuse-add', '');
    const { code, err } = await machine.run(['setup', 'claude', '--yes']);
    expect(code).toBe(1);
    expect(err).toContain('claude mcp add failed: Cannot add now');
    expect(claudeServers()['wats']).toEqual(old);
    // The halves stand together: no agent is set up by a command that failed.
    expect(() => machine.read(CONFIG)).toThrow();
  });

  test('without a terminal and --yes shows what it would do, changes nothing and exits 2', async () => {
    const { code, out, err } = await machine.run(['setup', 'claude']);
    expect(code).toBe(2);
    expect(out).toContain('- register wats in Claude Code');
    expect(out).toContain('- set agent.runtime to "claude"');
    expect(err).toContain('--yes');
    expect(machine.changes('claude')).toEqual([]);
    expect(() => machine.read(CONFIG)).toThrow();
  });

  test('asks on a terminal: enter is yes, n is no', async () => {
    const no = await machine.run(['setup', 'claude'], { answer: 'n' });
    expect(no.code).toBe(1);
    expect(no.out).toContain('nothing was changed');
    expect(machine.changes('claude')).toEqual([]);
    const yes = await machine.run(['setup', 'claude'], { answer: '' });
    expect(yes.code).toBe(0);
    expect(claudeServers()).toHaveProperty('wats');
  });

  test('one half leaves the other alone', async () => {
    await machine.run(['setup', 'claude', '--agent', '--yes']);
    expect(machine.changes('claude')).toEqual([]);
    expect(machine.read(CONFIG)).toContain('runtime = "claude"');
    await machine.run(['setup', 'codex', '--mcp', '--yes']);
    expect(machine.read(CONFIG)).toContain('runtime = "claude"');
  });

  test('names the data directory in the registration when it is another than HOME leads to', async () => {
    const dir = join(machine.home, 'elsewhere');
    await machine.run(['setup', 'claude', '--dir', dir, '--yes']);
    expect(claudeServers()['wats']?.args).toEqual([...WANTED.slice(1), '--dir', dir]);
    const { out } = await machine.run(['setup', 'claude', '--dir', dir]);
    expect(out).toContain('nothing to do');
  });

  test('names the script itself, not a link to it that a package manager may move', async () => {
    machine.write('lib/wats/bin/wats.js', '');
    symlinkSync(join(machine.home, 'lib/wats/bin/wats.js'), join(machine.home, 'wats'));
    await machine.run(['setup', 'claude', '--mcp', '--yes'], {
      self: { node: '/opt/node/bin/node', script: join(machine.home, 'wats') },
    });
    expect(claudeServers()['wats']?.args[0]).toBe(realpathSync(join(machine.home, 'lib/wats/bin/wats.js')));
  });

  test('takes the profile that config.toml says', async () => {
    machine.write(CONFIG, 'profile = "ada work"\n');
    await machine.run(['setup', 'claude', '--mcp', '--yes']);
    expect(claudeServers()['wats']?.args).toEqual(['/opt/wats/bin/wats.js', 'mcp', '--profile', 'ada work']);
  });

  test('registers in the project with --scope project, beside the user scope', async () => {
    await machine.run(['setup', 'claude', '--mcp', '--scope', 'project', '--yes']);
    expect(machine.changes('claude')[0]?.slice(0, 5)).toEqual(['mcp', 'add', 'wats', '--scope', 'project']);
    const { code } = await machine.run(['setup', 'claude', '--mcp', '--scope', 'project']);
    expect(code).toBe(0);
    const { err } = await machine.run(['setup', 'claude', '--mcp', '--yes']);
    expect(err).toContain('.mcp.json');
    expect(claudeServers()).toHaveProperty('wats');
  });

  test('warns of a local registration, which wins over the user’s', async () => {
    machine.write(
      '.claude.json',
      JSON.stringify({
        projects: { '/home/ada/thesis': { mcpServers: { wats: { command: 'x' } } }, '/y': {} },
      }),
    );
    const { err } = await machine.run(['setup', 'claude', '--mcp', '--yes']);
    expect(err).toContain('"local" wins in /home/ada/thesis');
    expect(err).not.toContain('/y');
  });

  test('reads the file that Claude Code itself would', async () => {
    machine.write(
      '.claude/.config.json',
      JSON.stringify({ mcpServers: { wats: { command: WANTED[0], args: WANTED.slice(1) } } }),
    );
    const older = await machine.run(['setup', 'claude', '--mcp']);
    expect(older.out).toContain('nothing to do');
    machine.write('cfg/.claude.json', JSON.stringify({ mcpServers: { wats: { command: 'y', args: [] } } }));
    const moved = await machine.run(['setup', 'claude', '--mcp'], {
      env: { ...machine.context.env, CLAUDE_CONFIG_DIR: join(machine.home, 'cfg') },
    });
    expect(moved.out).toContain('remove what is registered as wats in Claude Code (user scope): y');
  });

  test('touches nothing of a settings file that is damaged', async () => {
    machine.write('.claude.json', '{"mcpServers": {');
    const { code, err } = await machine.run(['setup', 'claude', '--yes']);
    expect(code).toBe(1);
    expect(err).toContain('.claude.json is no JSON');
    expect(machine.read('.claude.json')).toBe('{"mcpServers": {');
    expect(() => machine.read(CONFIG)).toThrow();
  });

  test('shows an escape sequence in somebody’s entry as text', async () => {
    machine.write(
      '.claude.json',
      JSON.stringify({ mcpServers: { wats: { command: 'x\u001b[2J', args: ['\u202e'] } } }),
    );
    const { out } = await machine.run(['setup', 'claude', '--mcp', '--yes']);
    expect(out).not.toContain('\u001b');
    expect(out).not.toContain('\u202e');
    expect(claudeServers()['wats']?.command).toBe(WANTED[0]);
  });
});

describe('wats setup claude --remove', () => {
  test('takes back what setup did, and is idempotent', async () => {
    machine.write(CONFIG, '# mine\nprofile = "ada"\n[agent]\nevery = "1m" # calm\n');
    const before = machine.read(CONFIG);
    await machine.run(['setup', 'claude', '--about', 'x', '--yes']);
    const { code, out } = await machine.run(['setup', 'claude', '--remove', '--yes']);
    expect(code).toBe(0);
    expect(claudeServers()).toEqual({});
    expect(machine.read(CONFIG)).toBe(before);
    expect(out).toContain('unset agent.about in config.toml: "x"');
    const again = await machine.run(['setup', 'claude', '--remove']);
    expect(again.code).toBe(0);
    expect(again.out).toContain('nothing to do');
  });

  test('leaves the agent of another program alone', async () => {
    await machine.run(['setup', 'claude', '--yes']);
    await machine.run(['setup', 'codex', '--about', 'mine', '--yes']);
    await machine.run(['setup', 'claude', '--remove', '--yes']);
    expect(machine.read(CONFIG)).toContain('runtime = "codex"\nabout = "mine"');
    expect(machine.read('.codex/config.toml')).toContain('[mcp_servers.wats]');
  });
});

describe('wats setup codex', () => {
  test('registers wats, prints the lines that codex has no option for, and is then done', async () => {
    const { code, out } = await machine.run(['setup', 'codex', '--yes']);
    expect(code).toBe(0);
    expect(machine.changes('codex')).toEqual([['mcp', 'add', 'wats', '--', ...WANTED]]);
    for (const line of [
      'startup_timeout_sec = 20',
      'default_tools_approval_mode = "approve"',
      'required = true',
    ])
      expect(out).toContain(line);
    expect(machine.read(CONFIG)).toContain('runtime = "codex"');
    expect((await machine.run(['setup', 'codex'])).out).toContain('nothing to do');
  });

  test('counts lines of the person’s own as no difference, and does not advise what is there', async () => {
    machine.write(
      '.codex/config.toml',
      `[mcp_servers.wats]\ncommand = "${WANTED[0]}"\nargs = ${JSON.stringify(WANTED.slice(1))}\nrequired = true\n`,
    );
    const { out } = await machine.run(['setup', 'codex', '--mcp']);
    expect(out).toContain('nothing to do');
    expect(out).not.toContain('required');
    expect(out).toContain('startup_timeout_sec = 20');
  });

  test('says which lines of the person’s own a new registration drops', async () => {
    machine.write(
      '.codex/config.toml',
      'model = "m"\n[mcp_servers.wats]\ncommand = "/old/node"\nargs = []\nstartup_timeout_sec = 33\nrequired = true\n',
    );
    const { err, out } = await machine.run(['setup', 'codex', '--mcp', '--yes']);
    expect(err).toMatch(/put them back: startup_timeout_sec = 33(\.0)? · required = true/);
    expect(out).toContain('in place of /old/node');
    expect(machine.read('.codex/config.toml')).toContain('model = "m"');
    expect(machine.changes('codex')).toHaveLength(1);
  });

  test('has no project scope', async () => {
    const { code, err } = await machine.run(['setup', 'codex', '--scope', 'project', '--yes']);
    expect(code).toBe(2);
    expect(err).toContain('Codex has no project scope');
  });
});

describe('wats setup', () => {
  test('lists what is there: version, login, registration, and what runs the agent', async () => {
    machine.write('logged-in', '');
    await machine.run(['setup', 'claude', '--yes']);
    machine.write('.codex/config.toml', '[mcp_servers.wats]\ncommand = "/old"\n');
    const { code, out } = await machine.run(['setup', '--json']);
    expect(code).toBe(0);
    const [claude, codex, openclaw] = JSON.parse(out);
    expect(claude).toMatchObject({
      name: 'claude',
      found: true,
      version: '2.1.332',
      loggedIn: true,
      registered: 'yes',
      agent: true,
    });
    expect(codex).toMatchObject({
      name: 'codex',
      found: true,
      version: '0.171.0',
      loggedIn: false,
      registered: 'stale',
      agent: false,
    });
    expect(openclaw).toMatchObject({ name: 'openclaw', found: false, version: null });
    const table = await machine.run(['setup']);
    expect(table.out).toMatch(/claude +2\.1\.332 +yes +yes +yes/);
    expect(table.out).toMatch(/codex +0\.171\.0 +no +stale +no/);
    expect(table.out).toContain(
      'Codex starts another wats (user scope): /old. wats setup codex --mcp puts it right',
    );
  });

  test('names the way to install a program that is not there, and changes nothing', async () => {
    machine.remove();
    machine = testMachine([]);
    const { code, err } = await machine.run(['setup', 'claude', '--yes']);
    expect(code).toBe(1);
    expect(err).toContain('npm install -g @anthropic-ai/claude-code');
    expect(() => machine.read(CONFIG)).toThrow();
    expect((await machine.run(['setup'])).out).toMatch(/claude +not found/);
  });

  test.each([
    [['claud'], 'did you mean "wats setup claude"'],
    [['claude', 'codex'], 'a word too many'],
    [['claude', '--scope', 'local'], 'no scope "local"'],
    [['claude', '--mcp', '--about', 'x'], '--about belongs to the agent'],
    [['claude', '--remove', '--about', 'x'], '--remove takes no --about'],
  ])('%j is a mistake of usage', async (words, says) => {
    const { code, err } = await machine.run(['setup', ...words, '--yes']);
    expect(code).toBe(2);
    expect(err).toContain(says);
  });

  test('is no business of a run of the agent', async () => {
    const env = { ...machine.context.env, WATS_RUN_DIR: '/x' };
    for (const line of [
      ['setup', 'claude', '--yes'],
      ['uninstall', '--yes'],
    ]) {
      const { code, err } = await machine.run(line, { env });
      expect(code).toBe(1);
      expect(err).toContain('a run of the agent does not');
    }
    expect(machine.changes('claude')).toEqual([]);
  });
});

describe('wats uninstall', () => {
  test('takes wats out everywhere, names the data directory and leaves it as it is', async () => {
    await machine.run(['setup', 'claude', '--yes']);
    await machine.run(['setup', 'claude', '--mcp', '--scope', 'project', '--yes']);
    await machine.run(['setup', 'codex', '--mcp', '--yes']);
    const refused = await machine.run(['uninstall']);
    expect(refused.code).toBe(2);
    expect(claudeServers()).toHaveProperty('wats');
    const { code, out } = await machine.run(['uninstall', '--yes']);
    expect(code).toBe(0);
    expect(claudeServers()).toEqual({});
    expect(machine.read('../project/.mcp.json')).not.toContain('wats');
    expect(machine.read('.codex/config.toml')).not.toContain('wats');
    expect(out).toContain(machine.dir);
    expect(machine.read(CONFIG)).toContain('runtime = "claude"');
    expect((await machine.run(['uninstall'])).out).toContain('registered nowhere');
  });

  test('finds its entries also when wats has moved since, and leaves those of another data directory', async () => {
    machine.write(
      '.claude.json',
      JSON.stringify({ mcpServers: { wats: { command: '/gone/wats', args: ['mcp'] } } }),
    );
    machine.write(
      '.codex/config.toml',
      '[mcp_servers.wats]\ncommand = "wats"\nargs = ["mcp", "--dir", "/srv/other"]\n',
    );
    const { out, err } = await machine.run(['uninstall', '--yes']);
    expect(claudeServers()).toEqual({});
    expect(out).toContain('removed wats from Claude Code');
    expect(err).toContain('it leads to /srv/other');
    expect(machine.changes('codex')).toEqual([]);
  });

  test('knows its data directory through a symbolic link', async () => {
    machine.write('real/config.toml', '');
    symlinkSync(join(machine.home, 'real'), join(machine.home, 'link'));
    await machine.run(['setup', 'claude', '--mcp', '--dir', join(machine.home, 'link'), '--yes']);
    await machine.run(['uninstall', '--dir', join(machine.home, 'real'), '--yes']);
    expect(claudeServers()).toEqual({});
  });

  test('names a service that still starts wats, with the commands that end it', async () => {
    machine.write('.config/systemd/user/wats.service', '');
    const { code, out } = await machine.run(['uninstall']);
    expect(code).toBe(0);
    expect(out).toContain('systemctl --user disable --now wats && rm');
    expect(machine.read('.config/systemd/user/wats.service')).toBe('');
    const { services } = JSON.parse((await machine.run(['uninstall', '--json'])).out);
    expect(services).toHaveLength(1);
  });

  test('goes on with the others when one program fails, and says so', async () => {
    await machine.run(['setup', 'claude', '--mcp', '--yes']);
    await machine.run(['setup', 'codex', '--mcp', '--yes']);
    machine.write('refuse-remove', '');
    const { code, err, out } = await machine.run(['uninstall', '--yes']);
    expect(code).toBe(1);
    expect(err).toContain('Cannot remove now');
    expect(out).toContain('removed wats from Codex');
    expect(machine.read('.codex/config.toml')).not.toContain('wats');
  });
});
