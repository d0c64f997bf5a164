import { fitted, type Row, row, span } from '../cells/cell.ts';
import type { ListState } from '../state/state.ts';

/** What every list panel needs besides its rows. */
export interface ListLook {
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  readonly selected: number;
  readonly top: number;
}

/** The rows of a list that are in its window, each after a mark that shows which one is selected. */
export function listRows<T>(rows: readonly T[], look: ListLook, draw: (row: T, width: number) => Row): Row[] {
  const width = look.width - 2;
  return rows.slice(look.top, look.top + look.height).map((item, at) => {
    const chosen = look.top + at === look.selected;
    const mark = chosen && look.focused ? span('▸', 'cursor') : span(' ');
    const line = fitted(draw(item, width), width);
    return row(mark, chosen && look.focused ? line.map(emphasised) : line, ' ');
  });
}

/** The window's first row so that the selected one is in it, moved no further than needed. */
export function windowTop(
  list: Pick<ListState, 'top'>,
  selected: number,
  height: number,
  count: number,
): number {
  const most = Math.max(0, count - height);
  const top = Math.min(list.top, most);
  if (selected < top) return selected;
  return selected >= top + height ? Math.min(most, selected - height + 1) : top;
}

/** How many there are, and how many of them are here or match: `12`, `3 of 12 match "wal"`, `200 of 5000`. */
export function countText(total: number, here: number, shown: number, filter: string): string {
  if (filter !== '')
    return `${shown} of ${here}${here < total ? ` newest of ${total}` : ''} match "${filter}"`;
  return here < total ? `${here} of ${total}` : String(total);
}

function emphasised(piece: Row[number]): Row[number] {
  return piece.style === 'plain' ? span(piece.text, 'bold') : piece;
}
