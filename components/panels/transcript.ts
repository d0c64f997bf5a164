import type { RunView, View } from '../../src/control/index.ts';
import { cellWidth, clock, usd } from '../../src/text/index.ts';
import { type Row, row, slid, span } from '../cells/cell.ts';
import { frame, innerWidth, type Seen } from '../cells/frame.ts';
import type { Rect } from '../layout/layout.ts';
import { type Context, isGone, isRunning } from '../state/context.ts';
import type { ScreenState } from '../state/state.ts';
import { endOf } from '../transcript/book.ts';
import { keeps, pagesIn } from '../transcript/geometry.ts';
import { type Line, linesAt } from '../transcript/position.ts';
import { ago, quoted, tag } from './columns.ts';
import { type FirstStartRoom, firstStartRows } from './first-start.ts';
import { outcomeStyle } from './rows.ts';

/** What the agent says and does, newest at the end. */
export function transcriptPanel(
  state: ScreenState,
  context: Context,
  { width, height }: Rect,
  focused: boolean,
): Row[] {
  const { view, now } = context;
  const canSetUp = context.canRun && !context.readOnly;
  const pages = pagesIn(state, innerWidth(width), height - 2);
  const lines = linesAt(state.transcript.position, pages);
  const cursor = state.transcript.cursor ?? lines.at(-1)?.n ?? null;
  const { shift } = state.transcript;
  const rows = lines.map((line) => mark(line, focused && line.n === cursor, shift));
  return frame({
    title: titleOf(view, state, width - 4, now),
    foot: footOf(state, lines),
    rows: rows.length > 0 ? rows : emptyRows(view, state, canSetUp, { width: width - 2, height: height - 2 }),
    width,
    height,
    focused,
    seen: seenOf(lines, state.transcript.book.total),
  });
}

/** Which entries are on screen, a part of one as a fraction. */
export function seenOf(lines: readonly Line[], of: number): Seen | null {
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return null;
  return { from: first.n + first.line / first.of, to: last.n + (last.line + 1) / last.of, of };
}

function mark(line: Line, chosen: boolean, shift: number): Row {
  return row(chosen ? span(line.line === 0 ? '▸' : '┊', 'cursor') : ' ', slid(line.row, shift));
}

function titleOf(view: View, state: ScreenState, width: number, now: number): Row {
  const { transcript } = state;
  if (!transcript.live) {
    const past = view.runs.rows.find((run) => run.id === transcript.book.runId);
    const rest = past === undefined ? '' : ` · ${past.cause} · ${past.outcome} · ${ago(past.startedAt, now)}`;
    return row(`Run ${transcript.book.runId ?? ''}${rest}`);
  }
  const { run } = view;
  if (run === null) return row('Transcript');
  if (transcript.book.runId !== null && run.id !== transcript.book.runId)
    return row(`Run ${transcript.book.runId} · `, span(`run ${run.id} is going now: G shows it`, 'warn'));
  const tail = tailOf(run, now, isGone(view));
  const room =
    width - cellWidth(`Run ${run.id} · `) - cellWidth(tail.map((piece) => piece.text).join('')) - 1;
  return row(`Run ${run.id} · ${causeOf(run, room)}`, tail);
}

function causeOf(run: RunView, width: number): string {
  if (run.about === null) return run.cause === 'person' ? 'started by hand' : run.cause;
  const start = `for ${run.about.kind} ${tag(run.about.id)}`;
  const title = quoted(run.about.title, width - start.length - 1);
  return title === '' ? start : `${start} ${title}`;
}

function tailOf(run: RunView, now: number, gone: boolean): Row {
  const cost = run.costMicroUsd === null ? '' : ` · ${usd(run.costMicroUsd)}`;
  const turns = run.turns === null ? '' : ` · ${run.turns} ${run.turns === 1 ? 'turn' : 'turns'}`;
  // Nobody says whether it goes on: its clock would pretend to know.
  if (gone && run.state !== 'ended') return row(' · ', span('was going', 'warn'));
  if (run.state === 'booked') return row(' · starting');
  if (run.state === 'spawned') return row(` · ${clock(now - run.startedAt)}${cost}${turns}`);
  const outcome = run.outcome ?? 'ended';
  const ended = run.endedAt === null ? '' : ` ${ago(run.endedAt, now)}`;
  return row(' · ', span(outcome, outcomeStyle(outcome)), `${ended}${cost}${turns}`);
}

/** Where a person is: at the end, or how much is below. */
function footOf(state: ScreenState, lines: readonly Line[]): Row {
  const { transcript } = state;
  const { book, position } = transcript;
  const filter = row(
    transcript.filter === '' ? null : filterFoot(state),
    transcript.wrap
      ? null
      : span(`cut lines${transcript.shift > 0 ? `, from cell ${transcript.shift + 1}` : ''}: H L · `, 'dim'),
  );
  if (book.total === 0) return filter;
  if (position.at === 'end') {
    return row(
      filter,
      transcript.live ? span('following', 'ok') : span(`end of ${book.total} entries`, 'dim'),
    );
  }
  const fresh = Math.max(0, book.total - transcript.leftAt);
  const at = span(`entry ${(lines[0]?.n ?? 0) + 1} of ${book.total}`, 'dim');
  return row(
    filter,
    fresh > 0 ? row(span(`▼ ${fresh} new`, 'warn'), ' · ') : null,
    at,
    span(' · G to the end', 'dim'),
  );
}

function filterFoot(state: ScreenState): Row {
  const { book, filter } = state.transcript;
  const keep = keeps(filter);
  const found = book.entries.filter(keep).length;
  const part = book.first > 0 || endOf(book) < book.total ? ` of the ${book.entries.length} loaded` : '';
  return row(
    span(`${found} ${found === 1 ? 'entry matches' : 'entries match'} "${filter}"${part}`, 'accent'),
    ' · ',
  );
}

function emptyRows(view: View, state: ScreenState, canSetUp: boolean, room: FirstStartRoom): Row[] {
  const line = (text: string) => row(' ', span(text, 'dim'));
  if (state.transcript.filter !== '') return [line('Nothing matches. Esc clears the filter.')];
  if (!state.transcript.live)
    return [line(state.transcript.book.total > 0 ? 'Loading…' : 'Nothing was printed.')];
  if (view.agent === null) return firstStartRows(view, canSetUp, room);
  if (isRunning(view)) return [line('The run has started; nothing was printed yet.')];
  return [
    line('No run yet.'),
    line('The agent wakes when a post needs it or a heartbeat is due; r wakes it now.'),
  ];
}
