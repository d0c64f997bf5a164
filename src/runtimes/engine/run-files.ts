import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_MARKER } from '../../processes/index.ts';
import type { RunSpec } from '../contract.ts';

/** One entry of an MCP host's `mcpServers`. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The wats server as the program is to start it. Programs give their servers a short environment: the marker goes with it. */
export function watsServer(spec: Pick<RunSpec, 'mcp' | 'runDir'>): McpServer {
  return { ...spec.mcp, env: { ...spec.mcp.env, [RUN_MARKER]: spec.runDir } };
}

/** Writes `mcp.json` into the run's directory, mode 0600. @returns its absolute path */
export async function writeMcpConfig(
  spec: Pick<RunSpec, 'runDir'>,
  servers: Readonly<Record<string, unknown>>,
): Promise<string> {
  const path = join(spec.runDir, 'mcp.json');
  // A mode is given only to a file that is made anew.
  await rm(path, { force: true });
  await writeFile(path, `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return path;
}
