import type { TranscriptPage } from '../../src/control/index.ts';
import { isRunning } from '../state/context.ts';
import { PAGE } from '../transcript/book.ts';
import { keeps } from '../transcript/geometry.ts';
import { back, NUMBERS, type Place } from './choices.ts';
import { entryLines, wholeEntry } from './entries.ts';
import { openField } from './field.ts';
import {
  type Answer,
  answer,
  asking,
  type LoadingMenu,
  load,
  type Menu,
  type PlainContext,
  type TranscriptMenu,
} from './menu.ts';
import { readOut } from './reading.ts';
import { caughtUp } from './voice.ts';

type Loading = Extract<LoadingMenu, { readonly of: 'transcript' }>;

/** Entries that are read out at once: as many as have a number. */
const MOST = NUMBERS.length;

/** Reads a transcript by page, from an entry on. */
export function openTranscript(runId: string, from: number, origin: Menu): Answer {
  const want = { do: 'transcript', runId, from: Math.max(0, from), count: MOST } as const;
  return load({ at: 'loading', of: 'transcript', want, find: null, back: origin });
}

/** Looks for the next entry that a filter lets through, after those that were read out. */
export function findIn(menu: TranscriptMenu, find: string): Answer {
  const from = menu.find === find ? menu.from + 1 : menu.from;
  const want = { do: 'transcript', runId: menu.page.runId, from, count: PAGE } as const;
  return load({ at: 'loading', of: 'transcript', want, find, back: menu }, [`looking for ${find}`]);
}

export function transcriptArrived(menu: Loading, page: TranscriptPage, context: PlainContext): Answer {
  if (menu.find !== null) return searched(menu, menu.find, page, context);
  if (page.entries.length === 0) return asking(menu.back, [endOf(page, context)]);
  return readPage(menu.back, page, null, context);
}

function searched(menu: Loading, find: string, page: TranscriptPage, context: PlainContext): Answer {
  const at = page.entries.findIndex(keeps(find));
  if (at >= 0) {
    const entries = page.entries.slice(at, at + MOST);
    return readPage(menu.back, { ...page, entries }, find, context);
  }
  const next = menu.want.from + page.entries.length;
  if (page.entries.length === 0 || next >= page.total)
    return asking(menu.back, [`nothing further has ${find}`]);
  return load({ ...menu, want: { ...menu.want, from: next } });
}

function readPage(from: Menu, page: TranscriptPage, find: string | null, context: PlainContext): Answer {
  const { runId, total, entries } = page;
  const first = entries[0]?.n ?? 0;
  const to = first + entries.length;
  const menu: TranscriptMenu = {
    at: 'transcript',
    page,
    from: first,
    rest: [],
    find,
    // Pages of one transcript are one place.
    back: from.at === 'transcript' ? from.back : from,
  };
  return {
    ...asking(menu, [
      `transcript of ${runId}: entries ${first + 1} to ${to} of ${total}`,
      ...entries.flatMap((entry, at) => {
        const [line = '', ...more] = entryLines(entry);
        return [`${at + 1}: ${line}`, ...more];
      }),
      ...(to >= total ? [endOf(page, context)] : []),
    ]),
    memory: { voice: caughtUp(context.memory.voice, runId, first, to) },
  };
}

function endOf({ runId }: TranscriptPage, { view }: PlainContext): string {
  const going = view.run?.id === runId && isRunning(view);
  return going ? 'that is all so far; the run is going' : 'end of the transcript';
}

const next = ({ from, page }: TranscriptMenu) => from + page.entries.length;

export const TRANSCRIPT_PLACE: Place<TranscriptMenu> = [
  {
    keys: ['space'],
    says: 'reads on',
    press: (menu) => (menu.rest.length === 0 ? move(menu, next(menu)) : readOut(menu, menu.rest)),
  },
  {
    keys: NUMBERS,
    label: ({ page }) => (page.entries.length < 2 ? '1' : `1 to ${page.entries.length}`),
    says: 'reads an entry in full',
    press: (menu, _, key) => {
      const entry = menu.page.entries[Number(key) - 1];
      if (entry === undefined) return asking(menu);
      return readOut(menu, wholeEntry(entry));
    },
  },
  {
    keys: ['N'],
    says: 'entries before',
    unless: ({ from }) => (from === 0 ? 'that is the beginning' : null),
    press: (menu) => move(menu, menu.from - MOST),
  },
  { keys: ['g'], says: 'the beginning', rare: true, press: (menu) => move(menu, 0) },
  {
    keys: ['G'],
    says: 'the end',
    press: (menu, { view }) => {
      const live = view.transcript.runId === menu.page.runId ? view.transcript.total : 0;
      return move(menu, Math.max(live, menu.page.total) - MOST);
    },
  },
  {
    keys: ['/'],
    says: 'finds an entry: words, !without, kind:tool',
    rare: true,
    press: (menu) => openField({ is: 'find', transcript: menu }, menu),
  },
  {
    keys: ['n'],
    says: 'finds the next one',
    unless: ({ find }) => (find === null ? 'nothing was looked for' : null),
    press: (menu) => (menu.find === null ? asking(menu) : findIn(menu, menu.find)),
  },
  { keys: ['l'], says: 'reads it again', rare: true, press: (menu) => move(menu, menu.from) },
  {
    keys: ['s', 'ctrl-s'],
    says: 'saves the whole transcript to a file',
    press: (menu) => answer(menu, [], [{ do: 'save', what: { kind: 'run', runId: menu.page.runId } }]),
  },
  back(),
];

function move(menu: TranscriptMenu, from: number): Answer {
  return openTranscript(menu.page.runId, from, menu);
}
