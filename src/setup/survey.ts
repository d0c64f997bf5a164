import { askerOf } from './ask.ts';
import { type Entry, entryLine } from './entry.ts';
import type { Ask, Host, Machine, Scope } from './host.ts';
import { HOSTS } from './hosts.ts';
import { standingOf } from './plan.ts';

/** One agent program on this machine. */
export interface Surveyed {
  readonly name: string;
  readonly title: string;
  readonly found: boolean;
  readonly version: string | null;
  /** `null` when the program does not say. */
  readonly loggedIn: boolean | null;
  readonly login: string;
  /** `null`: wats can't tell for this program. */
  readonly registered: 'yes' | 'stale' | 'no' | null;
  readonly registrations: readonly {
    readonly scope: Scope;
    readonly state: 'current' | 'stale';
    readonly command: string | null;
    readonly path: string;
  }[];
  /** Why something of it could not be looked at. */
  readonly problem: string | null;
}

/** Looks for the agent programs: asks each for its version and login, and reads its settings. No network, no cost. */
export async function survey(wanted: Entry, machine: Machine): Promise<readonly Surveyed[]> {
  return Promise.all([...HOSTS.map((host) => look(host, wanted, machine)), openclaw(machine)]);
}

async function look(host: Host, wanted: Entry, machine: Machine): Promise<Surveyed> {
  const ask = askerOf(host.name, machine);
  const registrations: Surveyed['registrations'][number][] = [];
  const problems: string[] = [];
  const problem = (error: unknown): null => {
    problems.push(error instanceof Error ? error.message : String(error));
    return null;
  };
  for (const scope of host.scopes) {
    try {
      const standing = standingOf(host, scope, wanted, machine);
      if (standing.state === 'absent') continue;
      const { entry, path } = standing.registered;
      registrations.push({
        scope,
        state: standing.state,
        command: entry === null ? null : entryLine(entry),
        path,
      });
    } catch (error) {
      problem(error);
    }
  }
  const [version, loggedIn] = await Promise.all([
    versionOf(ask).catch(problem),
    host.loggedIn(ask).catch(problem),
  ]);
  return {
    name: host.name,
    title: host.title,
    found: version !== null,
    version: version === null || version === '' ? null : version,
    loggedIn: version === null ? null : loggedIn,
    login: host.login,
    registered: registeredOf(registrations.map(({ state }) => state)),
    registrations,
    problem: problems[0] ?? null,
  };
}

/** Stale wins: an entry that leads elsewhere is what a person has to know of. */
function registeredOf(states: readonly ('current' | 'stale')[]): 'yes' | 'stale' | 'no' {
  if (states.includes('stale')) return 'stale';
  return states.includes('current') ? 'yes' : 'no';
}

/** A gateway, not a host of sessions: it has a setup of its own. */
async function openclaw(machine: Machine): Promise<Surveyed> {
  const ask = askerOf('openclaw', machine);
  const version = await versionOf(ask).catch(() => null); // it starts slowly; one that doesn't answer is told as not found
  return {
    name: 'openclaw',
    title: 'OpenClaw',
    found: version !== null,
    version: version === '' ? null : version,
    loggedIn: null,
    login: '',
    registered: null,
    registrations: [],
    problem: null,
  };
}

/** @returns `null` when the program isn't there, '' when it does not tell */
export async function versionOf(ask: Ask): Promise<string | null> {
  const answer = await ask(['--version']);
  if (answer === null) return null;
  return /\d+\.\d+(\.\d+)?[0-9A-Za-z.-]*/.exec(answer.stdout)?.[0] ?? '';
}
