import { askerOf } from './ask.ts';
import { carryOut } from './carry-out.ts';
import type { Entry } from './entry.ts';
import { directoryOf } from './entry.ts';
import type { Machine } from './host.ts';
import { HOSTS, hostNamed } from './hosts.ts';
import { planRegister, standingOf } from './plan.ts';

/**
 * Registers wats in a program's user scope when it is missing or different; does and says nothing otherwise.
 *
 * @returns what was done and what a person should know of it, as sentences; a program's words in them are not ours
 * @throws WatsError `runtime`, `failed` when it can't be; the person's agent runs without it
 */
export async function ensureRegistered(
  program: string,
  wanted: Entry,
  machine: Machine,
): Promise<readonly string[]> {
  const host = hostNamed(program);
  if (host === null) return [];
  const standing = standingOf(host, 'user', wanted, machine);
  if (standing.state === 'current') return [];
  const plan = planRegister(host, 'user', wanted, standing, machine);
  const said: string[] = [];
  await carryOut(plan, host, {
    ask: askerOf(host.name, machine),
    save: () => {}, // a registration changes no setting
    onDid: ({ did }) => said.push(did),
  });
  return [...said, ...plan.warnings];
}

/**
 * Registrations of this data directory that no longer say what they have to: one sentence each, with the fix.
 * Reads the programs' files and starts nothing. An entry of another data directory is none of this node's.
 * A file that can't be read is passed over: the program that it belongs to says so itself.
 */
export function staleRegistrations(
  wanted: Entry,
  dir: string,
  machine: Machine,
): readonly { readonly text: string; readonly fix: string }[] {
  return HOSTS.flatMap((host) => {
    try {
      const standing = standingOf(host, 'user', wanted, machine);
      if (standing.state !== 'stale') return [];
      const { entry } = standing.registered;
      if (entry !== null && directoryOf(entry, machine) !== dir && directoryOf(entry, machine) !== null)
        return [];
      return [
        {
          text: `what ${host.title} has registered as wats is not this wats: ${entry?.args[0] ?? standing.registered.path}`,
          fix: `wats setup ${host.name} --mcp`,
        },
      ];
    } catch {
      return []; // said above
    }
  });
}
