import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from './files.ts';
import { footerLine, isFooterLine, runOf } from './frame.ts';

/** What was done to the transcript of a run that a dead daemon left open. */
export interface Repaired {
  readonly run: string;
  /** Bytes of a torn last line that were cut off. */
  readonly cutBytes: number;
}

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;
const INTERRUPTED = footerLine({
  outcome: 'interrupted',
  message: 'wats ended before this run did.',
  exitCode: null,
  signal: null,
  durationMs: null,
  turns: null,
  costMicroUsd: null,
  endedAt: null,
});

/**
 * Repairs `agent/runs` at a start, when no run is going: a torn last line is cut off, and a transcript without
 * a footer gets one that says `interrupted`. Repeated, it does nothing. A file that cannot be repaired is left
 * as it is: readers skip what is torn.
 */
export function repairTranscripts(dir: string): Repaired[] {
  const repaired: Repaired[] = [];
  for (const name of filesOf(dir)) {
    const run = runOf(name);
    if (run === null) continue;
    try {
      const cutBytes = repairFile(join(dir, name));
      if (cutBytes !== null) repaired.push({ run, cutBytes });
    } catch {
      // Not ours to write, or gone since: it stays readable as far as it goes.
    }
  }
  return repaired;
}

/** Bytes that were cut off; `null` when the file was whole. */
function repairFile(path: string): number | null {
  const fd = openSync(path, 'r+');
  let kept: number;
  let size: number;
  try {
    size = fstatSync(fd).size;
    kept = lastNewline(fd, size) + 1;
    if (kept === size && isFooterLine(startOfLastLine(fd, size))) return null;
    ftruncateSync(fd, kept);
    if (kept > 0) writeSync(fd, `${INTERRUPTED}\n`, kept);
  } finally {
    closeSync(fd);
  }
  if (kept === 0) unlinkSync(path); // not even a header: nothing is known of it
  return size - kept;
}

/** Offset of the last newline before `end`; -1 when there is none. */
function lastNewline(fd: number, end: number): number {
  const buffer = Buffer.alloc(CHUNK);
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - CHUNK);
    const read = readSync(fd, buffer, 0, to - from, from);
    const at = buffer.subarray(0, read).lastIndexOf(NEWLINE);
    if (at !== -1) return from + at;
    to = from;
  }
  return -1;
}

/** The first bytes of the last line of a file that ends in a newline: enough to know a footer. */
function startOfLastLine(fd: number, size: number): string {
  const start = lastNewline(fd, size - 1) + 1;
  const buffer = Buffer.alloc(64);
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, start));
}
