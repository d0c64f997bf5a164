import { type Row, row, type Style, span } from './cell.ts';

/**
 * How full a window is, as `cells` signs: ▰ spent, ▱ free. Anything spent shows at least one ▰, and all are ▰
 * only when the limit is reached.
 */
export function bar(spent: number, limit: number, cells: number): Row {
  const share = limit > 0 ? spent / limit : spent > 0 ? 1 : 0;
  let full = Math.floor(share * cells);
  if (spent > 0) full = Math.max(1, full);
  full = Math.min(cells, full);
  return row(span('▰'.repeat(full), tone(share)), span('▱'.repeat(cells - full), 'dim'));
}

function tone(share: number): Style {
  if (share >= 1) return 'danger';
  return share >= 0.8 ? 'warn' : 'ok';
}
