import type { RunSpec } from '../contract.ts';
import { decimalUsd } from '../engine/money.ts';
import { denySettings } from './deny.ts';

/** What the installed program can do, beyond what every version we drive can. */
export interface Abilities {
  /** `--restricted`: file tools confined to the working directory, no settings, no hooks, no session inbox. */
  readonly restricted: boolean;
}

/** Claude Code's file tools that it allows inside the working directory by itself, and nowhere else. */
const READING = new Set(['Read', 'Grep', 'Glob']);
/** Those that it must be allowed to use, and then only there: listed bare, they would reach everywhere. */
const WRITING = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/**
 * The arguments of one run, after the program's name. Measured on the real program: without each of the switches
 * of `locked` a run has built-in tools, reads the user's memory or executes the user's hooks.
 */
export function claudeArgs(
  spec: Pick<
    RunSpec,
    'access' | 'model' | 'maxTurns' | 'maxMicroUsd' | 'tools' | 'denyPaths' | 'workDir' | 'env'
  >,
  mcpConfig: string,
  abilities: Abilities,
): readonly string[] {
  return [
    ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    '--include-partial-messages',
    ...['--mcp-config', mcpConfig],
    ...accessArgs(spec, abilities),
    '--no-session-persistence',
    // 0 turns would mean no limit at all.
    ...['--max-turns', String(Math.max(1, spec.maxTurns))],
    ...(spec.maxMicroUsd === null ? [] : ['--max-budget-usd', decimalUsd(spec.maxMicroUsd)]),
    ...(spec.model === null ? [] : ['--model', spec.model]),
  ];
}

function accessArgs(spec: Parameters<typeof claudeArgs>[0], abilities: Abilities): readonly string[] {
  switch (spec.access) {
    case 'locked':
      return [
        ...['--strict-mcp-config', '--tools', '', '--setting-sources', '', '--disable-slash-commands'],
        ...['--settings', JSON.stringify(denySettings(spec))],
        ...['--permission-mode', 'dontAsk', '--allowedTools', 'mcp__wats__*'],
        ...(abilities.restricted ? ['--restricted'] : []),
      ];
    case 'workspace':
      // Not `--restricted`: it would leave out the project's instructions and settings, which this level is for.
      return [
        ...['--strict-mcp-config', '--tools', builtIns(spec.tools).join(','), '--setting-sources', 'project'],
        ...['--settings', JSON.stringify({ disableAllHooks: true, ...denySettings(spec) })],
        ...[
          '--permission-mode',
          'dontAsk',
          '--allowedTools',
          'mcp__wats__*',
          ...spec.tools.flatMap(allowRule),
        ],
      ];
    case 'inherit':
      return ['--allowedTools', 'mcp__wats__*'];
    default:
      return spec.access satisfies never;
  }
}

/** The names of built-in tools in `agent.tools`: "Bash(git *)" is Bash; a tool of an MCP server is none. */
function builtIns(tools: readonly string[]): readonly string[] {
  return [...new Set(tools.filter((tool) => !tool.startsWith('mcp__')).map(nameOf))];
}

function nameOf(tool: string): string {
  return tool.split('(', 1)[0]?.trim() ?? '';
}

function allowRule(tool: string): readonly string[] {
  if (READING.has(tool)) return [];
  // Measured: a rule for Edit is what allows every writing tool; `Write(./**)` alone does not even allow Write.
  return WRITING.has(tool) ? ['Edit(./**)', `${tool}(./**)`] : [tool];
}

/** Whether `agent.tools` gives a run of claude a shell, which no deny rule really holds: worth a red banner. */
export function givesShell(tools: readonly string[]): boolean {
  return tools.some((tool) => /^(Bash|PowerShell|Monitor)(\(|$)/.test(tool));
}

/**
 * The environment of a run: the runner's allow list, limits that a person may move by the same variables, and
 * switches that nobody may.
 */
export function claudeEnv(
  spec: Pick<RunSpec, 'access' | 'env' | 'runDir'>,
  marker: Readonly<Record<string, string>>,
) {
  const defaults = {
    // Measured: by default 10 retries over 3 minutes even for a wrong key, and 5 minutes for a silent connection.
    CLAUDE_CODE_MAX_RETRIES: '2',
    API_TIMEOUT_MS: '120000',
    MCP_CONNECT_TIMEOUT_MS: '20000',
    MCP_TOOL_TIMEOUT: '60000',
  };
  const always = { DISABLE_AUTOUPDATER: '1', DISABLE_ERROR_REPORTING: '1' };
  // Memory is read even without any setting source.
  const noMemory = { CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1' };
  // Its logs of MCP servers, a folder a run, go with the run instead of filling the user's cache.
  const ownCache = { XDG_CACHE_HOME: `${spec.runDir}/cache` };
  const noInstructions = { CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1' };
  // Tool search offers a placeholder beside the tools and has the wats tools looked up, a paid answer more.
  const allTools = { ENABLE_TOOL_SEARCH: 'false' };
  return {
    ...defaults,
    ...spec.env,
    ...always,
    ...(spec.access === 'inherit' ? {} : { ...noMemory, ...ownCache }),
    ...(spec.access === 'locked' ? { ...noInstructions, ...allTools } : {}),
    ...marker,
  };
}
