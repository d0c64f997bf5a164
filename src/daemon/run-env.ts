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

/** Keys of providers, their addresses, and where a program keeps its login. */
const PROVIDER =
  /^(ANTHROPIC|CLAUDE_CODE_OAUTH|CLAUDE_CONFIG|OPENAI|CODEX|AWS|GOOGLE|VERTEX|AZURE)_[A-Z0-9_]+$|^CODEX_HOME$/;
/** The example agent of the demo is paced for a person's eyes by this one. */
const EXAMPLE = 'WATS_EXAMPLE_DELAY_MS';

export function runEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (ALLOWED.has(entry[0]) || PROVIDER.test(entry[0]) || entry[0] === EXAMPLE),
    ),
  );
}
