import { join } from 'node:path';
import { RUN_MARKER } from '../../processes/index.ts';
import type { RunSpec } from '../contract.ts';
import type { Prepared } from './prepared.ts';

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

/** `mcp.json` in the run's directory, as MCP hosts read it. */
export function mcpConfig(
  spec: Pick<RunSpec, 'runDir'>,
  servers: Readonly<Record<string, unknown>>,
): Prepared['files'][number] {
  return {
    path: join(spec.runDir, 'mcp.json'),
    text: `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`,
  };
}
