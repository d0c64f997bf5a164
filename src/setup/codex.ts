import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { isRecord, SERVER, toEntry } from './entry.ts';
import { readToml } from './files.ts';
import type { Host, Machine } from './host.ts';

/** What `codex mcp add` writes; everything else in the entry is the person's. */
const WRITTEN = ['command', 'args', 'env'];

/** What a person may want in the entry, and why; `codex mcp add` has no option for any of it. */
const ADVISED = [
  { key: 'startup_timeout_sec', value: 20, why: 'else Codex goes on without wats after 1 s' },
  {
    key: 'default_tools_approval_mode',
    value: 'approve',
    why: 'else Codex asks before each post; drafts of your agent are held for you all the same',
  },
  { key: 'required', value: true, why: 'only if Codex should not start without wats' },
] as const;

/** Codex: its settings are TOML, one scope, and its command line writes the entry anew without a word. */
export const codex: Host = {
  name: 'codex',
  title: 'Codex',
  scopes: ['user'],
  install: 'npm install -g @openai/codex',
  login: 'codex login',
  removesFirst: false,
  version: ['--version'],

  read(_scope, machine) {
    const path = userFile(machine);
    const settings = readToml(path);
    if (!isRecord(settings) || !isRecord(settings['mcp_servers'])) return null;
    const servers = settings['mcp_servers'];
    if (!Object.hasOwn(servers, SERVER)) return null;
    return { entry: toEntry(servers[SERVER]), raw: servers[SERVER], path };
  },

  add: (entry) => [
    'mcp',
    'add',
    SERVER,
    ...Object.entries(entry.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    '--',
    entry.command,
    ...entry.args,
  ],
  remove: () => ['mcp', 'remove', SERVER],
  restore: ({ entry }, scope) => (entry === null ? null : codex.add(entry, scope)),
  shadows: () => [],

  extras({ raw }) {
    if (!isRecord(raw)) return [];
    const own = Object.fromEntries(Object.entries(raw).filter(([key]) => !WRITTEN.includes(key)));
    return lines(own);
  },

  advice(registered, machine) {
    const raw = registered !== null && isRecord(registered.raw) ? registered.raw : {};
    const missing = ADVISED.filter(({ key }) => !Object.hasOwn(raw, key));
    if (missing.length === 0) return [];
    return [
      `"codex mcp add" has no options for these; put those that you want below [mcp_servers.${SERVER}] in ${userFile(machine)}:`,
      ...missing.map(({ key, value, why }) => `  ${lines({ [key]: value })[0]}  # ${why}`),
    ];
  },

  async loggedIn(ask) {
    const answer = await ask(['login', 'status']);
    if (answer === null) return null;
    return answer.code === 0 ? true : /not logged in/i.test(answer.stderr + answer.stdout) ? false : null;
  },
};

function userFile({ env, home }: Machine): string {
  return join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml');
}

function lines(table: Record<string, unknown>): readonly string[] {
  if (Object.keys(table).length === 0) return [];
  return stringify(table)
    .split('\n')
    .filter((line) => line.trim() !== '');
}
