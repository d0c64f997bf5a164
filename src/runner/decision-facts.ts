import type { DecisionFacts } from './decide.ts';
import { admissionFacts } from './facts.ts';
import type { RunnerPorts } from './ports.ts';
import { readQueue } from './queue.ts';
import type { RunnerSettings } from './settings.ts';

/** Gathers everything that one decision is made from. */
export function decisionFacts(
  settings: RunnerSettings,
  ports: Pick<RunnerPorts, 'store' | 'halt' | 'localAuthors' | 'runtime'>,
  state: { readonly running: string | null; readonly priced: boolean },
  now: number,
): DecisionFacts {
  const { store } = ports;
  const agent = store.people.agent(settings.agent);
  const oneThreadPerRun = ports.runtime.oneThreadPerRun ?? false;
  return {
    running: state.running,
    halt: ports.halt(),
    pausedAt: agent?.pausedAt ?? null,
    blocked: agent?.blocked ?? null,
    wakes: readQueue(settings, ports, oneThreadPerRun, now),
    everyMs: settings.everyMs,
    wakesPerRun: settings.wakesPerRun,
    oneThreadPerRun,
    admission: admissionFacts(settings, state.priced, store, now),
  };
}
