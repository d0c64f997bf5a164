import type { View } from '../../src/control/index.ts';
import { alertRows } from '../panels/alerts.ts';
import { count, focusOf, type Size } from '../state/context.ts';
import { OVERVIEW_PANELS, type PanelName } from '../state/places.ts';
import type { ScreenState } from '../state/state.ts';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PanelBox extends Rect {
  readonly panel: PanelName;
  /** A frame with rows, or one line that says how many there are. */
  readonly look: 'frame' | 'line';
}

export interface Layout {
  /** Too small for a screen: one line says what matters. */
  readonly tiny: boolean;
  readonly size: Size;
  readonly banner: number;
  readonly alerts: number;
  readonly body: Rect;
  readonly boxes: readonly PanelBox[];
}

/** Under this width panels stack. */
export const WIDE = 84;
const LEAST: Size = { columns: 60, rows: 15 };
/** Rows that a transcript keeps, with its frame, before others may grow. */
const TRANSCRIPT_LEAST = 6;

/** Where everything stands: a function of what there is to show and of the size alone. */
export function layout(view: View, state: ScreenState, size: Size): Layout {
  const { columns, rows } = size;
  if (columns < LEAST.columns || rows < LEAST.rows) {
    const body = { x: 0, y: 0, width: columns, height: rows };
    return { tiny: true, size, banner: 0, alerts: 0, body, boxes: [] };
  }
  const banner = view.agent === null ? 2 : rows < 20 ? 2 : 3;
  const alerts = alertRows(view.alerts, columns, rows >= 30 ? 6 : rows >= 20 ? 3 : 1).length;
  const top = banner + alerts;
  const body = { x: 0, y: top, width: columns, height: rows - top - 1 };
  return { tiny: false, size, banner, alerts, body, boxes: boxesOf(view, state, body) };
}

export function boxOf(from: Layout, panel: PanelName): PanelBox | undefined {
  return from.boxes.find((box) => box.panel === panel);
}

function boxesOf(view: View, state: ScreenState, body: Rect): readonly PanelBox[] {
  if (state.view !== 'overview' || state.zoom === 'full')
    return [{ ...body, panel: focusOf(state), look: 'frame' }];
  if (state.zoom === 'half') return most(state, body);
  return body.width >= WIDE && body.height >= 16 ? wide(view, body) : stacked(view, state, body);
}

/** The panel in focus over most of the body; of the others the transcript keeps a few rows, a list one line. */
function most(state: ScreenState, body: Rect): readonly PanelBox[] {
  const others = OVERVIEW_PANELS.filter((panel) => panel !== state.panel);
  const transcript = state.panel === 'transcript' ? 0 : Math.max(3, Math.floor(body.height / 4));
  const lines = others.filter((panel) => panel !== 'transcript').length;
  let y = body.y;
  return OVERVIEW_PANELS.map((panel): PanelBox => {
    const focused = panel === state.panel;
    const frame = focused || panel === 'transcript';
    const height = focused ? body.height - transcript - lines : frame ? transcript : 1;
    const box = {
      panel,
      look: frame ? ('frame' as const) : ('line' as const),
      x: 0,
      y,
      width: body.width,
      height,
    };
    y += height;
    return box;
  });
}

/** The transcript over two columns: drafts at the left, paused threads and the queue at the right. */
function wide(view: View, body: Rect): readonly PanelBox[] {
  const left = Math.ceil(body.width * 0.54);
  const right = body.width - left;
  const draftsWant = Math.max(1, count(view, 'drafts')) + 2;
  const pausedWant = Math.min(3, Math.max(1, count(view, 'paused'))) + 2;
  const queueWant = Math.max(1, count(view, 'queue') + (view.queue.verdict === null ? 0 : 1)) + 2;
  const most = Math.max(6, Math.floor(body.height * 0.4));
  const height = Math.min(most, Math.max(6, draftsWant, pausedWant + queueWant));
  const paused = Math.min(pausedWant, height - 3);
  const y = body.y + body.height - height;
  return [
    { panel: 'transcript', look: 'frame', x: 0, y: body.y, width: body.width, height: body.height - height },
    { panel: 'drafts', look: 'frame', x: 0, y, width: left, height },
    { panel: 'paused', look: 'frame', x: left, y, width: right, height: paused },
    { panel: 'queue', look: 'frame', x: left, y: y + paused, width: right, height: height - paused },
  ];
}

/** One under the other. What is empty and not in focus is one line, or nothing where rows are few. */
function stacked(view: View, state: ScreenState, body: Rect): readonly PanelBox[] {
  const short = body.height < 15;
  const wants = (['drafts', 'paused', 'queue'] as const).map((panel) => {
    const total = count(view, panel) + (panel === 'queue' && view.queue.verdict !== null ? 1 : 0);
    const open = state.panel === panel || (panel === 'drafts' && total > 0);
    const rows = Math.max(1, Math.min(total, Math.max(short ? 2 : 3, Math.floor(body.height / 5))));
    if (open) return { panel, look: 'frame' as const, height: rows + 2 };
    return { panel, look: 'line' as const, height: short && total === 0 ? 0 : 1 };
  });
  let used = wants.reduce((sum, want) => sum + want.height, 0);
  for (const want of wants) {
    // Rows are given up from the tallest frame that is not in focus, so that the transcript stays readable.
    const spare = used - (body.height - TRANSCRIPT_LEAST);
    if (spare <= 0) break;
    if (want.look === 'frame' && want.panel !== state.panel) {
      const cut = Math.min(spare, want.height - 3);
      want.height -= cut;
      used -= cut;
    }
  }
  const boxes: PanelBox[] = [];
  let y = body.y;
  const add = (panel: PanelName, look: PanelBox['look'], height: number) => {
    if (height > 0) boxes.push({ panel, look, x: 0, y, width: body.width, height });
    y += height;
  };
  add('transcript', 'frame', body.height - used);
  for (const want of wants) add(want.panel, want.look, want.height);
  return boxes;
}
