import { z } from 'zod';
import { WatsError } from '../../errors/index.ts';
import type { Probe } from '../contract.ts';
import { type AskEnv, askProgram } from '../engine/ask-program.ts';
import { findProgram } from '../engine/find-program.ts';
import { type ProgramWords, problemOf } from '../engine/fitness.ts';
import { versionIn } from '../engine/version.ts';
import type { Abilities } from './switches.ts';

const CLAUDE: ProgramWords = {
  title: 'Claude Code',
  name: 'claude',
  oldest: '2.1.197',
  install: 'npm install -g @anthropic-ai/claude-code',
  update: 'claude update',
  login: 'claude auth login (or set ANTHROPIC_API_KEY)',
};

/** Looks for Claude Code: where it is, how old, whether it is logged in. No network, no cost. */
export async function probeClaude(env: AskEnv, signal: AbortSignal): Promise<Probe> {
  const path = await findProgram('claude', env['PATH'] ?? '');
  if (path === null) return report({ path, version: null, loggedIn: null, restricted: false });
  const [version, loggedIn, restricted] = await Promise.all([
    versionOf(path, env, signal),
    isLoggedIn(path, env, signal),
    hasRestricted(path, env, signal),
  ]);
  return report({ path, version, loggedIn, restricted });
}

/**
 * What the program at `path` can do, from its own help. A start that was looked into long ago says nothing of the
 * program that is there now.
 *
 * @throws WatsError `runtime` when it does not answer or is too old: a run could be less closed than it should be
 */
export async function abilitiesOf(path: string, env: AskEnv, signal: AbortSignal): Promise<Abilities> {
  const [{ ok, stdout }, version] = await Promise.all([
    ask(path, ['--help'], env, signal),
    versionOf(path, env, signal),
  ]);
  signal.throwIfAborted();
  const problem = problemOf(CLAUDE, { path, version, loggedIn: null });
  if (problem !== null) throw new WatsError('runtime', problem.message, { fix: problem.fix });
  if (!ok)
    throw new WatsError('runtime', `${path} does not answer --help.`, {
      fix: `Run \`${path} --help\` and look at what it says.`,
    });
  return { restricted: RESTRICTED.test(stdout) };
}

const RESTRICTED = /^\s+--restricted\b/m;

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
    problem: problemOf(CLAUDE, { path, version, loggedIn }),
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

async function versionOf(path: string, env: AskEnv, signal: AbortSignal): Promise<string | null> {
  return versionIn((await ask(path, ['--version'], env, signal)).stdout);
}

const STATUS = z.object({ loggedIn: z.boolean() });

/** @returns `null` when it does not say */
async function isLoggedIn(path: string, env: AskEnv, signal: AbortSignal): Promise<boolean | null> {
  const { stdout } = await ask(path, ['auth', 'status'], env, signal);
  try {
    return STATUS.parse(JSON.parse(stdout)).loggedIn;
  } catch {
    // A version that answers otherwise; a run will tell.
    return null;
  }
}

async function hasRestricted(path: string, env: AskEnv, signal: AbortSignal): Promise<boolean> {
  return RESTRICTED.test((await ask(path, ['--help'], env, signal)).stdout);
}

/** A mere question must not set off an update. */
function ask(
  path: string,
  args: readonly string[],
  env: AskEnv,
  signal: AbortSignal,
): ReturnType<typeof askProgram> {
  return askProgram(path, args, { ...env, DISABLE_AUTOUPDATER: '1' }, signal);
}
