import type { Probe } from '../contract.ts';
import { isOlder } from './version.ts';

/** A program as its problems name it, and what mends each of them. */
export interface ProgramWords {
  /** What people call it: `Claude Code`. */
  readonly title: string;
  /** What the shell calls it: `claude`. */
  readonly name: string;
  /** The oldest version that the switches of a run were checked on. */
  readonly oldest: string;
  readonly install: string;
  readonly update: string;
  readonly login: string;
}

/** Why a run of this program would fail, the first reason, with the fix; `null` when nothing is known against it. */
export function problemOf(
  words: ProgramWords,
  found: {
    readonly path: string | null;
    readonly version: string | null;
    /** `null`: it does not say, or was not asked. */
    readonly loggedIn: boolean | null;
  },
): Probe['problem'] {
  const { title, name, oldest } = words;
  const { path, version, loggedIn } = found;
  if (path === null) return { message: `${title} (${name}) is not in PATH.`, fix: words.install };
  if (version === null)
    return {
      message: `${path} does not tell its version.`,
      fix: `Run \`${path} --version\` and look at what it says.`,
    };
  if (isOlder(version, oldest))
    return { message: `${name} ${version} is too old; ${oldest} or newer is needed.`, fix: words.update };
  if (loggedIn === false) return { message: `${title} is not logged in.`, fix: words.login };
  return null;
}
