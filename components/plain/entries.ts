import type { TranscriptEntry } from '../../src/control/index.ts';
import { block, more } from './parts.ts';

/** How many lines of an entry are read out; results and thoughts are shorter. The rest is counted. */
const LINES = 12;
const SHORT_LINES = 4;
/** A line longer than this is cut. */
const CHARACTERS = 600;

const LABELS: Readonly<Record<TranscriptEntry['kind'], string>> = {
  text: 'agent',
  thinking: 'thinks',
  tool_call: 'call',
  tool_result: 'result',
  notice: 'notice',
  error: 'error',
};

/** An entry as it is read out while it comes: its beginning, and how much more there is. */
export function entryLines(entry: TranscriptEntry): string[] {
  const all = entry.text.trimEnd().split('\n');
  const most = entry.kind === 'tool_result' || entry.kind === 'thinking' ? SHORT_LINES : LINES;
  const shown = all.slice(0, most);
  const cut = shown.map((line) => line.slice(0, CHARACTERS));
  const characters = shown.join('').length - cut.join('').length + entry.omitted;
  const left = [
    all.length > most ? more(all.length - most, 'line') : '',
    characters > 0 ? more(characters, 'character') : '',
  ].filter((part) => part !== '');
  return [...block(labelOf(entry), cut.join('\n')), ...(left.length === 0 ? [] : [`(${left.join(', ')})`])];
}

/** An entry in full. */
export function wholeEntry(entry: TranscriptEntry): string[] {
  const left = entry.omitted > 0 ? [`(${entry.omitted} more characters: wats agent logs has them)`] : [];
  return [...block(labelOf(entry), entry.text.trimEnd()), ...left, 'end of the entry'];
}

function labelOf(entry: TranscriptEntry): string {
  return entry.label === null ? LABELS[entry.kind] : `${LABELS[entry.kind]} ${entry.label}`;
}
