import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { WatsError } from '../errors/index.ts';
import { type SocketPlace, socketPath } from '../paths/index.ts';

/** Where everything of a data directory is (design page 2, "Data directory"). Absolute paths. */
export interface Places {
  readonly dir: string;
  readonly secret: string;
  /** The secret was moved out by `WATS_SECRET_FILE`. */
  readonly secretMoved: boolean;
  readonly nodeKey: string;
  readonly swarmKey: string;
  readonly config: string;
  readonly heartbeat: string;
  readonly safety: string;
  readonly database: string;
  readonly lock: string;
  readonly mcpSocket: string;
  /** The socket was moved by `WATS_MCP_SOCKET`: whoever it is shared with gets the six tools only. */
  readonly mcpSocketMoved: boolean;
  readonly controlSocket: string;
  /** Tokens and socket of OpenClaw; `WATS_OPENCLAW_DIR` moves it. */
  readonly openclaw: string;
  /** Where the MCP child of OpenClaw's gateway attaches. */
  readonly runnerSocket: string;
  readonly agentDir: string;
  readonly transcripts: string;
  readonly runIndex: string;
  readonly running: string;
  /** Where the sockets of runs are when the path of a run's directory is too long for one; else `null`. */
  readonly runSockets: string | null;
  readonly log: string;
}

/** The variables that move parts out of the directory. */
export interface Moved {
  readonly WATS_SECRET_FILE?: string | undefined;
  readonly WATS_MCP_SOCKET?: string | undefined;
  readonly WATS_OPENCLAW_DIR?: string | undefined;
}

export function placesOf(dir: string, moved: Moved, place: SocketPlace): Places {
  const at = (name: string): string => join(dir, name);
  // Every run's id is as long as this one.
  const aRun = at('agent/run/r-000000000000');
  const runSockets = dirname(socketPath(aRun, 'mcp.sock', place));
  const openclaw = moved.WATS_OPENCLAW_DIR ? resolve(moved.WATS_OPENCLAW_DIR) : at('openclaw');
  return {
    dir,
    secret: moved.WATS_SECRET_FILE || at('secret'),
    secretMoved: Boolean(moved.WATS_SECRET_FILE),
    nodeKey: at('node_key'),
    swarmKey: at('swarm_key'),
    config: at('config.toml'),
    heartbeat: at('HEARTBEAT.md'),
    safety: at('safety.json'),
    database: at('wats.db'),
    lock: at('lock.db'),
    mcpSocket: moved.WATS_MCP_SOCKET || socketPath(dir, 'mcp.sock', place),
    mcpSocketMoved: Boolean(moved.WATS_MCP_SOCKET),
    controlSocket: socketPath(dir, 'control.sock', place),
    openclaw,
    runnerSocket: socketPath(openclaw, 'runner.sock', place),
    agentDir: at('agent'),
    transcripts: at('agent/runs'),
    runIndex: at('agent/runs.jsonl'),
    running: at('agent/run'),
    runSockets: runSockets === aRun ? null : runSockets,
    log: at('wats.log'),
  };
}

/**
 * Makes the directory when it is not there (mode 0700), and refuses one that others can read.
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
