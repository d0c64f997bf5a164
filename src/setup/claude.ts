import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, SERVER, toEntry } from './entry.ts';
import { readJson } from './files.ts';
import type { Host, Machine, Registered } from './host.ts';

/** Projects named in a warning. */
const MOST_NAMED = 3;

/** Claude Code: its settings are JSON, its command line refuses to add what is there. */
export const claude: Host = {
  name: 'claude',
  title: 'Claude Code',
  scopes: ['user', 'project'],
  install: 'npm install -g @anthropic-ai/claude-code',
  login: 'claude auth login',
  removesFirst: true,
  version: ['--version'],

  read(scope, machine) {
    const path = scope === 'user' ? userFile(machine) : join(machine.cwd, '.mcp.json');
    return serverIn(readJson(path), path);
  },

  // The name stands first: an option that takes several values would eat it.
  add: (entry, scope) => [
    'mcp',
    'add',
    SERVER,
    '--scope',
    scope,
    ...Object.entries(entry.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    '--',
    entry.command,
    ...entry.args,
  ],
  remove: (scope) => ['mcp', 'remove', SERVER, '--scope', scope],
  restore: ({ raw }, scope) => ['mcp', 'add-json', SERVER, JSON.stringify(raw), '--scope', scope],

  shadows(scope, machine) {
    const sentences: string[] = [];
    const local = projectsWithOwn(machine);
    if (local.length > 0) {
      const named = local.slice(0, MOST_NAMED).join(', ');
      const more = local.length > MOST_NAMED ? ` and ${local.length - MOST_NAMED} more` : '';
      sentences.push(
        `a registration with the scope "local" wins in ${named}${more}; there: claude mcp remove ${SERVER} --scope local`,
      );
    }
    if (scope === 'user' && claude.read('project', machine) !== null)
      sentences.push(
        `the project's .mcp.json in ${machine.cwd} has a ${SERVER} of its own, which wins in that project`,
      );
    return sentences;
  },

  extras: () => [],
  advice: () => [],

  async loggedIn(ask) {
    const answer = await ask(['auth', 'status']);
    try {
      const status: unknown = JSON.parse(answer?.stdout ?? '');
      return isRecord(status) && typeof status['loggedIn'] === 'boolean' ? status['loggedIn'] : null;
    } catch {
      // A version that answers otherwise: not known, then.
      return null;
    }
  },
};

/** Where Claude Code keeps what is the user's: an older file wins while it is there. */
function userFile({ env, home }: Machine): string {
  const older = join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), '.config.json');
  return existsSync(older) ? older : join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json');
}

function serverIn(settings: unknown, path: string): Registered | null {
  if (!isRecord(settings) || !isRecord(settings['mcpServers'])) return null;
  const servers = settings['mcpServers'];
  if (!Object.hasOwn(servers, SERVER)) return null;
  return { entry: toEntry(servers[SERVER]), raw: servers[SERVER], path };
}

/** Directories whose local scope has a server of that name. */
function projectsWithOwn(machine: Machine): readonly string[] {
  const settings = readJson(userFile(machine));
  if (!isRecord(settings) || !isRecord(settings['projects'])) return [];
  return Object.entries(settings['projects'])
    .filter(([, project]) => serverIn(project, '') !== null)
    .map(([directory]) => directory);
}
