import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from './files.ts';
import { runOf, transcriptPath } from './frame.ts';

const KEPT = 200;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

interface Kept {
  readonly run: string;
  /** When it was last written, ms since the epoch. */
  readonly at: number;
}

/** Which transcripts go: all but the newest 200, and those older than 30 days (design page 3, "Transcripts"). */
export function toRemove(transcripts: readonly Kept[], now: number): string[] {
  return transcripts
    .toSorted((a, b) => b.at - a.at)
    .filter(({ at }, place) => place >= KEPT || at < now - KEPT_MS)
    .map(({ run }) => run);
}

/**
 * Removes the transcripts that are due from `agent/runs`, by the time they were last written.
 *
 * @param now ms since the epoch
 * @param going the run in progress, which stays whatever its file says; `null`: none
 * @returns the runs whose transcripts are gone
 */
export function prune(dir: string, now: number, going: string | null): string[] {
  const found: Kept[] = [];
  for (const name of filesOf(dir)) {
    const run = runOf(name);
    const info = run === null ? undefined : statSync(join(dir, name), { throwIfNoEntry: false });
    if (run !== null && run !== going && info?.isFile()) found.push({ run, at: info.mtimeMs });
  }
  const due = toRemove(found, now);
  for (const run of due) rmSync(transcriptPath(dir, run), { force: true });
  return due;
}
