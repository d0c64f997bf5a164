import type { WhyPage } from '../../src/control/index.ts';
import { cellWidth, shortKey, wrapText } from '../../src/text/index.ts';
import { type Row, row, type Style, span, textOf } from '../cells/cell.ts';
import { frame, indent, innerWidth } from '../cells/frame.ts';
import type { Rect } from '../layout/layout.ts';
import { columnsRow, quoted, tag } from '../panels/columns.ts';
import type { WhyDialog } from '../state/dialogs.ts';

/** What each rule asks, for those that this screen knows; others stand under their name alone. */
export const ASKS: Readonly<Record<string, string>> = {
  own: 'written by the agent',
  ignore_local: 'by a profile of this node',
  allow: 'author not in agent.allow',
  chain: 'parents missing or wrong',
  age: 'over agent.wake_max_age',
  ask: 'it is an ask',
  reply: 'a reply that asks to act',
  feedback: 'feedback to the agent',
  otherwise: 'nothing above did',
};

const DECIDES = '◀ decides';
const DECIDING = '▸';
/** Cells of a table that can still be read across. */
const WIDEST = 130;
/** Cells of a row that has room for what each rule asks. */
const WITH_ASKS = 90;

/** Every rule in order with the value it saw, and what became of the post. */
export function drawWhy(dialog: WhyDialog, body: Rect): Row[] {
  const { width, height } = body;
  const rows = whyRows(dialog, width);
  const room = Math.max(1, height - 2);
  const from = Math.min(dialog.scroll, Math.max(0, rows.length - room));
  const below = rows.length - from - room;
  const { page } = dialog;
  const what = page === null ? tag(dialog.id) : `${page.post.kind} ${tag(dialog.id)}`.trim();
  return frame({
    title: row(
      [`Why ${what}`, quoted(page?.post.title ?? '', innerWidth(width) - what.length - 8)]
        .filter(Boolean)
        .join(' '),
    ),
    foot: below > 0 ? row(span(`${below} more below`, 'dim')) : [],
    rows: indent(rows.slice(from, from + room)),
    width,
    height,
    focused: true,
    seen: { from, to: Math.min(rows.length, from + room), of: rows.length },
  });
}

export function whyRows(dialog: WhyDialog, columns: number): Row[] {
  const width = innerWidth(columns);
  const { page } = dialog;
  if (page === null) return [row(span(dialog.error ?? 'Loading…', dialog.error === null ? 'dim' : 'danger'))];
  return [
    ...field('judged', judged(page), 'bold', width),
    ...field('wake', page.wake ?? 'none', 'plain', width),
    ...(page.hold === null ? [] : field('held', page.hold, 'warn', width)),
    [],
    ...rulesTable(page.rules, Math.min(width, WIDEST)),
  ];
}

/** What was decided when the post was judged, in words. */
export function judged(page: WhyPage): string {
  return page.decided ?? 'not judged: it was here before the agent was, or its turn comes now';
}

/** Where the rule that decides stands among the rows; 0 when none does. */
export function decidingRow(dialog: WhyDialog, columns: number): number {
  return Math.max(
    0,
    whyRows(dialog, columns).findIndex((line) => textOf(line).startsWith(DECIDING)),
  );
}

function field(name: string, text: string, style: Style, width: number): Row[] {
  return wrapText(text, Math.max(2, width - 8)).map((line, at) =>
    row(span((at === 0 ? name : '').padEnd(8), 'dim'), span(line, style)),
  );
}

type Rules = NonNullable<WhyDialog['page']>['rules'];

/** The first rule that applies decides; those after it were not needed. */
function rulesTable(rules: Rules, width: number): Row[] {
  const names = widest(
    rules.map(({ rule }) => rule),
    4,
    14,
  );
  const saw = widest(
    rules.map((rule) => shown(rule.saw)),
    3,
    24,
  );
  const limit = widest(
    rules.map((rule) => shown(rule.limit)),
    5,
    24,
  );
  const asks = width >= WITH_ASKS;
  const line = (cells: readonly string[], style: Style): Row => {
    const [mark = '', rule = '', when = '', was = '', most = '', decides = ''] = cells;
    return columnsRow(
      [
        { text: mark, width: 1, style: 'cursor' },
        { text: rule, width: names, gap: 1, style },
        ...(asks ? [{ text: when, width: 'rest', style } as const] : []),
        { text: was, width: asks ? saw : 'rest', style },
        { text: most, width: limit, style },
        { text: decides, width: DECIDES.length, style: 'cursor' },
      ],
      width,
    );
  };
  const at = rules.findIndex((rule) => rule.decided);
  return [
    line(['', 'rule', 'applies when', 'saw', 'limit'], 'dim'),
    ...rules.map((rule, place) => {
      const cells = [rule.rule, ASKS[rule.rule] ?? '', shown(rule.saw), shown(rule.limit)];
      if (rule.decided) return line([DECIDING, ...cells, DECIDES], 'bold');
      return line(['', ...cells], at >= 0 && place > at ? 'dim' : 'plain');
    }),
  ];
}

/** Cells of the widest text, within bounds. */
function widest(texts: readonly string[], least: number, most: number): number {
  return Math.min(most, Math.max(least, ...texts.map(cellWidth)));
}

/** A full id or key as people read it. */
export function shown(value: string): string {
  return /^[0-9a-f]{64}$/.test(value) ? shortKey(value) : value;
}
