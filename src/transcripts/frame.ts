import { basename, join } from 'node:path';
import { WatsError } from '../errors/index.ts';
import { visible } from '../text/index.ts';

/** The first line of a transcript, `{"wats_run": …}`. Times are ms since the epoch, ISO dates in the file. */
export interface RunHeader {
  readonly run: string;
  readonly agent: string;
  readonly runtime: string;
  readonly cause: string;
  /** Ids of the posts it was woken for. */
  readonly events: readonly string[];
  readonly startedAt: number;
}

/** The last line of a transcript, `{"wats_end": …}`. */
export interface RunFooter {
  readonly outcome: string;
  /** One sentence; may hold the program's words. */
  readonly message: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number | null;
  readonly turns: number | null;
  readonly costMicroUsd: number | null;
  readonly endedAt: number | null;
}

const HEADER = '{"wats_run":';
const FOOTER = '{"wats_end":';
const SUFFIX = '.jsonl';
/** Ids of runs are ours: letters, digits and dashes. */
const RUN = /^[A-Za-z0-9-]{1,80}$/;

/**
 * Where the transcript of a run lies in `agent/runs`.
 *
 * @throws WatsError `not_found` for what can be no id of a run, which a person may have typed
 */
export function transcriptPath(dir: string, run: string): string {
  if (RUN.test(run)) return join(dir, run + SUFFIX);
  throw new WatsError('not_found', `There is no run ${visible(run.slice(0, 80), 'line')}.`, {
    fix: 'wats agent runs lists them.',
  });
}

/** The run whose transcript a file of `agent/runs` is; `null` for any other file. */
export function runOf(path: string): string | null {
  const name = basename(path);
  const run = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : '';
  return RUN.test(run) ? run : null;
}

export function headerLine(header: RunHeader): string {
  const { run, agent, runtime, cause, events, startedAt } = header;
  return JSON.stringify({
    wats_run: { run, agent, runtime, cause, events, started_at: iso(startedAt) },
  });
}

export function footerLine(footer: RunFooter): string {
  const { outcome, message, exitCode, signal, durationMs, turns, costMicroUsd, endedAt } = footer;
  return JSON.stringify({
    wats_end: {
      outcome,
      message,
      exit_code: exitCode,
      signal,
      duration_ms: durationMs,
      turns,
      cost_micro_usd: costMicroUsd,
      ended_at: endedAt === null ? null : iso(endedAt),
    },
  });
}

/**
 * A line of the program as it stands in the file: as it is, but for one space before a line that begins like a
 * frame of ours, so that no program can write its own end.
 */
export function programLine(line: string): string {
  return line.startsWith(HEADER) || line.startsWith(FOOTER) ? ` ${line}` : line;
}

export function isHeaderLine(line: string): boolean {
  return line.startsWith(HEADER);
}

export function isFooterLine(line: string): boolean {
  return line.startsWith(FOOTER);
}

/** Reads a first line; `null` when it is none, or torn. */
export function parseHeader(line: string): RunHeader | null {
  const fields = inner(line, 'wats_run');
  if (fields === null) return null;
  const events = fields['events'];
  return {
    run: text(fields['run']),
    agent: text(fields['agent']),
    runtime: text(fields['runtime']),
    cause: text(fields['cause']),
    events: Array.isArray(events) ? events.filter((id): id is string => typeof id === 'string') : [],
    startedAt: time(fields['started_at']) ?? 0,
  };
}

/** Reads a last line; `null` when it is none, or torn. */
export function parseFooter(line: string): RunFooter | null {
  const fields = inner(line, 'wats_end');
  if (fields === null) return null;
  return {
    outcome: text(fields['outcome']),
    message: text(fields['message']),
    exitCode: number(fields['exit_code']),
    signal: typeof fields['signal'] === 'string' ? fields['signal'] : null,
    durationMs: number(fields['duration_ms']),
    turns: number(fields['turns']),
    costMicroUsd: number(fields['cost_micro_usd']),
    endedAt: time(fields['ended_at']),
  };
}

function inner(line: string, key: string): Record<string, unknown> | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null; // a frame that a full disk or a person's editor damaged is no frame
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = (value as Record<string, unknown>)[key];
  return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : null;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function time(value: unknown): number | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
