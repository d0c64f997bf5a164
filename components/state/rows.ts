import type {
  DraftRow,
  LogRow,
  PausedRow,
  PeerRow,
  PostRow,
  QueueRow,
  RunRow,
  SettingRow,
  View,
} from '../../src/control/index.ts';
import { type Findable, matcher } from './filter.ts';
import type { ListName } from './places.ts';

/** The rows of each list, by its name. */
export interface RowOf {
  readonly drafts: DraftRow;
  readonly paused: PausedRow;
  readonly queue: QueueRow;
  readonly runs: RunRow;
  readonly posts: PostRow;
  readonly peers: PeerRow;
  readonly log: LogRow;
  readonly settings: SettingRow;
}

/** How rows of a list are told apart, found, and copied. */
interface Traits<T> {
  readonly key: (row: T) => string;
  readonly find: (row: T) => Findable;
  /** What `y` copies: the id that other commands take, or the line. */
  readonly copy: (row: T) => string;
}

const TRAITS: { readonly [K in ListName]: Traits<RowOf[K]> } = {
  drafts: {
    key: (row) => row.id,
    find: (row) => ({ text: `${row.id} ${row.excerpt} ${row.to?.title ?? ''}`, kind: row.kind }),
    copy: (row) => row.id,
  },
  paused: {
    key: (row) => row.root,
    find: (row) => ({ text: `${row.root} ${row.title} ${row.author}`, kind: 'paused' }),
    copy: (row) => row.root,
  },
  queue: {
    key: (row) => row.id,
    find: (row) => ({
      text: `${row.about?.title ?? ''} ${row.author ?? ''} ${row.hold ?? ''}`,
      kind: row.cause,
    }),
    copy: (row) => row.about?.id ?? row.id,
  },
  runs: {
    key: (row) => row.id,
    find: (row) => ({ text: `${row.id} ${row.outcome}`, kind: row.cause, costMicroUsd: row.costMicroUsd }),
    copy: (row) => row.id,
  },
  posts: {
    key: (row) => row.id,
    find: (row) => ({ text: `${row.id} ${row.title} ${row.author}`, kind: row.kind }),
    copy: (row) => row.id,
  },
  peers: {
    key: (row) => row.id,
    find: (row) => ({ text: row.id, kind: row.state }),
    copy: (row) => row.id,
  },
  log: {
    key: (row) => `${row.at} ${row.text}`,
    find: (row) => ({ text: row.text, kind: row.level }),
    copy: (row) => row.text,
  },
  settings: {
    key: (row) => row.key,
    find: (row) => ({
      text: `${row.key} ${row.value} ${row.doc} ${row.source}`,
      kind: row.acknowledged !== null ? 'changed' : row.safety ? 'safety' : 'setting',
    }),
    copy: (row) => `${row.key} = ${row.value}`,
  },
};

/** The rows of a list that its filter lets through, in the view's order. */
export function rowsIn<K extends ListName>(view: View, name: K, filter: string): readonly RowOf[K][] {
  const rows = allRows(view, name);
  if (filter.trim() === '') return rows;
  const matches = matcher(filter);
  const find = TRAITS[name].find as (row: RowOf[K]) => Findable;
  return rows.filter((row) => matches(find(row)));
}

export function allRows<K extends ListName>(view: View, name: K): readonly RowOf[K][] {
  return view[name].rows as unknown as readonly RowOf[K][];
}

export function keyOf<K extends ListName>(name: K, row: RowOf[K]): string {
  return (TRAITS[name].key as (row: RowOf[K]) => string)(row);
}

export function copyOf<K extends ListName>(name: K, row: RowOf[K]): string {
  return (TRAITS[name].copy as (row: RowOf[K]) => string)(row);
}
