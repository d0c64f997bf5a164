import type { Charge } from '../budget/index.ts';
import type { Ending, Outcome, RunEvent, Session } from '../runtimes/index.ts';
import { composePrompt } from './compose.ts';
import type { QueuedWake, RunnerPorts, Stage, TakenWake } from './ports.ts';
import type { RunnerSettings } from './settings.ts';

type Interruption = Parameters<Session['interrupt']>[0];

/** A run in progress. */
export interface Going {
  readonly id: string;
  readonly cause: string;
  readonly wakes: readonly TakenWake[];
  readonly startedAt: number;
  readonly spawned: boolean;
  readonly costMicroUsd: number | null;
  readonly turns: number | null;
  /** Ends it in the program's own way. Safe to call at any time, also before the program is there. */
  interrupt(outcome: Interruption): void;
}

/** A run id: `r-` and 12 hex digits; also a folder name. */
function runId(random: (bytes: number) => Uint8Array): string {
  return `r-${Buffer.from(random(6)).toString('hex')}`;
}

/**
 * Books a run and carries it out: money and wakes are taken before anything is spawned. `ended` never rejects, and
 * resolves when nothing of the run is left but its transcript.
 */
export function carryOut(
  settings: RunnerSettings,
  priced: boolean,
  decision: { readonly wakes: readonly QueuedWake[]; readonly charge: Charge },
  ports: RunnerPorts,
): { readonly going: Going; readonly ended: Promise<Ending> } {
  const { store, now, tell } = ports;
  const { charge } = decision;
  const wakes = store.wakes.load(decision.wakes.map((wake) => wake.id));
  const at = now();
  const id = runId(ports.random);
  const cause = wakes[0]?.cause ?? 'person';
  const posts = wakes.flatMap(({ post }) => (post === null ? [] : [post.post.id]));
  const capMicroUsd = priced ? charge.microUsd : null;

  // The prompt is made first: what it cannot say must not be marked as told.
  const prompt = attempt(() => composePrompt(settings, wakes, ports, at));
  store.runs.book({
    id,
    agent: settings.agent,
    session: wakes[0]?.session ?? 'person',
    cause,
    runtime: ports.runtime.name,
    secondTry: wakes.some(({ tries }) => tries > 0),
    about: posts[0] ?? null,
    wakes: wakes.map((wake) => wake.id),
    charge,
    capMicroUsd,
    at,
  });
  tell({ type: 'run_booked', run: id, cause, posts, capMicroUsd });

  const abort = new AbortController();
  const state = { spawned: false, costMicroUsd: null as number | null, turns: null as number | null };
  let session: Session | null = null;
  let interruption: Interruption | null = null;

  const going: Going = {
    id,
    cause,
    wakes,
    startedAt: at,
    get spawned() {
      return state.spawned;
    },
    get costMicroUsd() {
      return state.costMicroUsd;
    },
    get turns() {
      return state.turns;
    },
    interrupt(outcome) {
      interruption ??= outcome;
      if (session === null) abort.abort();
      else session.interrupt(outcome);
    },
  };

  async function perform(stage: Stage): Promise<Ending> {
    session = await ports.runtime.open(
      {
        runId: id,
        runDir: stage.runDir,
        workDir: stage.workDir,
        access: settings.access,
        model: settings.model,
        maxTurns: settings.maxTurns,
        maxMicroUsd: capMicroUsd,
        maxTokens: priced ? null : settings.maxTokensPerRun,
        mcp: stage.mcp,
        env: stage.env,
        denyPaths: settings.denyPaths,
        tools: settings.tools,
        command: settings.command,
        timeoutMs: settings.timeoutMs,
        stallTimeoutMs: settings.stallTimeoutMs,
        onSpawn: (process) => {
          state.spawned = true;
          store.runs.spawned(id, process, now());
          tell({ type: 'run_spawned', run: id, pid: process.pid });
        },
        onLine: (line) => {
          // A transcript that cannot be written on is a run that nobody could look into.
          if (stage.line(line) !== 'written') session?.interrupt('error');
        },
      },
      abort.signal,
    );
    const ready = await session.ready();
    if (!ready.ok) return ready.ending;
    if (interruption !== null) return quick(interruption, 'stopped before its first turn');
    for await (const event of session.turn(prompt.value)) {
      const ending = note(event);
      if (ending !== null) return ending;
    }
    return quick('error', 'the runtime ended its turn without an ending');
  }

  function note(event: RunEvent): Ending | null {
    if (event.type === 'end') return event.ending;
    if (event.type === 'usage') {
      state.costMicroUsd = event.costMicroUsd ?? state.costMicroUsd;
      state.turns = event.turns ?? state.turns;
      tell({ type: 'run_progress', run: id, costMicroUsd: state.costMicroUsd, turns: state.turns });
    }
    return null;
  }

  async function whole(): Promise<Ending> {
    if (!prompt.ok) return quick('config', messageOf(prompt.error));
    let stage: Stage;
    try {
      stage = await ports.stage({ id, cause, wakes, at });
    } catch (error) {
      return quick('error', messageOf(error));
    }
    let ending: Ending;
    try {
      ending = await perform(stage);
    } catch (error) {
      // Money counts in full once a program was there; before that nothing was spent.
      const outcome = interruption ?? (state.spawned ? 'error' : 'config');
      ending = state.spawned
        ? quick(outcome, messageOf(error))
        : { ...quick(outcome, messageOf(error)), costMicroUsd: 0 };
    }
    await (session as Session | null)?.close();
    await ports.processes.endLeftovers({ id, process: null });
    await stage.close(ending, now() - at);
    return ending;
  }

  return { going, ended: whole() };
}

type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown; readonly value: never };

function attempt<T>(act: () => T): Attempt<T> {
  try {
    return { ok: true, value: act() };
  } catch (error) {
    return { ok: false, error } as Attempt<T>;
  }
}

/** An ending that the program had no part in. */
function quick(outcome: Outcome, message: string): Ending {
  return { outcome, message, costMicroUsd: null, turns: null, resetAt: null, exitCode: null, signal: null };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
