import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import {
  type FlagValues,
  flagsFromTable,
  flagValues,
  type Loaded,
  loadSettings,
  readConfigFile,
  realPath,
} from '../../config/index.ts';
import type { Daemon } from '../../daemon/index.ts';
import { type Places, placesOf, runtimeDirOf, type SocketPlace } from '../../paths/index.ts';
import { nearest } from '../../text/index.ts';
import type { Context, Flags, Input } from './command.ts';
import { dirOf } from './place.ts';

/** Flags of every setting, for the commands that start a daemon. */
export const SETTING_FLAGS: Flags = Object.fromEntries(
  Object.entries(flagsFromTable()).map(([name, flag]) => [name, { ...flag, hidden: name.startsWith('no-') }]),
);

export function placeOf(context: Context): SocketPlace {
  return { platform: context.platform, runtimeDir: runtimeDirOf(context.env), uid: context.uid };
}

export function placesFor(input: Input, context: Context): Places {
  return placesOf(dirOf(input, context), context.env, placeOf(context));
}

/** The settings of a data directory, with what flags and variables say. @throws WatsError `setting` */
export function loadFor(places: Places, flags: FlagValues, context: Context): Loaded {
  return loadSettings(
    { flags, env: context.env, file: readConfigFile(places.config) },
    {
      user: context.user,
      home: context.home,
      cwd: context.cwd,
      suggest: nearest,
      dataDir: places.dir,
      realPath,
    },
  );
}

/** The text of a file that the package ships beside its program. */
export function shipped(name: string, context: Context): string {
  return readFileSync(shippedPath(name, context), 'utf8');
}

export function shippedPath(name: string, context: Context): string {
  return resolve(realPath(context.self.script), '..', '..', name);
}

/** Starts the daemon of the directory that the command line names. */
export async function startDaemon(
  input: Input,
  context: Context,
  more: {
    readonly background: boolean;
    readonly terminal?: (bytes: string) => void;
    readonly onQuit: (how: 'drain' | 'now') => void;
  },
): Promise<{ readonly daemon: Daemon; readonly loaded: Loaded; readonly places: Places }> {
  const places = placesFor(input, context);
  const loaded = loadFor(places, flagValues(input), context);
  // Loaded here alone: commands that only look at settings need none of it.
  const { openDaemon } = await import('../../daemon/index.ts');
  const daemon = await openDaemon({
    places,
    place: placeOf(context),
    loaded,
    user: context.user,
    env: context.env,
    version: context.version,
    self: { node: context.self.node, script: realPath(context.self.script) },
    shippedHeartbeat: shipped('HEARTBEAT.md', context),
    background: more.background,
    terminal: more.terminal ?? (() => {}),
    now: context.now,
    onQuit: more.onQuit,
  });
  keepMemory();
  return { daemon, loaded, places };
}

/**
 * V8 doubles the room for young objects whenever a burst outlives a collection, up to some 30 MB more, and gives none
 * of it back. What starting has left is plenty for a daemon that is looked at for months.
 */
function keepMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
