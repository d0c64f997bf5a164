import { chmodSync, lstatSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { WatsError } from '../errors/index.ts';
import { networkFileSystem } from './network.ts';
import type { Places } from './places.ts';

/**
 * Makes the directory when it is not there (mode 0700), and refuses one that others can read or that lies on a network.
 * @throws WatsError `directory`
 */
export function prepareDirectory(places: Places, uid: number): void {
  const { dir } = places;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new WatsError('directory', `cannot make the data directory ${dir}`, {
      fix: 'name another one with --dir',
      cause,
    });
  }
  const found = statSync(dir);
  if (!found.isDirectory())
    throw new WatsError('directory', `${dir} is not a directory`, { fix: 'name another one with --dir' });
  if ((found.mode & 0o077) !== 0) {
    throw new WatsError(
      'directory',
      `the data directory ${dir} can be read by others (mode ${(found.mode & 0o777).toString(8).padStart(4, '0')})`,
      {
        fix: `chmod 700 ${dir}`,
      },
    );
  }
  const network = networkFileSystem(process.platform, statfsSync(dir).type);
  if (network !== null) {
    throw new WatsError('directory', `the data directory ${dir} is on a network file system (${network})`, {
      fix: 'put it on a disk of this machine with --dir: locks do not hold over a network, and a second machine would damage it',
    });
  }
  for (const path of [places.agentDir, places.transcripts, places.running])
    mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const socket of [places.mcpSocket, places.controlSocket]) ownFolder(dirname(socket), dir, uid);
  const runnerFolder = dirname(places.runnerSocket);
  if (runnerFolder !== places.openclaw) ownFolder(runnerFolder, dir, uid);
  if (places.runSockets !== null) ownFolder(places.runSockets, dir, uid);
}

/** A folder for sockets outside the data directory (its path was too long) is ours alone, or it is not used. */
function ownFolder(folder: string, dir: string, uid: number): void {
  if (folder === dir) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid) {
    throw new WatsError('directory', `${folder} is not a directory of yours`, {
      fix: 'remove it, or use a shorter data directory',
    });
  }
  if (folder.includes(`wats-${uid}`)) chmodSync(folder, 0o700);
}
