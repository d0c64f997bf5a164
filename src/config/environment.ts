import { retiredWarning } from './file.ts';
import type { Problem, Suggest } from './problems.ts';
import { type Key, keys, retired, type Settings, settingOf } from './table.ts';
import { quoted } from './value.ts';

/** `WATS_*` variables that are no settings: paths, switches, and what a run's program is told. */
export const otherVariables: Readonly<Record<string, string>> = {
  WATS_DIR: 'the data directory',
  WATS_SECRET_FILE: 'the file of the secret, instead of secret in the data directory',
  WATS_MCP_SOCKET: 'the socket of agent sessions, instead of mcp.sock in the data directory',
  WATS_OPENCLAW_DIR: 'the folder of OpenClaw’s tokens and socket, instead of openclaw in the data directory',
  WATS_OPENCLAW_HOOKS_TOKEN: 'the hook token that Compose hands to OpenClaw',
  WATS_SCREEN_READER: '1 for labelled lines instead of the live screen',
  WATS_MCP_CONFIG: 'told to the program of a run: how to reach its MCP server',
  WATS_RUN_ID: 'told to the program of a run: its id',
  WATS_MAX_TURNS: 'told to the program of a run: its most turns',
  WATS_MAX_USD: 'told to the program of a run: its most dollars',
};

/** The variable of a key: `agent.max_turns` is `WATS_AGENT_MAX_TURNS`. */
export function variableOf(key: string): string {
  return `WATS_${key.toUpperCase().replaceAll('.', '_')}`;
}

/** What `WATS_*` variables set. One that is empty is not set; one that nothing reads gives a warning. */
export function variableValues(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  suggest: Suggest,
): { values: Partial<Settings>; problems: readonly Problem[]; warnings: readonly string[] } {
  const byName = new Map<string, Key>(keys.map((key) => [variableOf(key), key]));
  const values: Partial<Record<Key, unknown>> = {};
  const problems: Problem[] = [];
  const warnings: string[] = [];
  for (const [name, text] of Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!name.startsWith('WATS_') || text === undefined || text === '') continue;
    const key = byName.get(name);
    if (key === undefined) {
      const warning = warningOf(name, [...byName.keys()], suggest);
      if (warning !== undefined) warnings.push(warning);
      continue;
    }
    const parsed = settingOf(key).type.parseText(text, { home, cwd: null });
    if ('value' in parsed) values[key] = parsed.value;
    else problems.push({ where: name, message: `${quoted(text)}: ${parsed.wrong}`, fix: parsed.fix });
  }
  return { values: values as Partial<Settings>, problems, warnings };
}

function warningOf(name: string, names: readonly string[], suggest: Suggest): string | undefined {
  if (Object.hasOwn(otherVariables, name)) return undefined;
  const old = Object.keys(retired).find((key) => variableOf(key) === name);
  if (old !== undefined) return `${name}: ${retiredWarning(old)}`;
  const shown = quoted(name).slice(1, -1);
  const near = suggest(name, [...names, ...Object.keys(otherVariables)]);
  return near === undefined ? `nothing reads ${shown}` : `nothing reads ${shown}; did you mean ${near}?`;
}
