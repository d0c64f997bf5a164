import { holdOf, type WakeHold } from '../waking/index.ts';
import type { HeldWake } from './decide.ts';
import { agentFacts, loopOf } from './facts.ts';
import type { QueuedWake, RunnerPorts } from './ports.ts';
import type { RunnerSettings } from './settings.ts';

const HOUR_MS = 3_600_000;
/** Wakes that one page of the queue has. */
const PAGE = 128;
/** How far into the queue one decision looks: held wakes must not hide free ones, nor stop the daemon by their number. */
const FARTHEST = 20_000;

export type QueuePorts = Pick<RunnerPorts, 'store' | 'halt' | 'localAuthors'>;

/**
 * The queue as far as a decision needs it: from the oldest wake until as many free ones were met as one run takes,
 * and the heartbeats and requests of a person behind them. So a decision costs what it takes, not what waits.
 *
 * @param oneThread a run takes wakes of one conversation only: those of others are passed over
 */
export function readQueue(
  settings: RunnerSettings,
  ports: QueuePorts,
  oneThread: boolean,
  now: number,
): readonly HeldWake[] {
  const { wakes } = ports.store;
  const holdFor = holds(settings, ports, now);
  const read: HeldWake[] = [];
  let free = 0;
  let conversation: string | null = null;
  let last = 0;

  function take(wake: QueuedWake): void {
    last = wake.id;
    if (oneThread && conversation !== null && wake.cause === 'post' && wake.session !== conversation) return;
    const hold = holdFor(wake);
    read.push({ wake, hold });
    if (hold !== null) return;
    free += 1;
    if (wake.cause !== 'person') conversation ??= wake.session;
  }

  for (let seen = 0; seen < FARTHEST && free < settings.wakesPerRun; seen += PAGE) {
    const page = wakes.queued(settings.agent, PAGE, last);
    for (const wake of page) if (free < settings.wakesPerRun) take(wake);
    if (page.length < PAGE) break;
  }
  const seen = last;
  for (const wake of wakes.withoutPost(settings.agent)) if (wake.id > seen) take(wake);
  return read;
}

/** The oldest wakes with what keeps each, whatever a decision makes of them: for the screen. */
export function oldestWakes(
  settings: RunnerSettings,
  ports: QueuePorts,
  limit: number,
  now: number,
): readonly HeldWake[] {
  const holdFor = holds(settings, ports, now);
  return ports.store.wakes.queued(settings.agent, limit, 0).map((wake) => ({ wake, hold: holdFor(wake) }));
}

/** What keeps a wake; asked of wakes oldest first, since one that may be taken counts for the next of its author. */
function holds(
  settings: RunnerSettings,
  ports: QueuePorts,
  now: number,
): (wake: QueuedWake) => WakeHold | null {
  const { store } = ports;
  const halt = ports.halt();
  const filter = agentFacts(settings, ports.localAuthors());
  const authorPerHour = settings.wakesPerAuthorPerHour;
  // Authors and threads repeat: each is looked up once.
  const takenAt = once((author: string) => store.wakes.takenAt(settings.agent, author, now - HOUR_MS));
  const loop = once((thread: string) => loopOf(thread, settings, store));
  return ({ author, thread }) => {
    const taken = author === null || authorPerHour === 0 ? [] : takenAt(author);
    const hold = holdOf(
      {
        halt,
        author,
        filter,
        takenAt: taken,
        authorPerHour,
        loop: () => (thread === null ? { kind: 'off' } : loop(thread)),
      },
      now,
    );
    if (hold === null) taken.push(now);
    return hold;
  };
}

/** A look-up that remembers its answers. */
function once<T>(ask: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const answer = ask(key);
    known.set(key, answer);
    return answer;
  };
}
