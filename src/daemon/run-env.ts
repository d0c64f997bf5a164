/** What a run's program may know of the daemon's environment (design page 3, "Access"): an allow list, nothing else. */
const ALLOWED = new Set([
  'HOME',
  'PATH',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TERM',
  'TMPDIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'XDG_CONFIG_HOME',
]);

/** Keys of the agent programs' own providers, their addresses, and where a program keeps its login. */
const PROVIDER = /^(ANTHROPIC|CLAUDE_CODE_OAUTH|OPENAI|CODEX)_[A-Z0-9_]+$|^(CLAUDE_CONFIG_DIR|CODEX_HOME)$/;
/** Clouds that Claude Code can be told to use instead: their credentials go along only then. */
const CLOUDS: readonly { readonly when: string; readonly names: RegExp }[] = [
  { when: 'CLAUDE_CODE_USE_BEDROCK', names: /^(CLAUDE_CODE_USE_BEDROCK|AWS_[A-Z0-9_]+)$/ },
  {
    when: 'CLAUDE_CODE_USE_VERTEX',
    names: /^(CLAUDE_CODE_USE_VERTEX|CLOUD_ML_REGION|GOOGLE_[A-Z0-9_]+|VERTEX_[A-Z0-9_]+)$/,
  },
];
/** The example agent of the demo is paced for a person's eyes by this one. */
const EXAMPLE = 'WATS_EXAMPLE_DELAY_MS';

export function runEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const clouds = CLOUDS.filter(({ when }) => Boolean(env[when])).map(({ names }) => names);
  const allowed = (name: string): boolean =>
    ALLOWED.has(name) || PROVIDER.test(name) || name === EXAMPLE || clouds.some((names) => names.test(name));
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && allowed(entry[0]),
    ),
  );
}
