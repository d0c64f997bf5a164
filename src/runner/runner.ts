import { isWatsError, WatsError } from '../errors/index.ts';
import type { Probe } from '../runtimes/index.ts';
import { heartbeatDue, timerDelay } from '../schedule/index.ts';
import { judge } from '../waking/index.ts';
import { decide, type Verdict } from './decide.ts';
import { decisionFacts } from './decision-facts.ts';
import { type Over, recordEnd } from './ending.ts';
import { agentFacts, postFacts } from './facts.ts';
import type { QueuedWake, RunnerPorts } from './ports.ts';
import { rejoin } from './rejoin.ts';
import { carryOut, type Going } from './run.ts';
import type { RunnerSettings } from './settings.ts';

/** How many posts one waking step reads: small enough that the loop never blocks for long. */
const STEP = 256;
/** When to look again after a look that failed. */
const FAULT_MS = 60_000;

export interface Runner {
  /** Something changed: posts were stored, a person acted, a run ended. Looks again, soon. */
  poke(): void;
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
  let over: Over | null = null;
  let ended: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let soon: NodeJS.Immediate | null = null;
  let closed = false;
  let heartbeatAt: number | null = null;

  /** Judges what was stored since the last look: one step, so that others get their turn; the rest at the next look. */
  function wake(): void {
    const filter = agentFacts(settings, ports.localAuthors());
    const step = store.atomically(() =>
      store.wakes.step(agent, STEP, now(), ({ stored, parentAuthor }) => {
        const judged = judge(postFacts(stored, parentAuthor), filter, now());
        if (judged.kind !== 'wake') ports.ignored?.(stored.post.id, judged.because.rule);
        return { verdict: judged.kind, rule: judged.because.rule };
      }),
    );
    for (const { post } of step.woken) tell({ type: 'woken', post: post.id, kind: post.kind });
    if (step.read >= STEP) poke();
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

  /** A paused thread is logged once, however many wakes wait in it; that each of them was seen is kept in the store. */
  function logLoops(wakes: readonly { wake: QueuedWake; hold: { rule: string } | null }[]): void {
    const paused = wakes.flatMap(({ wake: queued, hold }) => (hold?.rule === 'loop' ? [queued] : []));
    const logged = new Set(paused.filter(({ loopLogged }) => loopLogged).map(({ thread }) => thread));
    for (const { id, thread, loopLogged } of paused) {
      if (loopLogged || thread === null) continue;
      store.wakes.markLoopLogged(id);
      if (!logged.has(thread)) tell({ type: 'loop', thread, limit: settings.loopMaxExchanges });
      logged.add(thread);
    }
  }

  /** A look that fails (a full disk, a defect) stops the agent, not the daemon; it is repeated within a minute. */
  function look(): void {
    if (closed) return;
    try {
      record();
      lookOnce();
    } catch (error) {
      ports.onFault(error);
      const until = now() + FAULT_MS;
      verdict = { kind: 'wait', until, because: { rule: 'fault', saw: codeOf(error), until } };
      tell({ type: 'verdict' });
      arm();
    }
  }

  function lookOnce(): void {
    wake();
    beat();
    followLeft();
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

  /** A run that recovering left open goes on where its program is: it is waited for before anything else starts. */
  function followLeft(): void {
    if (going !== null || ports.runtime.rejoin === undefined) return;
    for (const left of store.runs.open(agent)) {
      const run = rejoin(left, ports);
      if (run === null) continue;
      follow(run);
      return;
    }
  }

  function start(decision: Extract<Verdict, { kind: 'start' }>): void {
    const run = carryOut(settings, priced, decision, ports);
    verdict = { kind: 'wait', until: null, because: { rule: 'running', saw: run.going.id } };
    follow(run);
  }

  function follow(run: ReturnType<typeof carryOut>): void {
    going = run.going;
    ended = run.ended.then((ending) => {
      over = { run: run.going, ending, at: now() };
      if (closed) recordLast();
      else look();
    });
  }

  /** Until its ending is recorded a run is going: its money and its wakes are still taken, and no other one starts. */
  function record(): void {
    if (over === null) return;
    recordEnd(agent, over, ports);
    over = null;
    going = null;
  }

  /** While closing there is one try; what it cannot record the next start ends as interrupted, counted in full. */
  function recordLast(): void {
    try {
      record();
    } catch (error) {
      ports.onFault(error);
    }
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

    verdict: () => verdict,
    going: () => going,
    nextHeartbeatAt: () => heartbeatAt,

    runNow() {
      const facts = decisionFacts(settings, ports, { running: going?.id ?? null, priced }, now());
      // Whoever asks for a run wants the look now that a blocked runner would take later.
      const blocked = facts.blocked === null ? null : { ...facts.blocked, until: now() };
      const wakes = [...facts.wakes, { wake: personWake(now()), hold: null }];
      const would = decide({ ...facts, blocked, wakes }, now());
      if (would.kind === 'wait') throw new NotNow(would.because);
      store.atomically(() => {
        if (blocked !== null) store.people.setBlocked(agent, blocked);
        store.wakes.queue(agent, 'person', 0, now());
      });
      poke();
    },

    stopRun() {
      if (going === null || over !== null) throw new WatsError('refused', 'no run is going');
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

/** The wake that a person's request would be. */
function personWake(at: number): QueuedWake {
  const nobody = { author: null, thread: null, missed: 0, tries: 0, loopLogged: false };
  return { id: 0, cause: 'person', session: 'person', queuedAt: at, ...nobody };
}

function codeOf(error: unknown): string {
  return isWatsError(error) ? error.code : 'defect';
}

/** A run asked for by a person that would not start now; the daemon puts the reason into words. */
export class NotNow extends Error {
  readonly because: Extract<Verdict, { kind: 'wait' }>['because'];
  constructor(because: Extract<Verdict, { kind: 'wait' }>['because']) {
    super(`not now: ${because.rule}`);
    this.because = because;
  }
}
