import { type Entry, entryLine, SERVER, sameEntry } from './entry.ts';
import type { Host, Machine, Registered, Scope } from './host.ts';

/** Where a program's registration stands against the one that it has to be. */
export type Standing =
  | { readonly state: 'absent' }
  | { readonly state: 'current'; readonly registered: Registered }
  /** Another path, other arguments, or no server that a command starts. */
  | { readonly state: 'stale'; readonly registered: Registered };

/** @throws WatsError `failed` when the program's file can't be read */
export function standingOf(host: Host, scope: Scope, wanted: Entry, machine: Machine): Standing {
  const registered = host.read(scope, machine);
  if (registered === null) return { state: 'absent' };
  const same = registered.entry !== null && sameEntry(registered.entry, wanted);
  return { state: same ? 'current' : 'stale', registered };
}

/** One thing that setup does, as it is shown before and told after. */
export type Step =
  | {
      readonly do: 'program';
      readonly args: readonly string[];
      /** Puts back what was there, when a later step fails. */
      readonly undo: readonly string[] | null;
      readonly will: string;
      readonly did: string;
    }
  | {
      readonly do: 'setting';
      readonly key: string;
      /** `null` unsets it. */
      readonly text: string | null;
      readonly will: string;
      readonly did: string;
    };

export interface Plan {
  /** In this order; none when everything is as asked for. */
  readonly steps: readonly Step[];
  /** What is so already. */
  readonly already: readonly string[];
  /** What a person should know before they say yes. */
  readonly warnings: readonly string[];
  /** What a person may want to do besides, afterwards. */
  readonly advice: readonly string[];
}

/** Registers the entry in the program, unless it is there, exactly. */
export function planRegister(
  host: Host,
  scope: Scope,
  wanted: Entry,
  standing: Standing,
  machine: Machine,
): Plan {
  const warnings = [...host.shadows(scope, machine)];
  const where = host.scopes.length > 1 ? ` (${scope} scope)` : '';
  if (standing.state === 'current') {
    return {
      steps: [],
      already: [`wats is registered in ${host.title}${where}`],
      warnings,
      advice: host.advice(standing.registered, machine),
    };
  }
  const registered = standing.state === 'stale' ? standing.registered : null;
  const steps: Step[] = [];
  if (registered !== null && host.removesFirst)
    steps.push({
      do: 'program',
      args: host.remove(scope),
      undo: host.restore(registered, scope),
      will: `remove what is registered as ${SERVER} in ${host.title}${where}: ${describe(registered)}`,
      did: `removed the old registration from ${host.title}${where}`,
    });
  const replaces = registered !== null && !host.removesFirst ? `, in place of ${describe(registered)}` : '';
  steps.push({
    do: 'program',
    args: host.add(wanted, scope),
    undo: null,
    will: `register wats in ${host.title}${where}: ${entryLine(wanted)}${replaces}`,
    did: `registered wats in ${host.title}${where}`,
  });
  const lost = registered === null ? [] : host.extras(registered);
  if (lost.length > 0)
    warnings.push(
      `${host.title} writes the entry anew and drops these lines of ${registered?.path ?? ''}; put them back: ${lost.join(' · ')}`,
    );
  return { steps, already: [], warnings, advice: host.advice(null, machine) };
}

/** Removes whatever is registered as wats in that scope. */
export function planUnregister(host: Host, scope: Scope, registered: Registered | null): Plan {
  const where = host.scopes.length > 1 ? ` (${scope} scope)` : '';
  if (registered === null)
    return { ...NOTHING, already: [`wats is not registered in ${host.title}${where}`] };
  return {
    ...NOTHING,
    steps: [
      {
        do: 'program',
        args: host.remove(scope),
        undo: null,
        will: `remove wats from ${host.title}${where}: ${describe(registered)}`,
        did: `removed wats from ${host.title}${where}`,
      },
    ],
  };
}

/** What config.toml says of the agent. */
export interface AgentFacts {
  readonly runtime: string | null;
  readonly about: string;
}

/** Makes the program the one that runs the agent. @param about `undefined` leaves it as it is */
export function planAgent(host: Host, about: string | undefined, now: AgentFacts): Plan {
  const steps: Step[] = [];
  const already: string[] = [];
  if (now.runtime === host.name) already.push(`${host.title} runs your agent (agent.runtime)`);
  else
    steps.push({
      do: 'setting',
      key: 'agent.runtime',
      text: host.name,
      will: `set agent.runtime to "${host.name}" in config.toml${now.runtime === null ? '' : ` (it is "${now.runtime}")`}`,
      did: `set agent.runtime to "${host.name}"`,
    });
  if (about !== undefined && about === now.about) already.push('agent.about says that');
  else if (about !== undefined)
    steps.push({
      do: 'setting',
      key: 'agent.about',
      text: about,
      will: `set agent.about in config.toml${now.about === '' ? '' : ' in place of what it says'}`,
      did: 'set agent.about',
    });
  const warnings =
    (about ?? now.about) === ''
      ? ['agent.about is empty: nobody knows what your agent is for (--about TEXT)']
      : [];
  return { steps, already, warnings, advice: [] };
}

/** Takes back what {@link planAgent} set. Another program's agent is left alone. */
export function planNoAgent(host: Host, now: AgentFacts): Plan {
  if (now.runtime !== host.name)
    return { ...NOTHING, already: [`${host.title} does not run your agent (agent.runtime)`] };
  const steps: Step[] = [
    {
      do: 'setting',
      key: 'agent.runtime',
      text: null,
      will: `unset agent.runtime in config.toml (it is "${host.name}")`,
      did: 'unset agent.runtime',
    },
  ];
  if (now.about !== '')
    steps.push({
      do: 'setting',
      key: 'agent.about',
      text: null,
      will: `unset agent.about in config.toml: ${JSON.stringify(now.about)}`,
      did: 'unset agent.about',
    });
  return { ...NOTHING, steps };
}

export const NOTHING: Plan = { steps: [], already: [], warnings: [], advice: [] };

export function joinPlans(plans: readonly Plan[]): Plan {
  return {
    steps: plans.flatMap(({ steps }) => steps),
    already: plans.flatMap(({ already }) => already),
    warnings: plans.flatMap(({ warnings }) => warnings),
    advice: plans.flatMap(({ advice }) => advice),
  };
}

function describe({ entry, path }: Registered): string {
  return entry === null ? `a server that no command starts (${path})` : entryLine(entry);
}
