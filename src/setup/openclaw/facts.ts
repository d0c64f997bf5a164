import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { WatsError } from '../../errors/index.ts';
import { type Entry, toEntry } from '../entry.ts';
import type { Answer } from '../host.ts';
import { isObject, type Json, jsonOf, type OpenclawCli, whyOf } from './cli.ts';

/** The first version whose hooks say how a turn ended. */
const OLDEST = '2026.9';

/** What OpenClaw has now. Secrets in it are blacked out by OpenClaw itself. */
export interface OpenclawFacts {
  readonly version: string;
  readonly configPath: string;
  readonly configExists: boolean;
  /** Why OpenClaw's command line cannot write its settings, as a sentence; `null`: it can. */
  readonly unwritable: string | null;
  /** `hooks`, `agents`, `mcp` as they stand; absent ones are `{}`. */
  readonly current: { readonly hooks: Json; readonly agents: Json; readonly mcp: Json };
  /** Ids of its agents; a new installation has `main`. */
  readonly agentIds: readonly string[];
  /** Our two MCP servers, as they stand. */
  readonly servers: { readonly wats: Entry | null; readonly agent: Entry | null };
  /** Whose hook token stands there: ours, when the text of the file holds it. */
  readonly token: 'none' | 'ours' | 'foreign';
}

/** What a person who pasted the change put in its place. */
const VARIABLE = `\${WATS_OPENCLAW_HOOKS_TOKEN}`;

const NO_ENTRY: Entry | null = null;

/**
 * Looks at OpenClaw through its own command line; writes nothing.
 *
 * @param ourToken the token that an earlier setup made, to see whether it is the one in use
 * @param onLook called before each slow look, with what it is about
 * @throws WatsError `runtime` where there is none, it is too old, its Node is, or its settings are broken
 */
export async function lookAtOpenclaw(
  cli: OpenclawCli,
  env: Readonly<Record<string, string | undefined>>,
  ourToken: string | null,
  onLook: (what: string) => void,
): Promise<OpenclawFacts> {
  onLook('version');
  const version = versionOf(await cli.run(['--version']));
  onLook('settings');
  const configPath = pathOf(await asked(cli, ['config', 'file']));
  const configExists = existsSync(configPath);
  const get = async (path: string): Promise<Json> => {
    if (!configExists) return {};
    const answer = await cli.run(['config', 'get', path, '--json']);
    const value = answer === null ? undefined : jsonOf(answer);
    return answer?.code === 0 && isObject(value) ? value : {};
  };
  // Each takes a second or more of its own start: together they take little longer than one.
  const [, hooks, agents, mcp] = await Promise.all([
    configExists ? checkValid(cli, configPath) : null,
    get('hooks'),
    get('agents'),
    get('mcp'),
  ]);
  const names = isObject(mcp['servers']) ? Object.keys(mcp['servers']) : [];
  const server = async (name: string): Promise<Entry | null> => {
    if (!names.includes(name)) return NO_ENTRY;
    const answer = await cli.run(['mcp', 'show', name, '--json']);
    return answer?.code === 0 ? toEntry(jsonOf(answer)) : NO_ENTRY;
  };
  const [wats, agent] = await Promise.all([server('wats'), server('wats-agent')]);
  return {
    version,
    configPath,
    configExists,
    unwritable: unwritableOf(configPath, env),
    current: { hooks, agents, mcp },
    agentIds: idsOf(agents),
    servers: { wats, agent },
    token: hooks['token'] === undefined ? 'none' : isOurs(configPath, ourToken) ? 'ours' : 'foreign',
  };
}

function versionOf(answer: Answer | null): string {
  if (answer === null)
    throw new WatsError('runtime', 'OpenClaw (openclaw) is not in PATH', {
      fix: 'npm install -g openclaw, or see https://docs.openclaw.ai/install',
    });
  if (answer.code !== 0) {
    const said = whyOf(answer);
    throw new WatsError('runtime', `openclaw does not start: ${said}`, {
      fix: /node/i.test(said)
        ? 'give OpenClaw the Node that it asks for, first in PATH'
        : 'run "openclaw --version" by hand',
    });
  }
  const version = /\b(\d{4})\.(\d{1,2})(\.\d+)?\b/.exec(answer.stdout);
  if (version === null)
    throw new WatsError('runtime', 'what is in PATH as openclaw does not tell its version', {
      fix: 'run "openclaw --version" by hand',
    });
  const [year, month] = [Number(version[1]), Number(version[2])];
  const [oldYear, oldMonth] = OLDEST.split('.').map(Number) as [number, number];
  if (year * 100 + month < oldYear * 100 + oldMonth)
    throw new WatsError(
      'runtime',
      `OpenClaw ${version[0]} is too old: its hooks take a wake without saying how it ended; ${OLDEST} and later do`,
      { fix: 'openclaw update' },
    );
  return version[0];
}

function pathOf(answer: Answer): string {
  const path = answer.stdout.trim().split('\n').at(-1) ?? '';
  if (path.startsWith('/')) return path;
  throw new WatsError('runtime', 'openclaw config file does not name its settings file', {
    fix: 'run "openclaw config file" by hand',
  });
}

async function checkValid(cli: OpenclawCli, path: string): Promise<void> {
  const answer = await cli.run(['config', 'validate', '--json']);
  const value = answer === null ? undefined : jsonOf(answer);
  if (answer?.code === 0 && isObject(value) && value['valid'] === true) return;
  throw new WatsError('runtime', `OpenClaw’s settings are broken already (${path})`, {
    fix: 'openclaw config validate says where; mend them first',
  });
}

async function asked(cli: OpenclawCli, args: readonly string[]): Promise<Answer> {
  const answer = await cli.run(args);
  if (answer?.code === 0) return answer;
  throw new WatsError(
    'runtime',
    `openclaw ${args.join(' ')} failed: ${answer === null ? 'it is gone' : whyOf(answer)}`,
  );
}

/** Its agents, in either of the two forms that it takes. */
function idsOf(agents: Json): readonly string[] {
  if (isObject(agents['entries'])) return Object.keys(agents['entries']);
  if (Array.isArray(agents['list']))
    return agents['list'].flatMap((one) =>
      isObject(one) && typeof one['id'] === 'string' ? [one['id']] : [],
    );
  return ['main'];
}

function unwritableOf(path: string, env: Readonly<Record<string, string | undefined>>): string | null {
  for (const name of ['OPENCLAW_CONFIG_READONLY', 'OPENCLAW_NIX_MODE'])
    if (env[name]) return `OpenClaw’s settings are managed from outside (${name})`;
  if (existsSync(path) && lstatSync(path).isSymbolicLink())
    return `${path} is a symbolic link, which OpenClaw would replace by a file`;
  return null;
}

/** Read, never written: OpenClaw blacks its token out, and a foreign one is not to be overwritten. */
function isOurs(path: string, token: string | null): boolean {
  if (token === null) return false;
  try {
    const text = readFileSync(path, 'utf8');
    return text.includes(token) || text.includes(VARIABLE);
  } catch {
    return false; // not ours to read: then it is somebody else's
  }
}
