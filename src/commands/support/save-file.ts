import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { WatsError } from '../../errors/index.ts';
import { visible } from '../../text/index.ts';

/** Names that are tried before a person has to clear up. */
const MOST = 100;

/**
 * Writes a text to a new file of a directory that only its owner can read: `wats-NAME.txt`, or with a number. Nothing
 * that is there is written over.
 *
 * @param name characters that have no place in a file name become `-`
 * @returns its path, fit for a screen
 * @throws WatsError `storage`
 */
export async function saveText(directory: string, name: string, text: string): Promise<string> {
  const stem = `wats-${name.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 80)}`;
  for (let at = 1; at <= MOST; at += 1) {
    const path = join(directory, `${stem}${at === 1 ? '' : `-${at}`}.txt`);
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(text);
      } finally {
        await file.close();
      }
      return visible(path, 'line');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new WatsError('storage', `${visible(path, 'line')} cannot be written`, {
        fix: 'start wats in a directory that you can write to',
        cause,
      });
    }
  }
  throw new WatsError('storage', `there are ${MOST} files like ${stem}.txt already`, {
    fix: 'move some of them away',
  });
}
