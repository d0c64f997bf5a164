import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { WatsError } from '../errors/index.ts';
import { textOf } from './render/fields.ts';

/** One line of `agent/runs.jsonl`. It is read back only to rebuild spend when the database is lost. */
export interface EndedRun {
  readonly run: string;
  readonly agent: string;
  readonly runtime: string;
  readonly cause: string;
  readonly outcome: string;
  /** ms since the epoch. */
  readonly bookedAt: number;
  readonly endedAt: number;
  readonly turns: number | null;
  /** Micro-dollars that the program reported; `null`: none. */
  readonly costMicroUsd: number | null;
  /** What the run counts for, settled: a charge of `budget`, whatever its runtime. */
  readonly charge: { readonly microUsd: number; readonly runs: 0 | 1; readonly unpricedRuns: 0 | 1 };
}

const NEWLINE = 0x0a;

/**
 * Appends an ended run and waits until the disk has it. A line that an earlier crash tore stays alone on its own.
 *
 * @throws WatsError `storage`
 */
export function appendRun(path: string, run: EndedRun): void {
  try {
    const fd = openSync(path, 'a+', 0o600);
    try {
      writeSync(fd, `${endsTorn(fd) ? '\n' : ''}${encode(run)}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw new WatsError('storage', `The list of runs ${path} cannot be written.`, {
      fix: 'Look at the free space and the owner of the data directory.',
      cause,
    });
  }
}

/** Every run of the list, oldest first, and how many lines could not be read. A missing file is an empty list. */
export function readRuns(path: string): { readonly runs: EndedRun[]; readonly unreadable: number } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { runs: [], unreadable: 0 };
    throw new WatsError('storage', `The list of runs ${path} cannot be read.`, { cause: error });
  }
  const lines = text.split('\n').filter((line) => line !== '');
  const runs = lines.map(decode).filter((run) => run !== null);
  return { runs, unreadable: lines.length - runs.length };
}

function endsTorn(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}

function encode(run: EndedRun): string {
  return JSON.stringify({
    run: run.run,
    agent: run.agent,
    runtime: run.runtime,
    cause: run.cause,
    outcome: run.outcome,
    booked_at: new Date(run.bookedAt).toISOString(),
    ended_at: new Date(run.endedAt).toISOString(),
    turns: run.turns,
    cost_micro_usd: run.costMicroUsd,
    charge: {
      micro_usd: run.charge.microUsd,
      runs: run.charge.runs,
      unpriced_runs: run.charge.unpricedRuns,
    },
  });
}

/** `null` for a line that is torn, or lacks what spend is rebuilt from. */
function decode(line: string): EndedRun | null {
  let fields: Record<string, unknown>;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return null;
    fields = value as Record<string, unknown>;
  } catch {
    return null; // torn by a crash: counted as unreadable
  }
  const bookedAt = Date.parse(textOf(fields['booked_at']));
  const charge = chargeOf(fields['charge']);
  if (Number.isNaN(bookedAt) || charge === null || typeof fields['run'] !== 'string') return null;
  const endedAt = Date.parse(textOf(fields['ended_at']));
  return {
    run: fields['run'],
    agent: textOf(fields['agent']),
    runtime: textOf(fields['runtime']),
    cause: textOf(fields['cause']),
    outcome: textOf(fields['outcome']),
    bookedAt,
    endedAt: Number.isNaN(endedAt) ? bookedAt : endedAt,
    turns: typeof fields['turns'] === 'number' ? fields['turns'] : null,
    costMicroUsd: isMicroUsd(fields['cost_micro_usd']) ? fields['cost_micro_usd'] : null,
    charge,
  };
}

function chargeOf(value: unknown): EndedRun['charge'] | null {
  if (typeof value !== 'object' || value === null) return null;
  const { micro_usd: microUsd, runs, unpriced_runs: unpricedRuns } = value as Record<string, unknown>;
  if (!isMicroUsd(microUsd) || !isOneOrNone(runs) || !isOneOrNone(unpricedRuns)) return null;
  return { microUsd, runs, unpricedRuns };
}

function isOneOrNone(value: unknown): value is 0 | 1 {
  return value === 0 || value === 1;
}

function isMicroUsd(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
