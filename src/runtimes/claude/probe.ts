import { execa } from 'execa';
import { z } from 'zod';
import type { Probe } from '../contract.ts';
import { findProgram } from '../engine/find-program.ts';
import type { Abilities } from './switches.ts';

/** The oldest version that the switches of a run were checked on. */
const OLDEST = [2, 1, 197] as const;
const ASK_MS = 15_000;

export type Env = Readonly<Record<string, string | undefined>>;

/** Looks for Claude Code: where it is, how old, whether it is logged in. No network, no cost. */
export async function probeClaude(env: Env, signal: AbortSignal): Promise<Probe> {
  const path = await findProgram('claude', env['PATH'] ?? '');
  if (path === null) return report({ path, version: null, loggedIn: null, restricted: false });
  const [version, loggedIn, restricted] = await Promise.all([
    versionOf(path, env, signal),
    isLoggedIn(path, env, signal),
    hasRestricted(path, env, signal),
  ]);
  return report({ path, version, loggedIn, restricted });
}

/** What the program at `path` can do, from its own help. */
export async function abilitiesOf(path: string, env: Env, signal: AbortSignal): Promise<Abilities> {
  return { restricted: await hasRestricted(path, env, signal) };
}

interface Found {
  readonly path: string | null;
  readonly version: string | null;
  readonly loggedIn: boolean | null;
  readonly restricted: boolean;
}

function report({ path, version, loggedIn, restricted }: Found): Probe {
  return {
    found: path !== null,
    path,
    version,
    loggedIn,
    problem: problemOf({ path, version, loggedIn }),
    reportsCost: true,
    enforces: {
      locked: {
        opens: ['only the wats tools, in an empty directory'],
        unguarded: [
          "an organisation's managed settings always apply",
          ...(restricted ? [] : ['this claude has no --restricted; a newer one closes more']),
        ],
      },
      workspace: {
        opens: [
          'the instructions, skills, settings and MCP servers of agent.workdir',
          'the tools of agent.tools; file tools inside agent.workdir',
        ],
        unguarded: [
          'MCP servers of the workspace run as this user',
          'with a shell in agent.tools, deny rules stop accidents only',
          'other Claude Code sessions of this user can send it messages',
          ...(restricted ? [] : ['this claude lets Glob list names outside agent.workdir']),
        ],
      },
      inherit: {
        opens: ["this user's own settings, hooks, memory, skills, MCP servers and tools"],
        unguarded: ['wats denies nothing at this level'],
      },
    },
  };
}

function problemOf({ path, version, loggedIn }: Omit<Found, 'restricted'>): Probe['problem'] {
  if (path === null)
    return {
      message: 'Claude Code (claude) is not in PATH.',
      fix: 'npm install -g @anthropic-ai/claude-code',
    };
  if (version === null)
    return {
      message: `${path} does not tell its version.`,
      fix: `Run \`${path} --version\` and look at what it says.`,
    };
  if (isOlder(version))
    return {
      message: `claude ${version} is too old; ${OLDEST.join('.')} or newer is needed.`,
      fix: 'claude update',
    };
  if (loggedIn === false)
    return { message: 'Claude Code is not logged in.', fix: 'claude auth login (or set ANTHROPIC_API_KEY)' };
  return null;
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, oldest] of OLDEST.entries()) {
    const part = parts[i] ?? 0;
    if (part !== oldest) return part < oldest;
  }
  return false;
}

async function versionOf(path: string, env: Env, signal: AbortSignal): Promise<string | null> {
  const { stdout } = await ask(path, ['--version'], env, signal);
  return /^(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? null;
}

const STATUS = z.object({ loggedIn: z.boolean() });

/** @returns `null` when it does not say */
async function isLoggedIn(path: string, env: Env, signal: AbortSignal): Promise<boolean | null> {
  const { stdout } = await ask(path, ['auth', 'status'], env, signal);
  try {
    return STATUS.parse(JSON.parse(stdout)).loggedIn;
  } catch {
    // A version that answers otherwise; a run will tell.
    return null;
  }
}

async function hasRestricted(path: string, env: Env, signal: AbortSignal): Promise<boolean> {
  const { stdout } = await ask(path, ['--help'], env, signal);
  return /^\s+--restricted\b/m.test(stdout);
}

/** Asks the program something that it answers by itself. Whatever goes wrong is an empty answer. */
async function ask(
  path: string,
  args: readonly string[],
  env: Env,
  signal: AbortSignal,
): Promise<{ stdout: string }> {
  const result = await execa(path, args, {
    env: { ...env, DISABLE_AUTOUPDATER: '1' },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: ASK_MS,
    cancelSignal: signal,
    maxBuffer: 1_000_000,
  });
  return { stdout: result.stdout };
}
