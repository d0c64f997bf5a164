import type { RunSpec } from '../contract.ts';
import type { McpServer } from '../engine/mcp-config.ts';

/** Built-in tools and habits that a locked run has no use for. An unknown name given this way only warns. */
const OFF = [
  'plugins',
  'remote_plugin',
  'apps',
  'multi_agent',
  'goals',
  'view_image',
  'image_generation',
  'browser_use',
  'browser_use_external',
  'browser_use_full_cdp_access',
  'computer_use',
  'in_app_browser',
  'hooks',
  'memories',
  'tool_suggest',
  'sleep_tool',
  // Without this a refused connection is waited for without end.
  'unbounded_connection_retries',
] as const;
const SHELL = ['shell_tool', 'unified_exec', 'shell_snapshot'] as const;

type Spec = Pick<RunSpec, 'access' | 'model' | 'workDir' | 'tools' | 'maxTokens'>;

/** The arguments of one run, after the program's name. Measured on the real program. */
export function codexArgs(spec: Spec, wats: McpServer, instructions: string): readonly string[] {
  return [
    ...['exec', '--json', '--ephemeral', '--skip-git-repo-check', '-C', spec.workDir],
    ...(spec.model === null ? [] : ['-m', spec.model]),
    ...accessArgs(spec, instructions),
    ...set('approval_policy', text('never')),
    // It would call a metrics host at each run, and wait for it when there is no network.
    ...set('analytics.enabled', 'false'),
    ...set('suppress_unstable_features_warning', 'true'),
    ...serverArgs(wats),
    ...(spec.maxTokens === null ? [] : set('features.rollout_budget', budget(spec.maxTokens))),
    // The prompt comes on stdin.
    '-',
  ];
}

function accessArgs(spec: Spec, instructions: string): readonly string[] {
  switch (spec.access) {
    case 'locked':
      return [
        ...closed([...OFF, ...SHELL]),
        ...set('project_doc_max_bytes', '0'),
        ...set('skills.include_instructions', 'false'),
        ...set('skills.bundled.enabled', 'false'),
        ...set('model_instructions_file', text(instructions)),
        ...set('include_permissions_instructions', 'false'),
        ...set('include_environment_context', 'false'),
        ...set('include_collaboration_mode_instructions', 'false'),
      ];
    case 'workspace':
      return closed(codexHasShell(spec.tools) ? OFF : [...OFF, ...SHELL]);
    case 'inherit':
      return [];
    default:
      return spec.access satisfies never;
  }
}

/** Neither the user's configuration nor anything beyond a sandbox that writes nothing. */
function closed(off: readonly string[]): readonly string[] {
  return [
    ...['--ignore-user-config', '--ignore-rules', '-s', 'read-only'],
    ...set('web_search', text('disabled')),
    // The model's own catalogue entry offers sub-agents whatever the features say.
    ...set('agents.enabled', 'false'),
    ...off.flatMap((feature) => set(`features.${feature}`, 'false')),
  ];
}

/** Codex reads files by a shell only, so at `workspace` it has none of either unless `agent.tools` names a shell. */
export function codexHasShell(tools: readonly string[]): boolean {
  return tools.some((tool) => /^(Bash|shell)(\(|$)/.test(tool));
}

/** `required`: without the server the run ends before it costs anything. */
function serverArgs({ command, args, env }: McpServer): readonly string[] {
  const pairs = Object.entries(env).map(([name, value]) => `${text(name)}=${text(value)}`);
  const key = 'mcp_servers.wats';
  return [
    ...set(`${key}.command`, text(command)),
    ...set(`${key}.args`, `[${args.map(text).join(',')}]`),
    ...set(`${key}.env`, `{${pairs.join(',')}}`),
    ...set(`${key}.required`, 'true'),
    ...set(`${key}.startup_timeout_sec`, '20'),
    ...set(`${key}.tool_timeout_sec`, '60'),
    // Nobody is there to approve a call; what a run may do is decided by wats.
    ...set(`${key}.default_tools_approval_mode`, text('approve')),
  ];
}

function budget(tokens: number): string {
  return `{enabled=true,limit_tokens=${tokens},reminder_at_remaining_tokens=[],sampling_token_weight=1.0,prefill_token_weight=1.0}`;
}

function set(key: string, value: string): readonly string[] {
  return ['-c', `${key}=${value}`];
}

/** A text as TOML has it: as JSON, but for one character that JSON leaves bare. */
export function text(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}
