import { isAbsolute } from 'node:path';
import type { AccessStatement, Probe } from '../contract.ts';
import { findProgram } from '../engine/find-program.ts';

const AS_THE_USER: AccessStatement = {
  opens: ['whatever the program does by itself, as this user'],
  unguarded: ['wats hands an agent program its tools and its limits, and holds back nothing else'],
};

/** Looks for the program of `agent.command`. It has no version and no login that wats could know of. */
export async function probeCommand(command: readonly string[], path: string): Promise<Probe> {
  const program = command[0] ?? '';
  const found = await findProgram(program, path);
  return {
    found: found !== null,
    path: found,
    version: null,
    loggedIn: null,
    problem: found === null ? problemWith(program) : null,
    reportsCost: false,
    enforces: {
      locked: { ...AS_THE_USER, opens: ['the wats tools', ...AS_THE_USER.opens] },
      workspace: AS_THE_USER,
      inherit: AS_THE_USER,
    },
  };
}

function problemWith(program: string): NonNullable<Probe['problem']> {
  const fix = 'wats config set agent.command \'["/absolute/path/to/program"]\'';
  if (program === '') return { message: 'agent.command is not set.', fix };
  if (isAbsolute(program))
    return { message: `${program} of agent.command is not there or not executable.`, fix };
  if (program.includes('/'))
    return {
      message: `${program} of agent.command is a relative path; a run starts in a directory of its own.`,
      fix,
    };
  return { message: `${program} of agent.command is not in PATH.`, fix };
}
