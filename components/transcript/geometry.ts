import type { TranscriptEntry } from '../../src/control/index.ts';
import { boxOf, layout } from '../layout/layout.ts';
import type { Context } from '../state/context.ts';
import { matcher } from '../state/filter.ts';
import { isOpen, type ScreenState } from '../state/state.ts';
import { rowsOf } from './lines.ts';
import type { Pages } from './position.ts';

/** The transcript as it stands in its panel now: what scrolling and drawing share. */
export function pagesOf(state: ScreenState, context: Pick<Context, 'view' | 'size'>): Pages {
  const box = boxOf(layout(context.view, state, context.size), 'transcript');
  const width = Math.max(10, (box?.width ?? context.size.columns) - 4);
  const height = Math.max(1, (box?.height ?? context.size.rows) - 2);
  return pagesIn(state, width, height);
}

export function pagesIn(state: ScreenState, width: number, height: number): Pages {
  const { transcript } = state;
  const keep = transcript.filter.trim() === '' ? everything : keeps(transcript.filter);
  const { wrap } = transcript;
  const rows = (entry: TranscriptEntry) => rowsOf(entry, width, isOpen(transcript, entry), wrap);
  return { book: transcript.book, width, height, keep, rows };
}

/** `kind:tool`, `kind:error` and words; a tool's name counts as text. */
export function keeps(filter: string): (entry: TranscriptEntry) => boolean {
  const matches = matcher(filter);
  return (entry) => matches({ text: `${entry.label ?? ''} ${entry.text}`, kind: entry.kind });
}

function everything(): boolean {
  return true;
}
