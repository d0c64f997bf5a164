import { visible } from '../text/index.ts';

/** One thing that a run's program said or did, for a person to read. The same shape as in the view of `control`. */
export interface TranscriptEntry {
  /** Position in the transcript, from 0, without gaps. */
  readonly n: number;
  /** ms since the epoch, where the program or wats wrote a time down. */
  readonly at: number | null;
  readonly kind: 'text' | 'thinking' | 'tool_call' | 'tool_result' | 'notice' | 'error';
  /** For tool calls and results: the tool's name. */
  readonly label: string | null;
  /** Made visible; may hold newlines. */
  readonly text: string;
  /** Characters left out of `text`. */
  readonly omitted: number;
}

/** An entry before it has a place: the program's own words, untrusted, in full. */
export interface RawEntry {
  readonly at: number | null;
  readonly kind: TranscriptEntry['kind'];
  readonly label: string | null;
  readonly text: string;
}

/** How much of a text is shown: `short` as a transcript goes by, `whole` when a person asks for it. */
export type Depth = 'short' | 'whole';

const SHORT = 2_000;
const SHORT_RESULT = 600;
/** Four times the longest text of a post; the whole line is in the file. */
const WHOLE = 65_536;
const LABEL = 80;

/** What a person sees of an entry: shortened first, so that a megabyte costs no more than what is shown of it. */
export function shown(n: number, { at, kind, label, text }: RawEntry, depth: Depth): TranscriptEntry {
  const trimmed = text.trimEnd();
  const limit = depth === 'whole' ? WHOLE : kind === 'tool_result' ? SHORT_RESULT : SHORT;
  const kept = cut(trimmed, limit);
  return {
    n,
    at,
    kind,
    label: label === null ? null : visible(cut(label, LABEL), 'line'),
    text: visible(kept, 'block'),
    omitted: trimmed.length - kept.length,
  };
}

/** At most `limit` UTF-16 units, no surrogate pair cut in two, and nothing of the long string kept alive by it. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit;
  return Buffer.from(text.slice(0, end), 'utf16le').toString('utf16le');
}
