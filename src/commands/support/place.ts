import { resolve } from 'node:path';
import { type ControlClient, connectControl } from '../../control/index.ts';
import { dataDir, runtimeDirOf, socketPath } from '../../paths/index.ts';
import type { Context, Input } from './command.ts';

/** The data directory that a command is about, absolute. */
export function dirOf(input: Input, context: Context): string {
  return resolve(context.cwd, dataDir(context.env, context.home, context.platform, input.text('dir')));
}

/** Where a socket of a data directory is on this machine. */
export function socketOf(dir: string, name: string, context: Context): string {
  return socketPath(dir, name, {
    platform: context.platform,
    runtimeDir: runtimeDirOf(context.env),
    uid: context.uid,
  });
}

/** Attaches to the daemon of the directory, does something with it, and lets it go. @throws WatsError `no_daemon` */
export async function withDaemon<T>(
  input: Input,
  context: Context,
  act: (client: ControlClient) => Promise<T>,
): Promise<T> {
  const client = await connectControl(socketOf(dirOf(input, context), 'control.sock', context));
  try {
    return await act(client);
  } finally {
    client.close();
  }
}
