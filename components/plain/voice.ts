import type { TranscriptWindow } from '../../src/control/index.ts';
import { entryLines } from './entries.ts';

/** Lines of a transcript that are read out in one go, and how many more a second. Speech takes longer still. */
const BURST = 24;
const A_SECOND = 3;
/** Once the burst is used up, so many lines gather before it goes on. */
const TOGETHER = 9;

/** How far the transcript of the run in progress was read out. */
export interface Voice {
  readonly runId: string | null;
  /** The first entry that was neither read out nor left out. */
  readonly next: number;
  /** The first entry of this run that was left out; `null` when none was. */
  readonly missed: number | null;
  /** The person wants quiet: nothing is read out until they say so. */
  readonly held: boolean;
  /** Lines that may be read out now, as of `at`. */
  readonly lines: number;
  readonly at: number;
}

export interface Heard {
  readonly voice: Voice;
  readonly lines: readonly string[];
  /** When what waits can be read out, should nothing else happen; `null` when nothing waits. */
  readonly wakeAt: number | null;
}

/** A voice that has read out all there is so far. */
export function firstVoice(window: TranscriptWindow, now: number): Voice {
  const { runId, total } = window;
  return { runId, next: total, missed: null, held: false, lines: BURST, at: now };
}

/** Whether there is something of the transcript to catch up with, and from which entry on. */
export function missedFrom(voice: Voice, window: TranscriptWindow): number | null {
  if (voice.runId !== window.runId) return window.total > 0 ? 0 : null;
  return voice.missed ?? (window.total > voice.next ? voice.next : null);
}

/**
 * What is read out of a transcript now. A flood is not: its newest entries are, with a count of those that were left
 * out, so that choices are not drowned.
 */
export function listen(before: Voice, window: TranscriptWindow, now: number): Heard {
  const voice = follow(before, window);
  const { tail, total } = window;
  const fresh = tail.filter((entry) => entry.n >= voice.next);
  if (voice.held || fresh.length === 0) return { voice, lines: [], wakeAt: null };
  const room = Math.min(BURST, voice.lines + (Math.max(0, now - voice.at) / 1_000) * A_SECOND);
  const texts = fresh.map(entryLines);
  const all = texts.reduce((sum, lines) => sum + lines.length, 0);
  if (all > room && room < TOGETHER)
    return { voice, lines: [], wakeAt: now + ((TOGETHER - room) / A_SECOND) * 1_000 };
  // The newest that there is room for, and the newest of all in any case.
  let from = texts.length - 1;
  let used = texts[from]?.length ?? 0;
  for (; from > 0 && used + (texts[from - 1]?.length ?? 0) <= room; from -= 1)
    used += texts[from - 1]?.length ?? 0;
  const left = (fresh[from]?.n ?? voice.next) - voice.next;
  const said = texts.slice(from).flat();
  return {
    voice: {
      ...voice,
      next: total,
      missed: left > 0 ? (voice.missed ?? voice.next) : voice.missed,
      lines: Math.max(0, room - used),
      at: now,
    },
    lines: left === 0 ? said : [`(${left} ${left === 1 ? 'entry' : 'entries'} not read out)`, ...said],
    wakeAt: null,
  };
}

/** Entries `from` … `to - 1` were read elsewhere. What lies before them and was not is missed, as it was. */
export function caughtUp(voice: Voice, runId: string, from: number, to: number): Voice {
  if (voice.runId !== runId) return voice;
  const next = Math.max(voice.next, to);
  const gap = voice.missed ?? (from > voice.next ? voice.next : null);
  const missed = gap !== null && from <= gap ? Math.max(gap, to) : gap;
  return { ...voice, next, missed: missed === null || missed >= next ? null : missed };
}

function follow(voice: Voice, window: TranscriptWindow): Voice {
  if (voice.runId !== window.runId) return { ...voice, runId: window.runId, next: 0, missed: null };
  return window.total < voice.next ? { ...voice, next: window.total, missed: null } : voice;
}
