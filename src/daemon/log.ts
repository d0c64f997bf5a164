import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { loopLine } from '../waking/index.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';

/** What a log line holds: fixed words, ids, numbers; never text, prompts, arguments or environment. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface LogEntry {
  readonly at: number;
  readonly level: Level;
  /** A fixed word for what happened: `run_ended`, `peer_connected`. */
  readonly what: string;
  readonly fields: LogFields;
}

export interface Log {
  write(level: Level, what: string, fields?: LogFields): void;
  /** The newest entries, oldest first. */
  recent(limit: number): { readonly total: number; readonly entries: readonly LogEntry[] };
  /** Called after each entry at or over the level of the log. Must not throw. */
  onEntry(listener: (entry: LogEntry) => void): void;
}

const RANK: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
const MAX_BYTES = 8 * 1024 * 1024;
const KEPT_FILES = 4;
const KEPT_ENTRIES = 1_000;

/**
 * The structured log: one JSON line an entry in `wats.log`, rotated at 8 MiB with four old files kept. A disk that
 * refuses a line loses that line, never the daemon.
 */
export function openLog(path: string, level: Level, now: () => number): Log {
  const listeners: ((entry: LogEntry) => void)[] = [];
  const recent: LogEntry[] = [];
  let total = 0;
  let size = sizeOf(path);

  return {
    write(entryLevel, what, fields = {}) {
      if (RANK[entryLevel] < RANK[level]) return;
      const entry: LogEntry = { at: now(), level: entryLevel, what, fields };
      recent.push(entry);
      if (recent.length > KEPT_ENTRIES) recent.shift();
      total += 1;
      const line = `${JSON.stringify({ at: new Date(entry.at).toISOString(), level: entryLevel, what, ...fields })}\n`;
      try {
        if (size + line.length > MAX_BYTES) size = rotate(path);
        appendFileSync(path, line, { mode: 0o600 });
        size += Buffer.byteLength(line);
      } catch {
        // A full disk is told by the store, which knows what it cost; the log has nowhere to say it.
      }
      for (const listener of listeners) listener(entry);
    },
    recent: (limit) => ({ total, entries: recent.slice(-limit) }),
    onEntry: (listener) => {
      listeners.push(listener);
    },
  };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0; // not there yet
  }
}

function rotate(path: string): number {
  rmSync(`${path}.${KEPT_FILES}`, { force: true });
  for (let n = KEPT_FILES - 1; n >= 0; n--) {
    const from = n === 0 ? path : `${path}.${n}`;
    try {
      renameSync(from, `${path}.${n + 1}`);
    } catch {
      // an older file that is not there has nothing to move
    }
  }
  return 0;
}

/** One entry as a plain line for a terminal or a pipe. */
export function plainLine(entry: LogEntry): string {
  const level = entry.level === 'info' ? '' : `${entry.level} `;
  return `${new Date(entry.at).toISOString()} ${level}${entryText(entry)}`;
}

/** The word for a thread that the loop detector paused. */
export const LOOP_PAUSED = 'agent_wake_paused_loop';

/** What happened, as a person reads it. A paused thread has the sentence that ADR 0011 gives it. */
export function entryText({ what, fields }: Pick<LogEntry, 'what' | 'fields'>): string {
  if (what === LOOP_PAUSED) return loopLine(String(fields['thread']), Number(fields['limit']));
  const shown = Object.entries(fields).map(([key, value]) => `${key}=${String(value)}`);
  return [what.replaceAll('_', ' '), ...shown].join(' ');
}
