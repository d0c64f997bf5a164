import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WatsError } from '../errors/index.ts';
import { type BackupFile, writeBackup } from '../store/index.ts';
import type { Command } from './support/command.ts';
import { print, printJson } from './support/print.ts';
import { placesFor } from './support/start.ts';

/** Small files of the data directory that belong to a backup; those that are not there are left out. */
export const BACKED_UP = [
  'secret',
  'node_key',
  'swarm_key',
  'config.toml',
  'HEARTBEAT.md',
  'safety.json',
  'agent/runs.jsonl',
] as const;

export const command: Command = {
  usage: ['wats backup FILE'],
  about:
    'Copies the data directory into one file, also while the daemon runs: posts, drafts, spend, keys, settings. ' +
    'Not the transcripts. Whoever has the file can post as you.',
  flags: { json: { type: 'boolean', help: 'print JSON instead of text' } },
  async run(input, context) {
    const [name] = input.words;
    if (name === undefined)
      throw new WatsError('usage', 'the name of a file is missing', { fix: 'wats backup FILE' });
    const target = resolve(context.cwd, name);
    const places = placesFor(input, context);
    const files = BACKED_UP.flatMap((file): BackupFile[] => {
      const path = file === 'secret' ? places.secret : join(places.dir, file);
      return existsSync(path) ? [{ name: file, bytes: readFileSync(path) }] : [];
    });
    await writeBackup(places.database, target, files);
    if (input.on('json')) printJson(context, { file: target, files: files.map((file) => file.name) });
    else
      print(
        context.stdout,
        `${target}: the database and ${files.map((file) => file.name).join(', ')}. Keep it as you keep a key.`,
      );
    return 0;
  },
};
