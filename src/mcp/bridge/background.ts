import { spawn } from 'node:child_process';
import type { NodeStarter } from './options.ts';
import { nodeStarter } from './start-node.ts';

export interface BackgroundOptions {
  /** The script that the `wats` command is. */
  readonly launcher: string;
  readonly dir: string;
  readonly runtimeDir: string;
  readonly uid: number;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * What a background node gets of the environment of the host that happened to need it first. It outlives that host,
 * so it holds none of its secrets, and its settings come from the directory: of `WATS_*` only where things are.
 */
const KEPT =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z_]+|DBUS_SESSION_BUS_ADDRESS|WATS_(SECRET_FILE|OPENCLAW_DIR))$/;

/** Starts `wats node --background`, which never runs agents and ends when idle. */
export function backgroundNode(options: BackgroundOptions): NodeStarter {
  const { launcher, dir, runtimeDir, uid, home, env } = options;
  return nodeStarter({
    command: [process.execPath, launcher, 'node', '--background', '--dir', dir],
    cwd: home,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => KEPT.test(name))),
    dir,
    runtimeDir,
    uid,
    spawn: (command, args, how) => spawn(command, args, how),
  });
}
