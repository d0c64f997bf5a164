import type { TranscriptEntry } from '../../src/control/index.ts';

const NAMES: Readonly<Record<TranscriptEntry['kind'], string>> = {
  text: 'says',
  thinking: 'thinks',
  tool_call: 'calls',
  tool_result: 'gets',
  notice: 'notice',
  error: 'error',
};

/** An entry as it stands in a file: a line that names it, what it says, and an empty line. */
export function fileLines(entry: TranscriptEntry): string[] {
  const at = entry.at === null ? '' : `${new Date(entry.at).toISOString()} `;
  const label = entry.label === null ? '' : ` ${entry.label}`;
  const left = entry.omitted > 0 ? [`(${entry.omitted} more characters)`] : [];
  return [`${at}${NAMES[entry.kind]}${label}`, ...entry.text.trimEnd().split('\n'), ...left, ''];
}
