import { dataDir } from '../paths/index.ts';

/** How a program starts an MCP server: what stands in its own settings under the name `wats`. */
export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The name that wats has among a program's MCP servers. */
export const SERVER = 'wats';

export interface WantedFacts {
  /** This Node and bin/wats.js, absolute. */
  readonly node: string;
  readonly script: string;
  /** The profile that the person's sessions post with. */
  readonly profile: string;
  /** The data directory, absolute. */
  readonly dir: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/**
 * The entry as it has to be: the running Node and script by absolute path, since a program has a PATH of its own.
 * `--dir` is left out where the home directory alone leads there: a program hands its servers HOME, and little else
 * (Codex neither WATS_DIR nor XDG_DATA_HOME).
 */
export function wantedEntry(facts: WantedFacts): Entry {
  const { node, script, profile, dir, home, platform } = facts;
  const where = dir === homeDirectory(home, platform) ? [] : ['--dir', dir];
  return { command: node, args: [script, 'mcp', '--profile', profile, ...where], env: {} };
}

/** The data directory that an entry of wats leads to; `null` for a server that is not wats. */
export function directoryOf(
  entry: Entry,
  around: { readonly home: string; readonly platform: NodeJS.Platform },
): string | null {
  const words = [entry.command, ...entry.args];
  const at = words.indexOf('mcp');
  const program = words[at - 1]?.split('/').at(-1);
  if (at < 1 || (program !== 'wats' && program !== 'wats.js')) return null;
  const named = optionOf(words.slice(at + 1), '--dir');
  return named ?? entry.env['WATS_DIR'] ?? homeDirectory(around.home, around.platform);
}

/** The value of an option; every option of `wats mcp` takes one. */
function optionOf(words: readonly string[], name: string): string | undefined {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    if (word === name) return words[i + 1];
    if (word.startsWith('--') && !word.includes('=')) i++;
  }
  return undefined;
}

function homeDirectory(home: string, platform: NodeJS.Platform): string {
  return dataDir({}, home, platform, undefined);
}

/** Exact comparison: command, every argument, every variable. */
export function sameEntry(a: Entry, b: Entry): boolean {
  const words = ({ command, args, env }: Entry): string =>
    JSON.stringify([command, args, Object.entries(env).sort(([x], [y]) => (x < y ? -1 : 1))]);
  return words(a) === words(b);
}

/** Words as a shell takes them, for a person to read or to copy. */
export function commandLine(argv: readonly string[]): string {
  return argv
    .map((word) => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

/** An entry as one line. What stands in a program's settings is not ours: callers make it visible. */
export function entryLine(entry: Entry): string {
  const variables = Object.keys(entry.env).map((name) => `${name}=…`);
  return [...variables, commandLine([entry.command, ...entry.args])].join(' ');
}

/** Reads an entry out of a program's settings; `null` for a server that is not started by a command. */
export function toEntry(value: unknown): Entry | null {
  if (!isRecord(value) || typeof value['command'] !== 'string') return null;
  const args = value['args'] ?? [];
  const env = value['env'] ?? {};
  if (!Array.isArray(args) || !args.every((word) => typeof word === 'string')) return null;
  if (!isRecord(env)) return null;
  return {
    command: value['command'],
    args,
    env: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, String(text)])),
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
