import type { Alert } from '../../src/control/index.ts';
import { wrapText } from '../../src/text/index.ts';
import { fitted, type Row, row, span } from '../cells/cell.ts';

const WORDS: Readonly<Record<Alert['code'], string>> = {
  halt: 'HALT',
  safety: 'SAFETY',
  unguarded: 'UNGUARDED',
  budget: 'BUDGET',
  login: 'LOGIN',
  runtime: 'RUNTIME',
  config: 'CONFIG',
  disk: 'DISK',
  clock: 'CLOCK',
  twin: 'TWIN',
  daemon_gone: 'DAEMON GONE',
  flags: 'FLAGS',
};

/**
 * What a person must know now, at most `most` rows: a word in a badge, what it is, what to do. Every alert has a row
 * before one has two.
 */
export function alertRows(alerts: readonly Alert[], width: number, most: number): Row[] {
  const shown = alerts.length <= most ? alerts : alerts.slice(0, Math.max(0, most - 1));
  let spare = most - shown.length - (shown.length < alerts.length ? 1 : 0);
  const rows: Row[] = [];
  for (const alert of shown) {
    const own = rowsOf(alert, width, spare > 0 ? 2 : 1);
    spare -= own.length - 1;
    rows.push(...own);
  }
  if (shown.length < alerts.length && most > 0) rows.push(more(alerts.slice(shown.length), width));
  return rows;
}

function rowsOf(alert: Alert, width: number, most: number): Row[] {
  const badge = span(` ${WORDS[alert.code]} `, 'dangerBadge');
  const inset = badge.text.length + 2;
  const text = alert.fix === null ? alert.text : `${alert.text} → ${alert.fix}`;
  const lines = wrapText(text, Math.max(10, width - inset - 1));
  if (lines.length <= most)
    return lines.map((line, at) =>
      row(' ', at === 0 ? badge : ' '.repeat(inset - 2), ' ', span(line, 'danger')),
    );
  const shown = lines.slice(0, most - 1).map((line) => span(line, 'danger'));
  const last = fitted([span(lines.slice(most - 1).join(' '), 'danger')], width - inset - 1);
  return [...shown.map((line) => [line]), last].map((line, at) =>
    row(' ', at === 0 ? badge : ' '.repeat(inset - 2), ' ', line),
  );
}

/** Words of those that have no row of their own. */
function more(alerts: readonly Alert[], width: number): Row {
  const words = [...new Set(alerts.map((alert) => WORDS[alert.code]))].join(', ');
  return fitted(
    row(
      ' ',
      span(` ${alerts.length} MORE `, 'dangerBadge'),
      ' ',
      span(`${words} · wats status lists them`, 'danger'),
    ),
    width,
  );
}
