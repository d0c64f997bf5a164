import { clock, duration, shortKey, usd } from '../../src/text/index.ts';
import { ago, tag } from '../panels/columns.ts';
import { timeOfDay } from '../panels/rows.ts';
import type { ListName } from '../state/places.ts';
import type { RowOf } from '../state/rows.ts';
import { draftText, pausedText } from './print.ts';

type Sayings = { readonly [K in ListName]: (row: RowOf[K], now: number) => string };

/** A row of each list as one line. */
const SAYINGS: Sayings = {
  drafts: draftText,
  runs: ({ id, startedAt, cause, outcome, durationMs, turns, costMicroUsd }, now) =>
    [
      id,
      ago(startedAt, now),
      cause,
      outcome,
      durationMs === null ? '' : `took ${clock(durationMs)}`,
      turns === null ? '' : turns === 1 ? '1 turn' : `${turns} turns`,
      costMicroUsd === null ? 'unpriced' : usd(costMicroUsd),
    ]
      .filter((part) => part !== '')
      .join(', '),
  posts: ({ id, kind, at, author, title, reply, own }, now) =>
    `${reply ? 'reply, ' : ''}${kind} ${tag(id)}, ${ago(at, now)} by ${own ? 'this node' : shortKey(author)}: ${title}`,
  peers: ({ id, state, relayed, lastSeenAt, lag, refusedPosts }, now) =>
    [
      `${id}, ${state}${relayed === true ? ' through a relay' : ''}`,
      state === 'connected' ? '' : lastSeenAt === null ? 'never seen' : `seen ${ago(lastSeenAt, now)}`,
      lag ? `${lag} posts to get` : '',
      refusedPosts === 0 ? '' : `${refusedPosts} posts refused`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  log: ({ at, level, text }) => `${timeOfDay(at)} ${level}: ${text}`,
  settings: ({ key, value, source, safety, acknowledged }) =>
    acknowledged === null
      ? `${key}: ${value}, from ${source}${safety ? ', safety setting' : ''}`
      : `CHANGED safety setting ${key}: ${value}, from ${source}; acknowledged is ${acknowledged}`,
  queue: ({ cause, about, author, queuedAt, hold }, now) => {
    const what = about === null ? cause : `${about.kind} ${tag(about.id)}, ${about.title}`;
    const by = author === null ? '' : ` by ${author}`;
    return `${what}${by}, queued for ${duration(now - queuedAt)}: ${hold ?? 'starts with the next run'}`;
  },
  paused: (row) => `${pausedText(row)}: ${row.title}`,
};

export function rowText<K extends ListName>(name: K, row: RowOf[K], now: number): string {
  return (SAYINGS[name] as (row: RowOf[K], now: number) => string)(row, now);
}

/** A setting in full, a line a thing. */
export function settingLines(row: RowOf['settings']): readonly string[] {
  return [
    `setting: ${row.key}`,
    `what: ${row.doc}`,
    `value: ${row.value}`,
    `from: ${row.source === 'default' ? 'its default' : row.source}`,
    ...(row.acknowledged === null ? [] : [`acknowledged: ${row.acknowledged}`]),
    ...(row.safety ? ['safety: its change is flagged until it is acknowledged'] : []),
    `to change it: wats config set ${row.key} VALUE, then start wats again`,
  ];
}
