import { WatsError } from '../errors/index.ts';
import type { Ending, Probe } from '../runtimes/index.ts';
import { heartbeatDue, lookAgain, timerDelay } from '../schedule/index.ts';
import { judge } from '../waking/index.ts';
import { decide, type Verdict } from './decide.ts';
import { agentFacts, decisionFacts, postFacts } from './facts.ts';
import { conclude, concludeInterrupted } from './outcome.ts';
import type { QueuedWake, RunnerPorts } from './ports.ts';
import { carryOut, type Going } from './run.ts';
import type { RunnerSettings } from './settings.ts';

/** How many posts one waking step reads: small enough that the loop never blocks for long. */
const STEP = 256;
/** When to look again after a look that failed. */
const FAULT_MS = 60_000;

export interface Runner {
  /** Something changed: posts were stored, a person acted, a run ended. Looks again, soon. */
  poke(): void;
  /** Ends what a dead daemon left: its processes first, then its run. Before the first look. */
  recover(): Promise<void>;
  /** The newest decision. */
  verdict(): Verdict;
  /** The run in progress. */
  going(): Going | null;
  /** When the next heartbeat is due, ms; `null` while they are off. */
  nextHeartbeatAt(): number | null;
  /** Queues a run by a person. @throws WatsError `refused` with the reason when it would not start now */
  runNow(): void;
  /** @throws WatsError `refused` when no run is going */
  stopRun(): void;
  pause(): void;
  resume(): void;
  /** Starts nothing more; resolves when the run in progress has ended by itself, or was stopped with `now`. */
  close(how: 'drain' | 'now'): Promise<void>;
}

