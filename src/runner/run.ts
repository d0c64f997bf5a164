import type { Charge } from '../budget/index.ts';
import { isWatsError } from '../errors/index.ts';
import type { Ending, Outcome, RunEvent, Session } from '../runtimes/index.ts';
import { composePrompt } from './compose.ts';
import type { QueuedWake, RunnerPorts, Stage, TakenWake } from './ports.ts';
import type { RunnerSettings } from './settings.ts';
import { specOf } from './spec.ts';

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
 * resolves when nothing of the run is left but its transcript and its record.
 *
 * @throws WatsError `storage` when it cannot be booked; then nothing happened
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
  const cause = wakes.some((wake) => wake.cause === 'person') ? 'person' : (wakes[0]?.cause ?? 'person');
  const conversation = wakes[0]?.session ?? 'person';
  const posts = wakes.flatMap(({ post }) => (post === null ? [] : [post.post.id]));
  const capMicroUsd = priced ? charge.microUsd : null;

  // The prompt is made first: what it cannot say must not be marked as told.
  const prompt = attempt(() => composePrompt(settings, wakes, ports, at));
  const booked = {
    id,
    agent: settings.agent,
    session: conversation,
    cause,
    runtime: ports.runtime.name,
    secondTry: wakes.some(({ tries }) => tries > 0),
    about: posts[0] ?? null,
    wakes: wakes.map((wake) => wake.id),
    charge,
    capMicroUsd,
    at,
  };
  store.atomically(() => store.runs.book(booked));
  tell({ type: 'run_booked', run: id, cause, posts, capMicroUsd });

  const abort = new AbortController();
  const state = { spawned: false, costMicroUsd: null as number | null, turns: null as number | null };
  let session: Session | null = null;
  let interruption: Interruption | null = null;
  let overspent = false;

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

  async function perform(stage: Stage, text: string): Promise<Ending> {
    session = await ports.runtime.open(
      specOf(settings, { id, session: conversation, priced, capMicroUsd }, stage, {
        onSpawn: (process) => {
          state.spawned = true;
          // Without the record a later daemon still finds the program, by the mark in its environment.
          void quietly(() => store.runs.spawned(id, process, now()));
          tell({ type: 'run_spawned', run: id, pid: process.pid });
        },
        onLine: (line) => {
          // A transcript that cannot be written on is a run that nobody could look into.
          if (stage.line(line) !== 'written') session?.interrupt('error');
        },
      }),
      abort.signal,
    );
    const ready = await session.ready();
    if (!ready.ok) return ready.ending;
    if (interruption !== null) return quick(interruption, 'It was stopped before its first turn.');
    for await (const event of session.turn(text)) {
      const ending = note(event);
      if (ending !== null) return ending;
    }
    return quick('error', 'The runtime ended its turn without an ending.');
  }

  function note(event: RunEvent): Ending | null {
    if (event.type === 'end') return named(event.ending);
    if (event.type === 'usage') {
      state.costMicroUsd = event.costMicroUsd ?? state.costMicroUsd;
      state.turns = event.turns ?? state.turns;
      tell({ type: 'run_progress', run: id, costMicroUsd: state.costMicroUsd, turns: state.turns });
      if (capMicroUsd !== null && (state.costMicroUsd ?? 0) > capMicroUsd && interruption === null) {
        // Programs are handed the cap and look to it themselves; one that does not is cut short here.
        overspent = true;
        session?.interrupt('stopped');
      }
    }
    return null;
  }

  function named(ending: Ending): Ending {
    if (!overspent || ending.outcome !== 'stopped') return ending;
    return { ...ending, outcome: 'max_usd', message: 'It spent more than its cap and was interrupted.' };
  }

  /** From the stage to the ending. Whatever fails before a program is there has cost nothing, and is looked at again. */
  async function onStage(stage: Stage, text: string): Promise<Ending> {
    try {
      return await perform(stage, text);
    } catch (error) {
      if (state.spawned) return quick(interruption ?? 'error', messageOf(error));
      return free(interruption ?? 'config', messageOf(error));
    }
  }

  async function whole(): Promise<Ending> {
    if (!prompt.ok) return free('config', messageOf(prompt.error));
    let stage: Stage;
    try {
      stage = await ports.stage({ id, cause, wakes, at });
    } catch (error) {
      return free('config', messageOf(error));
    }
    const ending = await onStage(stage, prompt.value);
    const opened = session as Session | null;
    // A program that could not be opened may have been started all the same.
    await quietly(() =>
      opened === null ? ports.processes.endLeftovers({ id, process: null }) : opened.close(),
    );
    await quietly(() => stage.close(ending, now() - at));
    return ending;
  }

  /** Does what must not keep a run from ending. What goes wrong is a fault, for the log. */
  async function quietly(act: () => unknown): Promise<void> {
    try {
      await act();
    } catch (error) {
      ports.onFault(error);
    }
  }

  return { going, ended: whole() };
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function attempt<T>(act: () => T): Attempt<T> {
  try {
    return { ok: true, value: act() };
  } catch (error) {
    return { ok: false, error };
  }
}

/** An ending that the program had no part in. */
function quick(outcome: Outcome, message: string): Ending {
  return { outcome, message, costMicroUsd: null, turns: null, resetAt: null, exitCode: null, signal: null };
}

/** An ending before any program was there: it cost nothing. */
function free(outcome: Outcome, message: string): Ending {
  return { ...quick(outcome, message), costMicroUsd: 0 };
}

function messageOf(error: unknown): string {
  if (isWatsError(error) && error.fix !== undefined)
    return `${error.message.replace(/\.?$/, '.')} ${error.fix}`;
  return error instanceof Error ? error.message : String(error);
}
