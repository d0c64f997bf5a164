import type { DraftPage, PostPage } from '../../src/control/index.ts';
import { diffLines, shortKey, wrapText } from '../../src/text/index.ts';
import { type Row, row, type Style, span } from '../cells/cell.ts';
import { innerWidth } from '../cells/frame.ts';
import type { Size } from '../state/context.ts';
import type { DraftDialog } from '../state/dialogs.ts';

export interface Pane {
  readonly rows: readonly Row[];
  /** Cells and rows of its frame. */
  readonly width: number;
  readonly height: number;
}

/** The draft and the post that it answers, laid out for a body of this size. */
export interface DraftView {
  readonly side: 'beside' | 'above' | 'alone';
  readonly draft: Pane;
  readonly parent: Pane | null;
}

/** From this width on the post stands beside the draft, below it above. */
const BESIDE = 100;

/**
 * Every row of both texts. The draft's rows are all of what is published, and of an edit all that changed:
 * whoever saw the last of them saw everything.
 */
export function draftView(page: DraftPage, edited: string | null, body: Size): DraftView {
  const { parent } = page;
  if (parent === null)
    return {
      side: 'alone',
      parent: null,
      draft: pane(body.columns, body.rows, draftRows(page, edited, body.columns)),
    };
  if (body.columns >= BESIDE) {
    const left = Math.floor(body.columns * 0.42);
    return {
      side: 'beside',
      parent: pane(left, body.rows, parentRows(parent, left)),
      draft: pane(body.columns - left, body.rows, draftRows(page, edited, body.columns - left)),
    };
  }
  const rows = parentText(parent, body.columns);
  const height = Math.max(3, Math.min(rows.length + 2, Math.floor(body.rows * 0.4)));
  return {
    side: 'above',
    parent: pane(body.columns, height, rows),
    draft: pane(body.columns, body.rows - height, draftRows(page, edited, body.columns)),
  };
}

/** Rows of text that a pane shows at once. */
export function paneHeight(pane: Pane): number {
  return Math.max(1, pane.height - 2);
}

/** The last scroll at which a pane is still full. */
export function lastScroll(pane: Pane): number {
  return Math.max(0, pane.rows.length - paneHeight(pane));
}

/** Whether the draft's last row is on screen. */
export function showsEnd(dialog: DraftDialog, view: DraftView): boolean {
  return Math.min(dialog.scroll, lastScroll(view.draft)) + paneHeight(view.draft) >= view.draft.rows.length;
}

function pane(width: number, height: number, rows: readonly Row[]): Pane {
  return { width, height, rows };
}

function draftRows(page: DraftPage, edited: string | null, width: number): Row[] {
  const inner = innerWidth(width);
  const head = [...titleRows(page.title, inner), ...tagRows(page.tags, inner)];
  const gap: Row[] = head.length > 0 ? [[]] : [];
  if (edited === null) return [...head, ...gap, ...textRows(page.text, inner)];
  return [
    ...head,
    row(span('edited by you: - goes, + comes', 'accent')),
    [],
    ...diffLines(page.text, edited).flatMap(({ sign, text }) => {
      const style: Style = sign === '+' ? 'ok' : sign === '-' ? 'danger' : 'plain';
      return wrapText(text, Math.max(2, inner - 2)).map((line) => row(span(`${sign} ${line}`, style)));
    }),
  ];
}

function parentRows(post: PostPage, width: number): Row[] {
  const inner = innerWidth(width);
  const name = post.authorName === null ? '' : `${post.authorName} · `;
  const by = wrapText(`by ${name}${shortKey(post.author)}`, inner).map((line) => row(span(line, 'dim')));
  return [
    ...by,
    ...titleRows(post.title, inner),
    ...tagRows(post.tags, inner),
    [],
    ...textRows(post.text, inner),
  ];
}

/** Above a draft rows are few: what the post says comes first, and its author stands in the frame's title. */
function parentText(post: PostPage, width: number): Row[] {
  const inner = innerWidth(width);
  return [
    ...titleRows(post.title, inner),
    ...textRows(post.text.trimEnd(), inner),
    ...tagRows(post.tags, inner),
  ];
}

function titleRows(title: string, width: number): Row[] {
  return title === '' ? [] : wrapText(title, width).map((line) => row(span(line, 'bold')));
}

function tagRows(tags: readonly string[], width: number): Row[] {
  if (tags.length === 0) return [];
  return wrapText(`tags: ${tags.join(', ')}`, width).map((line) => row(span(line, 'dim')));
}

function textRows(text: string, width: number): Row[] {
  return wrapText(text, width).map((line) => row(line));
}
