import { composePrompt, decide, decisionFacts, specOf, type TakenWake } from '../runner/index.ts';
import type { AgentSources } from './view.ts';
import { verdictText } from './words.ts';

/** An id that no run ever has. */
const NEVER = 'r-preview';
const PATIENCE_MS = 20_000;

/** What the next run would get, and whether it would start now. Looking costs nothing and changes nothing. */
export interface Preview {
  readonly starts: boolean;
  /** Why not, in words; `null` when it would start, or when nothing waits. */
  readonly because: string | null;
  readonly prompt: string;
  readonly access: string;
  readonly opens: readonly string[];
  readonly unguarded: readonly string[];
  readonly runtime: string;
  readonly model: string | null;
  /** The cap that the program would be handed, micro-dollars; `null` for a runtime that reports no cost. */
  readonly capMicroUsd: number | null;
  readonly argv: readonly string[] | null;
  /** Names only: values may be secrets. */
  readonly environment: readonly string[] | null;
  /** Files of the run's own directory, the MCP configuration among them. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

function byPerson(now: number): TakenWake {
  const nobody = { author: null, thread: null, post: null, parentAuthor: null };
  return {
    ...nobody,
    id: 0,
    cause: 'person',
    session: 'person',
    missed: 0,
    queuedAt: now,
    tries: 0,
    loopLogged: false,
  };
}

/** @throws WatsError `setting` for a HEARTBEAT.md that cannot be used, `runtime` for a program that is not there */
export async function previewRun(agent: AgentSources, now: number): Promise<Preview> {
  const { settings, ports, priced } = agent;
  const running = agent.runner.going()?.id ?? null;
  const facts = decisionFacts(settings, ports, { running, priced }, now);
  const verdict = decide(facts, now);
  const free = facts.wakes.filter(({ hold }) => hold === null).map(({ wake }) => wake);
  const next = verdict.kind === 'start' ? verdict.wakes : free.slice(0, settings.wakesPerRun);
  const queued = ports.store.wakes.load(next.map(({ id }) => id));
  // With nothing queued it shows what a person's own `wats agent run` would get.
  const wakes = queued.length > 0 ? queued : [byPerson(now)];
  const capMicroUsd = !priced
    ? null
    : verdict.kind === 'start'
      ? verdict.charge.microUsd
      : settings.maxMicroUsdPerRun;
  const spec = specOf(
    settings,
    { id: NEVER, session: wakes[0]?.session ?? 'person', priced, capMicroUsd },
    agent.placeOf(NEVER),
    { onSpawn: () => {}, onLine: () => {} },
  );
  const prepared = (await agent.prepare?.(spec, AbortSignal.timeout(PATIENCE_MS))) ?? null;
  return {
    starts: verdict.kind === 'start',
    because: verdict.kind === 'idle' ? 'nothing waits for the agent' : verdictText(verdict, now),
    prompt: composePrompt(settings, wakes, ports, now),
    access: settings.access,
    opens: agent.opens,
    unguarded: agent.unguarded,
    runtime: ports.runtime.name,
    model: settings.model,
    capMicroUsd,
    argv: prepared?.argv ?? null,
    environment: prepared === null ? null : Object.keys(prepared.env).sort(),
    files: prepared?.files ?? [],
  };
}
