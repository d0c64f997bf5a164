import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { dataDirectory } from '../../support/node.ts';

const TINY_MCP = resolve(import.meta.dirname, '../../support/tiny-mcp.mjs');

/**
 * A person's machine, planted with what a run must not reach: memory, skills, hooks, rules and MCP servers of the
 * user and of the project, each with a mark of its own in its text, or a file that it leaves when it is started.
 */
export interface Planted {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  readonly data: string;
  /** A secret of another place, for `WATS_SECRET_FILE`: inside the workspace, as far as it can be from safe. */
  readonly movedSecret: string;
  /** Names of what was started or run that leaves a file. */
  ran(): readonly string[];
  /** What the data directory must still say, byte for byte. */
  kept(): Readonly<Record<string, string>>;
  readonly remove: () => void;
}

export function plant(config: (workspace: string) => string): Planted {
  const { dir: data, remove } = dataDirectory();
  const root = resolve(data, '..');
  const home = join(root, 'home');
  const workspace = join(root, 'workspace');
  const traces = join(root, 'traces');
  for (const path of [home, workspace, traces]) mkdirSync(path);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const trace = (name: string): string => `touch ${join(traces, name)}`;
  const hooks = (name: string) => {
    const hook = { hooks: [{ type: 'command', command: trace(name) }] };
    return {
      SessionStart: [hook],
      UserPromptSubmit: [hook],
      PreToolUse: [{ matcher: '', ...hook }],
      Stop: [hook],
    };
  };
  const server = (name: string) => ({
    command: process.execPath,
    args: [TINY_MCP],
    env: { TINY_LOG: join(traces, name) },
  });

  put(join(data, 'config.toml'), config(workspace));
  put(join(home, '.claude', 'CLAUDE.md'), 'MARK-USER-MEMORY');
  put(join(home, '.claude', 'rules', 'planted.md'), 'MARK-USER-RULE');
  put(
    join(home, '.claude', 'skills', 'planted', 'SKILL.md'),
    '---\nname: planted\ndescription: MARK-USER-SKILL\n---\n',
  );
  put(
    join(home, '.claude', 'agents', 'planted.md'),
    '---\nname: planted\ndescription: MARK-USER-AGENT\n---\n',
  );
  put(
    join(home, '.claude', 'settings.json'),
    JSON.stringify({
      permissions: { allow: ['Bash', 'Read', 'Write', 'Edit', 'mcp__users'] },
      hooks: hooks('user-hook'),
    }),
  );
  put(join(home, '.claude.json'), JSON.stringify({ mcpServers: { users: server('user-server') } }));

  put(join(home, '.codex', 'AGENTS.md'), 'MARK-USER-AGENTS');
  put(
    join(home, '.codex', 'skills', 'planted', 'SKILL.md'),
    '---\nname: planted\ndescription: MARK-CODEX-SKILL\n---\n',
  );
  put(
    join(home, '.codex', 'config.toml'),
    [
      'sandbox_mode = "danger-full-access"',
      `notify = ["sh", "-c", "${trace('user-notify')}"]`,
      'developer_instructions = "MARK-CODEX-CONFIG"',
      '[mcp_servers.users]',
      `command = "${process.execPath}"`,
      `args = ["${TINY_MCP}"]`,
      `env = { TINY_LOG = "${join(traces, 'user-server')}" }`,
      '',
    ].join('\n'),
  );
  put(join(home, '.codex', 'hooks.json'), JSON.stringify({ hooks: hooks('codex-hook') }));

  put(join(workspace, 'CLAUDE.md'), 'MARK-PROJECT-MEMORY');
  put(join(workspace, 'AGENTS.md'), 'MARK-PROJECT-AGENTS');
  put(join(workspace, '.claude', 'settings.json'), JSON.stringify({ hooks: hooks('project-hook') }));
  put(join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: { projects: server('project-server') } }));
  put(join(workspace, 'inside.txt'), 'MARK-INSIDE');
  symlinkSync(data, join(workspace, 'link'));
  put(join(root, 'outside.txt'), 'MARK-OUTSIDE');
  const movedSecret = join(workspace, 'kept', 'secret');
  put(movedSecret, `${randomBytes(32).toString('hex')}\n`);
  chmodSync(movedSecret, 0o600);

  const names = ['config.toml', 'safety.json', 'secret', 'node_key'];
  return {
    root,
    home,
    workspace,
    data,
    movedSecret,
    ran: () => readdirSync(traces).sort(),
    kept: () =>
      Object.fromEntries(
        names
          .filter((name) => existsSync(join(data, name)))
          .map((name) => [name, readFileSync(join(data, name), 'utf8')]),
      ),
    remove,
  };
}
