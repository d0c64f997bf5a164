import { WatsError } from '../../errors/index.ts';
import type { Probe } from '../contract.ts';
import { type AskEnv, askProgram } from '../engine/ask-program.ts';
import { findProgram } from '../engine/find-program.ts';
import { type ProgramWords, problemOf } from '../engine/fitness.ts';
import { versionIn } from '../engine/version.ts';

const CODEX: ProgramWords = {
  title: 'Codex',
  name: 'codex',
  oldest: '0.171.0',
  install: 'npm install -g @openai/codex',
  update: 'npm install -g @openai/codex@latest',
  login: 'codex login (or set CODEX_API_KEY)',
};

const NOT_REPORTED =
  'codex reports no cost: runs are counted, and tokens are capped by agent.max_tokens_per_run';
const USERS_OWN = "this user's global AGENTS.md is read";

/** Looks for Codex: where it is, how old, whether it is logged in. No network, no cost. */
export async function probeCodex(env: AskEnv, signal: AbortSignal): Promise<Probe> {
  const path = await findProgram('codex', env['PATH'] ?? '');
  const [version, loggedIn] =
    path === null
      ? [null, null]
      : await Promise.all([versionOf(path, env, signal), isLoggedIn(path, env, signal)]);
  return {
    found: path !== null,
    path,
    version,
    loggedIn,
    problem: problemOf(CODEX, { path, version, loggedIn }),
    reportsCost: false,
    enforces: {
      locked: {
        opens: [
          'only the wats tools and those that codex always offers, in an empty directory; nothing is writable',
        ],
        unguarded: [USERS_OWN, NOT_REPORTED],
      },
      workspace: {
        opens: [
          'the AGENTS.md and skills of agent.workdir',
          'a shell when agent.tools names one, in a sandbox that writes nothing',
        ],
        unguarded: [
          USERS_OWN,
          "this user's skills are listed",
          'a shell reads every file that this user can read',
          NOT_REPORTED,
        ],
      },
      inherit: {
        opens: ["this user's own configuration, MCP servers, skills and sandbox"],
        unguarded: ['wats denies nothing at this level', NOT_REPORTED],
      },
    },
  };
}

/**
 * A start that was looked into long ago says nothing of the program that is there now.
 *
 * @throws WatsError `runtime` when it is too old or does not say
 */
export async function refuseUnfit(path: string, env: AskEnv, signal: AbortSignal): Promise<void> {
  const version = await versionOf(path, env, signal);
  signal.throwIfAborted();
  const problem = problemOf(CODEX, { path, version, loggedIn: null });
  if (problem !== null) throw new WatsError('runtime', problem.message, { fix: problem.fix });
}

async function versionOf(path: string, env: AskEnv, signal: AbortSignal): Promise<string | null> {
  return versionIn((await askProgram(path, ['--version'], env, signal)).stdout);
}

async function isLoggedIn(path: string, env: AskEnv, signal: AbortSignal): Promise<boolean> {
  if ((env['CODEX_API_KEY'] ?? '') !== '') return true;
  return (await askProgram(path, ['login', 'status'], env, signal)).ok;
}
