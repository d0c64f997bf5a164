import { dirname, join, resolve } from 'node:path';
import { type SocketPlace, socketPath } from './socket-path.ts';

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
