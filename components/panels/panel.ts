import type { View } from '../../src/control/index.ts';
import { fitted, type Row, row, span } from '../cells/cell.ts';
import { frame } from '../cells/frame.ts';
import type { PanelBox } from '../layout/layout.ts';
import { type Context, focusOf, selected } from '../state/context.ts';
import { type ListName, VIEWS } from '../state/places.ts';
import { allRows, keyOf, type RowOf } from '../state/rows.ts';
import type { ScreenState } from '../state/state.ts';
import { tag } from './columns.ts';
import { countText, listRows } from './list.ts';
import { draftRow, logRow, pausedRow, peerRow, postRow, queueRow, runRow, settingRow } from './rows.ts';
import { transcriptPanel } from './transcript.ts';

const TITLES: Readonly<Record<ListName, string>> = {
  drafts: 'Drafts',
  paused: 'Paused threads',
  queue: 'Queue',
  runs: 'Runs',
  posts: 'Posts',
  peers: 'Peers',
  log: 'Log',
  settings: 'Settings',
};

const EMPTY: Readonly<Record<ListName, string>> = {
  drafts: 'No draft waits for you.',
  paused: 'None.',
  queue: 'Nothing waits.',
  runs: 'No run yet.',
  posts: 'No post yet. c writes one.',
  peers: 'No peer is configured. wats peer adds one.',
  log: 'Nothing was logged yet.',
  settings: 'Every setting is in config.toml of the data directory.',
};

/** The rows of one panel, exactly as wide and high as its box. */
export function panelRows(state: ScreenState, context: Context, box: PanelBox): Row[] {
  const focused = focusOf(state) === box.panel && state.dialog === null;
  if (box.panel === 'transcript') return transcriptPanel(state, context, box, focused);
  if (box.look === 'line') return [lineOf(context.view, state, box.panel, box.width)];
  return listPanel(state, context, box, box.panel, focused);
}

/** How many rows of a list are on screen in its box: its verdict takes one. */
export function listHeight(view: View, name: ListName, box: PanelBox): number {
  return Math.max(1, box.height - 2 - (name === 'queue' && view.queue.verdict !== null ? 1 : 0));
}

function listPanel(
  state: ScreenState,
  context: Context,
  box: PanelBox,
  name: ListName,
  focused: boolean,
): Row[] {
  const { view } = context;
  const list = state.lists[name];
  const { rows, index } = selected(state, view, name);
  const look = {
    width: box.width - 2,
    height: listHeight(view, name, box),
    focused,
    selected: index,
    top: list.top,
  };
  const body = listRows(rows, look, (item, width) => drawRow(name, item, width, state, context));
  const verdict =
    name === 'queue' && view.queue.verdict !== null ? [row(' ', span(view.queue.verdict, 'warn'))] : [];
  const nothing = row(
    ' ',
    span(list.filter === '' ? EMPTY[name] : 'Nothing matches. Esc clears the filter.', 'dim'),
  );
  const total = view[name].total;
  return frame({
    title: row(
      `${TITLES[name]} ${countText(total, allRows(view, name).length, rows.length, list.filter)}`,
      state.view === 'overview' ? null : placeOf(name, look, rows.length),
    ),
    foot:
      state.view === 'overview' ? footOf(name, state, view, rows.length, look) : tabs(state, box.width - 8),
    rows: [...verdict, ...(rows.length === 0 ? (verdict.length > 0 ? [] : [nothing]) : body)],
    width: box.width,
    height: box.height,
    focused,
    seen: { from: look.top, to: Math.min(rows.length, look.top + look.height), of: rows.length },
  });
}

/** Which rows are on screen where not all are; in a view the foot has no room for it. */
function placeOf(
  name: ListName,
  { top, height }: { readonly top: number; readonly height: number },
  rows: number,
): Row {
  const words = [
    ...(rows > height ? [`rows ${top + 1}–${Math.min(rows, top + height)}`] : []),
    ...(name === 'settings' ? ['* safety'] : []),
  ];
  return words.map((word) => span(` · ${word}`, 'dim'));
}

function footOf(
  name: ListName,
  state: ScreenState,
  view: View,
  rows: number,
  look: { readonly top: number; readonly height: number },
): Row {
  const below = rows - look.top - look.height;
  const marked = name === 'drafts' && state.marked.size > 0 ? `${state.marked.size} marked` : '';
  const more = below > 0 ? `${below} more below` : '';
  const unpause = name === 'paused' && view.paused.total > 0 ? 'a third author unpauses' : '';
  return row(span([marked, more, unpause].filter((part) => part !== '').join(' · '), 'dim'));
}

/** The views by their number keys, the open one in brackets. */
function tabs(state: ScreenState, width: number): Row {
  const names = VIEWS.map((name, at) => (name === state.view ? `[${at + 1} ${name}]` : `${at + 1} ${name}`));
  const forms = [names.join(' · '), names.join('  '), names.join(' '), `[${state.view}] 1–${VIEWS.length}`];
  return row(span(forms.find((form) => form.length <= width) ?? '', 'dim'));
}

/** A panel that is folded to one line: how many there are, and what matters most of them. */
function lineOf(view: View, state: ScreenState, name: ListName, width: number): Row {
  const total = view[name].total;
  const what = summary(view, state, name);
  return fitted(
    row(
      '  ',
      `${TITLES[name]} ${total}`,
      what === ''
        ? null
        : span(`: ${what}`, name === 'queue' && view.queue.verdict !== null ? 'warn' : 'dim'),
    ),
    width,
  );
}

function summary(view: View, state: ScreenState, name: ListName): string {
  if (name === 'queue') {
    const next = view.queue.rows.find((wake) => wake.hold === null);
    if (view.queue.verdict !== null) return view.queue.verdict;
    if (next === undefined) return view.queue.rows[0]?.hold ?? '';
    return next.about === null ? `next ${next.cause}` : `next ${next.about.kind} ${tag(next.about.id)}`;
  }
  if (name === 'drafts') {
    const { row: draft } = selected(state, view, 'drafts');
    if (draft === undefined) return '';
    return `${draft.kind}${draft.to === null ? '' : ` to ${tag(draft.to.id)}`} ${draft.excerpt}`;
  }
  const first = name === 'paused' ? selected(state, view, 'paused').row : undefined;
  if (first === undefined) return '';
  return `${first.turns} turns with ${first.author}, limit ${first.limit}; a third author unpauses`;
}

/** One row of a list, as its panel draws it. */
export function drawRow<K extends ListName>(
  name: K,
  item: RowOf[K],
  width: number,
  state: ScreenState,
  { now }: Context,
): Row {
  switch (name) {
    case 'drafts': {
      const id = keyOf('drafts', item as RowOf['drafts']);
      const mark = state.marked.has(id) ? 'marked' : state.read.has(id) ? 'read' : 'new';
      return draftRow(item as RowOf['drafts'], width, now, mark);
    }
    case 'paused':
      return pausedRow(item as RowOf['paused'], width);
    case 'queue':
      return queueRow(item as RowOf['queue'], width, now);
    case 'runs':
      return runRow(item as RowOf['runs'], width, now);
    case 'posts':
      return postRow(item as RowOf['posts'], width, now);
    case 'peers':
      return peerRow(item as RowOf['peers'], width, now);
    case 'log':
      return logRow(item as RowOf['log'], width);
    case 'settings':
      return settingRow(item as RowOf['settings'], width);
    default:
      return [];
  }
}