/** The one loop that acts: read facts, decide, commit, do, record. */
export function createRunner(settings: RunnerSettings, probe: Probe, ports: RunnerPorts): Runner {
  const { store, now, tell } = ports;
  const { agent } = settings;
  const priced = probe.reportsCost;
  let verdict: Verdict = { kind: 'idle' };
  let going: Going | null = null;
  let ended: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let soon: NodeJS.Immediate | null = null;
  let closed = false;
  let heartbeatAt: number | null = null;

  /** Judges what was stored since the last look, a step at a time. */
  function wake(): void {
    const filter = agentFacts(settings, ports.localAuthors());
    for (;;) {
      const step = store.wakes.step(agent, STEP, now(), ({ stored, parentAuthor }) => {
        const judged = judge(postFacts(stored, parentAuthor), filter, now());
        return { verdict: judged.kind, rule: judged.because.rule };
      });
      for (const { post } of step.woken) tell({ type: 'woken', post: post.id, kind: post.kind });
      if (step.read < STEP) return;
    }
  }

  function beat(): void {
    const kept = store.people.agent(agent)?.heartbeat ?? null;
    const previous = kept !== null && kept.everyMs === settings.heartbeatMs ? kept.prev : null;
    const due = heartbeatDue(previous, settings.heartbeatMs, now());
    heartbeatAt = due.next;
    const keep =
      due.keep === null || settings.heartbeatMs === null
        ? null
        : { prev: due.keep, everyMs: settings.heartbeatMs };
    if (keep?.prev === kept?.prev && keep?.everyMs === kept?.everyMs) return;
    store.atomically(() => {
      store.people.setHeartbeat(agent, keep);
      if (due.due) store.wakes.queue(agent, 'heartbeat', due.missed, now());
    });
  }

  /** A paused thread is logged once for each of its wakes. */
  function logLoops(wakes: readonly { wake: QueuedWake; hold: { rule: string } | null }[]): void {
    for (const { wake: queued, hold } of wakes) {
      if (hold?.rule !== 'loop' || queued.loopLogged || queued.thread === null) continue;
      store.wakes.markLoopLogged(queued.id);
      tell({ type: 'loop', thread: queued.thread, limit: settings.loopMaxExchanges });
    }
  }

  /** A look that fails (a full disk, a defect) stops the agent, not the daemon; it is repeated within a minute. */
  function look(): void {
    if (closed) return;
    try {
      lookOnce();
    } catch (error) {
      ports.onFault(error);
      verdict = {
        kind: 'wait',
        until: now() + FAULT_MS,
        because: { rule: 'fault', saw: 'a look failed', until: now() + FAULT_MS },
      };
      arm();
    }
  }

  function lookOnce(): void {
    wake();
    beat();
    const facts = decisionFacts(settings, ports, { running: going?.id ?? null, priced }, now());
    logLoops(facts.wakes);
    verdict = decide(facts, now());
    tell({ type: 'verdict' });
    if (verdict.kind === 'start') start(verdict);
    arm();
  }

  /** One timer, for the earliest thing that changes by itself; at most a minute, so that a slept laptop catches up. */
  function arm(): void {
    if (timer !== null) clearTimeout(timer);
    const times = [heartbeatAt, verdict.kind === 'wait' ? verdict.until : null].filter((at) => at !== null);
    if (closed || times.length === 0) return;
    timer = setTimeout(look, timerDelay(Math.min(...times), now()));
  }

  function start(decision: Extract<Verdict, { kind: 'start' }>): void {
    const run = carryOut(settings, priced, decision, ports);
    going = run.going;
    verdict = { kind: 'wait', until: null, because: { rule: 'running', saw: run.going.id } };
    ended = run.ended.then((ending) => {
      going = null;
      try {
        finish(run.going, ending);
      } catch (error) {
        // The run stays open in the store, counted in full; the next start of the daemon ends it.
        ports.onFault(error);
      }
      poke();
    });
  }

  function finish(run: Going, ending: Ending): void {
    const booking = store.runs.booking(run.id);
    if (booking === null) throw new Error('a run ended that was never booked');
    const concluded = conclude(ending, booking.charge, store.effects.countOfRun(run.id));
    store.atomically(() => {
      store.runs.end({
        id: run.id,
        at: now(),
        outcome: concluded.outcome,
        message: ending.message,
        exitCode: ending.exitCode,
        signal: ending.signal,
        costMicroUsd: ending.costMicroUsd,
        turns: ending.turns,
        charge: concluded.charge,
        fate: concluded.fate,
      });
      block(concluded.blocks ? concluded.outcome : null, ending);
    });
    tell({
      type: 'run_ended',
      run: run.id,
      outcome: concluded.outcome,
      costMicroUsd: ending.costMicroUsd,
      turns: ending.turns,
      durationMs: now() - run.startedAt,
    });
  }

  /** Remembers what makes the next run pointless, and when to look again; forgets it after a run that went well. */
  function block(code: string | null, ending: Ending): void {
    const before = store.people.agent(agent)?.blocked ?? null;
    if (code === null) {
      if (before !== null) store.people.setBlocked(agent, null);
      return;
    }
    const count = (before?.count ?? 0) + 1;
    const until = lookAgain({ failedAt: now(), failures: count, resetAt: ending.resetAt }, now()).at;
    store.people.setBlocked(agent, { code, text: ending.message, until, count });
    tell({ type: 'blocked', code, until });
  }

  function poke(): void {
    if (closed || soon !== null) return;
    soon = setImmediate(() => {
      soon = null;
      look();
    });
  }

  return {
    poke,

    async recover() {
      for (const run of store.runs.open(agent)) {
        await ports.processes.endLeftovers({ id: run.id, process: run.process });
        const booking = store.runs.booking(run.id);
        if (booking === null) throw new Error('an open run was never booked');
        const concluded = concludeInterrupted(booking.charge);
        store.runs.end({
          id: run.id,
          at: now(),
          outcome: concluded.outcome,
          message: 'the daemon ended before the run did',
          exitCode: null,
          signal: null,
          costMicroUsd: null,
          turns: null,
          charge: concluded.charge,
          fate: concluded.fate,
        });
        tell({
          type: 'run_ended',
          run: run.id,
          outcome: concluded.outcome,
          costMicroUsd: null,
          turns: null,
          durationMs: now() - run.bookedAt,
        });
      }
    },

    verdict: () => verdict,
    going: () => going,
    nextHeartbeatAt: () => heartbeatAt,

    runNow() {
      const facts = decisionFacts(settings, ports, { running: going?.id ?? null, priced }, now());
      const person: QueuedWake = {
        id: 0,
        cause: 'person',
        author: null,
        thread: null,
        session: 'person',
        missed: 0,
        queuedAt: now(),
        tries: 0,
        loopLogged: false,
      };
      const would = decide({ ...facts, wakes: [...facts.wakes, { wake: person, hold: null }] }, now());
      if (would.kind === 'wait') throw new NotNow(would.because);
      store.wakes.queue(agent, 'person', 0, now());
      poke();
    },

    stopRun() {
      if (going === null) throw new WatsError('refused', 'no run is going');
      going.interrupt('stopped');
    },

    pause() {
      store.people.setPaused(agent, now());
      poke();
    },

    resume() {
      store.atomically(() => {
        store.people.setPaused(agent, null);
        store.people.setBlocked(agent, null);
      });
      poke();
    },

    async close(how) {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      if (soon !== null) clearImmediate(soon);
      if (how === 'now') going?.interrupt('stopped');
      await ended;
    },
  };
}

/** A run asked for by a person that would not start now; the daemon puts the reason into words. */
export class NotNow extends Error {
  readonly because: Extract<Verdict, { kind: 'wait' }>['because'];
  constructor(because: Extract<Verdict, { kind: 'wait' }>['because']) {
    super(`not now: ${because.rule}`);
    this.because = because;
  }
}
