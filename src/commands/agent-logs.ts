import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WatsError } from '../errors/index.ts';
import {
  followTranscript,
  openTranscriptFile,
  runOf,
  type TranscriptEntry,
  transcriptPath,
} from '../transcripts/index.ts';
import type { Command, Context } from './support/command.ts';
import { print, printJson } from './support/print.ts';
import { placesFor } from './support/start.ts';

const PAGE = 200;

export const command: Command = {
  usage: ['wats agent logs [--run ID] [-f]'],
  about:
    'What a run said and did: its text, its tool calls, their results. The newest run, unless you name one. Needs no daemon.',
  flags: {
    run: { type: 'string', value: 'ID', help: 'the run' },
    follow: { type: 'boolean', short: 'f', help: 'go on as it grows' },
    json: { type: 'boolean', help: 'print JSON lines instead of text' },
  },
  async run(input, context) {
    const dir = placesFor(input, context).transcripts;
    const run = input.text('run') ?? newestRun(dir);
    if (run === null) throw new WatsError('not_found', 'there are no transcripts yet');
    if (!/^[A-Za-z0-9-]{1,80}$/.test(run))
      throw new WatsError('usage', 'that is no id of a run', { fix: 'wats agent runs lists them' });
    const path = transcriptPath(dir, run);
    const show = (entries: readonly TranscriptEntry[]): void => {
      for (const entry of entries) printEntry(entry, input.on('json'), context);
    };
    if (input.on('follow')) {
      const abort = new AbortController();
      process.once('SIGINT', () => abort.abort());
      for await (const entries of followTranscript(path, 0, 'short', abort.signal)) show(entries);
      return 0;
    }
    const file = await openTranscriptFile(path);
    try {
      for (let from = 0; from < file.total(); ) {
        const entries = await file.entries(from, PAGE, 'short');
        if (entries.length === 0) break;
        show(entries);
        from += entries.length;
      }
    } finally {
      await file.close();
    }
    return 0;
  },
};

function newestRun(dir: string): string | null {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch {
    return null; // no data directory yet: there is nothing to show
  }
  const runs = names
    .map((name) => ({ run: runOf(join(dir, name)), at: statSync(join(dir, name)).mtimeMs }))
    .filter((found): found is { run: string; at: number } => found.run !== null)
    .sort((a, b) => b.at - a.at);
  return runs[0]?.run ?? null;
}

const MARK: Readonly<Record<TranscriptEntry['kind'], string>> = {
  text: '  ',
  thinking: '~ ',
  tool_call: '→ ',
  tool_result: '← ',
  notice: '· ',
  error: '! ',
};

function printEntry(entry: TranscriptEntry, json: boolean, context: Context): void {
  if (json) {
    printJson(context, entry);
    return;
  }
  const label = entry.label === null ? '' : `${entry.label} `;
  const more = entry.omitted > 0 ? ` … ${entry.omitted} more characters` : '';
  const [first = '', ...rest] = `${label}${entry.text}${more}`.split('\n');
  print(context.stdout, [`${MARK[entry.kind]}${first}`, ...rest.map((line) => `  ${line}`)].join('\n'));
}
