import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WatsError } from '../errors/index.ts';
import { prepareDirectory } from '../paths/index.ts';
import { acquireLock, readBackup } from '../store/index.ts';
import { BACKED_UP } from './backup.ts';
import type { Command } from './support/command.ts';
import { print } from './support/print.ts';
import { placesFor } from './support/start.ts';

export const command: Command = {
  usage: ['wats restore FILE [--dir DIR]'],
  about:
    'Makes a data directory from a backup. The directory must not hold a database. The runner starts paused until you ' +
    'resume it: nobody knows what was spent after the backup was made.',
  flags: {},
  async run(input, context) {
    const [name] = input.words;
    if (name === undefined)
      throw new WatsError('usage', 'the name of a file is missing', { fix: 'wats restore FILE' });
    const places = placesFor(input, context);
    if (existsSync(places.database)) {
      throw new WatsError('directory', `${places.dir} holds a database already`, {
        fix: `restore into another directory with --dir, or move this one away (${readdirSync(places.dir).length} entries)`,
      });
    }
    prepareDirectory(places, context.uid);
    const lock = acquireLock(places.lock);
    try {
      const files = await readBackup(resolve(context.cwd, name), places.database, context.now());
      for (const file of files) {
        // A backup is a file that somebody hands us: only names of ours become paths.
        if (!(BACKED_UP as readonly string[]).includes(file.name)) continue;
        const path = file.name === 'secret' ? places.secret : join(places.dir, file.name);
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        writeFileSync(path, file.bytes, { mode: 0o600, flag: 'wx' });
      }
    } finally {
      lock.release();
    }
    print(
      context.stdout,
      `${places.dir} is restored. Its agent is paused: "wats agent resume" when you have looked at "wats agent runs".`,
    );
    print(
      context.stdout,
      'Do not run the node that the backup came from at the same time: both would post as you.',
    );
    return 0;
  },
};
