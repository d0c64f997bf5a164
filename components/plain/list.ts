import type { ListName } from '../state/places.ts';
import { allRows, keyOf, type RowOf, rowsIn } from '../state/rows.ts';
import { saveText } from '../state/saving.ts';
import { NUMBERS, type Place } from './choices.ts';
import { openDraft } from './draft.ts';
import { openField } from './field.ts';
import { type Answer, answer, asking, type ListMenu, type PlainContext, TOP } from './menu.ts';
import { rowText, settingLines } from './rows.ts';
import { openThread } from './thread.ts';
import { openTranscript } from './transcript.ts';
import { openWake } from './why.ts';

interface Traits {
  /** What its rows are called, before them. */
  readonly label: string;
  readonly none: string;
  /** What a number does with a row; `null` where a row has no more to say. */
  readonly opens: string | null;
}

const TRAITS: Readonly<Record<ListName, Traits>> = {
  drafts: { label: 'drafts', none: 'none waits', opens: 'a draft in full' },
  runs: { label: 'runs', none: 'none yet', opens: 'the transcript of a run' },
  posts: { label: 'posts', none: 'none yet', opens: 'a post in its thread' },
  peers: { label: 'peers', none: 'none is known', opens: null },
  log: { label: 'log, newest first', none: 'nothing yet', opens: null },
  settings: { label: 'settings', none: 'none', opens: 'a setting in full' },
  queue: { label: 'queue', none: 'nothing waits', opens: 'why it waits' },
  paused: { label: 'paused threads', none: 'none', opens: 'its turns, and what un-pauses it' },
};

/** Rows that have no number fit more of them in one go. */
const MANY = 20;

/** Reads out the first rows of a list; one without rows leads nowhere. */
export function openList(name: ListName, context: PlainContext, filter = ''): Answer {
  return readRows({ at: 'list', name, filter, from: 0, keys: [] }, context);
}

/** Reads out the rows from `menu.from` on, as they are now. */
export function readRows(menu: ListMenu, context: PlainContext): Answer {
  const { name, filter } = menu;
  const { view, now } = context;
  const rows = rowsOf(name, filter, context);
  const { label, none, opens } = TRAITS[name];
  if (rows.length === 0 && filter === '') return asking(TOP, [`${label}: ${none}`]);
  const most = sizeOf(name);
  const from = Math.max(0, Math.min(menu.from, rows.length - 1));
  const shown = rows.slice(from, from + most);
  const only = filter === '' ? '' : ` with ${filter}`;
  const count = `${from + 1} to ${from + shown.length} of ${rows.length}${only}`;
  const beyond = filter === '' ? view[name].total - rows.length : 0;
  const verdict = name === 'queue' ? view.queue.verdict : null;
  return asking({ ...menu, from, keys: shown.map((row) => keyOf(name, row)) }, [
    rows.length === 0
      ? `${label}: none${only}`
      : `${label}: ${count}${verdict === null ? '' : `, ${verdict}`}`,
    ...shown.map((row, at) => `${opens === null ? '' : `${at + 1}: `}${rowText(name, row, now)}`),
    ...(beyond > 0 && from + most >= rows.length
      ? [`(${beyond} more are not listed here${name === 'posts' ? ': search finds them' : ''})`]
      : []),
  ]);
}

export const LIST_PLACE: Place<ListMenu> = [
  {
    keys: NUMBERS,
    label: ({ keys }) => (keys.length < 2 ? '1' : `1 to ${keys.length}`),
    says: ({ name }) => `reads ${TRAITS[name].opens ?? ''}`,
    unless: ({ name, keys }) => {
      if (TRAITS[name].opens === null) return 'a row has no more to say';
      return keys.length === 0 ? 'the list is empty' : null;
    },
    press: open,
  },
  {
    keys: ['n'],
    says: 'goes on in the list',
    unless: (menu, context) => (isMore(menu, context) ? null : 'that was the end of the list'),
    press: (menu, context) => readRows({ ...menu, from: menu.from + sizeOf(menu.name) }, context),
  },
  {
    keys: ['N'],
    says: 'goes back in it',
    unless: ({ from }) => (from === 0 ? 'that is its beginning' : null),
    press: (menu, context) =>
      readRows({ ...menu, from: Math.max(0, menu.from - sizeOf(menu.name)) }, context),
  },
  { keys: ['l'], says: 'reads it again', rare: true, press: (menu, context) => readRows(menu, context) },
  {
    keys: ['/'],
    says: 'finds rows: words, !without, kind:tool, cost>0.1',
    rare: true,
    press: (menu) => openField({ is: 'filter', list: menu }, menu),
  },
  {
    keys: ['K'],
    says: 'acknowledges changed safety settings: shows them, and asks',
    acts: true,
    unless: ({ name }, { view, canRun }) => {
      if (name !== 'settings') return 'only in the settings';
      if (view.settings.rows.every(({ acknowledged }) => acknowledged === null))
        return 'every safety setting is as you acknowledged it';
      return canRun ? null : 'wats config ack does it, in another terminal';
    },
    press: (menu) => answer(menu, [], [{ do: 'command', args: ['config', 'ack'] }]),
  },
  {
    keys: ['s', 'ctrl-s'],
    says: 'saves the list to a file',
    rare: true,
    press: (menu, context) => {
      const rows = rowsOf(menu.name, menu.filter, context);
      const lines = rows.map((row) => rowText(menu.name, row, context.now));
      return answer(menu, [], saveText(menu.name, [lines.join('\n')]) as Answer['effects']);
    },
  },
  { keys: ['0', 'esc', 'q'], says: 'goes back', press: () => asking(TOP) },
];

function open(menu: ListMenu, context: PlainContext, pressed: string): Answer {
  const { name } = menu;
  const key = menu.keys[Number(pressed) - 1];
  if (key === undefined) return asking(menu);
  // A draft, a run and a post are there although their row may have gone.
  switch (name) {
    case 'drafts':
      return openDraft(key, menu);
    case 'runs':
      return openTranscript(key, 0, menu);
    case 'posts':
      return openThread(key, menu);
    default:
      break;
  }
  const row = allRows(context.view, name).find((one) => keyOf(name, one) === key);
  if (row === undefined) return answer(menu, ['it is not there any more; l reads the list again']);
  if (name === 'paused') return openThread(key, menu, row as RowOf['paused']);
  if (name === 'queue') return openWake(row as RowOf['queue'], menu, context);
  return asking(menu, settingLines(row as RowOf['settings']));
}

function rowsOf(name: ListName, filter: string, { view }: PlainContext) {
  const rows = rowsIn(view, name, filter);
  return name === 'log' ? rows.toReversed() : rows;
}

function sizeOf(name: ListName): number {
  return TRAITS[name].opens === null ? MANY : NUMBERS.length;
}

function isMore(menu: ListMenu, context: PlainContext): boolean {
  return menu.from + sizeOf(menu.name) < rowsOf(menu.name, menu.filter, context).length;
}
