import { join } from 'node:path';
import type { RunSpec } from '../contract.ts';

/** Commands of wats by which an agent with a shell could loosen what keeps it in check. */
const COMMANDS = ['config', 'resume', 'guardian', 'setup', 'agent', 'peer'];
const FILES = ['config.toml', 'safety.json'];

/**
 * `--settings` with what no tool may do (ADR 0011, safety addendum, and reading what wats keeps). Against a shell
 * these rules stop accidents only.
 */
export function denySettings(spec: Pick<RunSpec, 'denyPaths' | 'workDir' | 'env'>): {
  readonly permissions: { readonly deny: readonly string[] };
} {
  const home = spec.env['HOME'];
  const paths = spec.denyPaths.flatMap((path) => [
    ...both(`/${escaped(path)}`),
    ...both(`/${escaped(path)}/**`),
    ...spellings(path, home).map((spelling) => `Bash(*${spelling}*)`),
  ]);
  // What would be loaded as settings or started as a server by the next run.
  const ownSettings = [join(spec.workDir, '.claude'), join(spec.workDir, '.mcp.json')].flatMap((path) =>
    ['Edit', 'Write'].flatMap((tool) => [`${tool}(/${escaped(path)})`, `${tool}(/${escaped(path)}/**)`]),
  );
  return {
    permissions: {
      deny: [
        ...paths,
        ...ownSettings,
        ...FILES.map((file) => `Bash(*${file}*)`),
        ...COMMANDS.map((command) => `Bash(*wats ${command}*)`),
      ],
    },
  };
}

/** A path with one slash more is absolute to Claude Code; patterns are those of gitignore. */
function both(pattern: string): readonly string[] {
  return ['Read', 'Edit', 'Write'].map((tool) => `${tool}(${pattern})`);
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, '\\$&');
}

/** How a command may spell a path below the home directory. */
function spellings(path: string, home: string | undefined): readonly string[] {
  if (home === undefined || home === '' || !path.startsWith(`${home}/`)) return [path];
  const below = path.slice(home.length + 1);
  return [path, `~/${below}`, `$HOME/${below}`, `\${HOME}/${below}`];
}
