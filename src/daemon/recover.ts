import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Places, SocketPlace } from '../paths/index.ts';
import { endLeftovers } from '../processes/index.ts';
import { type Occurrence, recoverRuns } from '../runner/index.ts';
import type { Store } from '../store/index.ts';
import { repairTranscripts } from '../transcripts/index.ts';
import { codeOf } from './fault.ts';
import type { Log } from './log.ts';
import { indexEnded } from './run-index.ts';
import { AGENT } from './settings.ts';
import { runDirOf, runSocket } from './stage.ts';

/** How long a program that a dead daemon left gets after SIGTERM: its work is lost already, and a start waits for it. */
const KILL_AFTER_MS = 1_000;

/** Ends what a dead daemon left, whether or not this one runs agents: processes, runs, transcripts, run directories. */
export async function recoverAgent(house: {
  readonly places: Places;
  readonly place: SocketPlace;
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  readonly tell: (occurrence: Occurrence) => void;
  /** Whether a runner comes that can wait again for what was forwarded. */
  readonly forwards: boolean;
}): Promise<void> {
  const { places, place, store, log, now } = house;
  await recoverRuns(AGENT, {
    store,
    now,
    elsewhere: (run) =>
      (store.requests.of(run)?.sentAt ?? null) === null ? null : house.forwards ? 'rejoin' : 'unknown',
    processes: {
      endLeftovers: ({ id, process }) =>
        endLeftovers({ leader: process, runDir: runDirOf(places, id) }, { killAfterMs: KILL_AFTER_MS }),
    },
    onFault: (error) => log.write('error', 'leftover_processes', { code: codeOf(error) }),
    tell: house.tell,
  });
  // Those that ended just now, and one that ended when the daemon died before it wrote the line.
  for (const run of store.runs.unlisted(AGENT)) indexEnded(run, house);
  repairTranscripts(places.transcripts);
  for (const run of await readdir(places.running)) {
    await rm(runSocket(places, place, run), { force: true });
    await rm(join(places.running, run), { recursive: true, force: true });
  }
}
