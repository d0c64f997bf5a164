import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { WatsError } from '../../errors/index.ts';
import type { RunSpec } from '../contract.ts';
import { watsServer } from '../engine/mcp-config.ts';

const PROJECT = z.object({ mcpServers: z.record(z.string(), z.unknown()).default({}) });

/**
 * The servers of a run: ours, loaded before the first request, and at `workspace` those of the project beside it.
 * No server of the project can take our name.
 *
 * @throws WatsError `runtime` when the project's `.mcp.json` can't be read
 */
export async function serversOf(
  spec: Pick<RunSpec, 'access' | 'workDir' | 'mcp' | 'runDir'>,
): Promise<Readonly<Record<string, unknown>>> {
  const ours = { wats: { type: 'stdio', ...watsServer(spec), alwaysLoad: true } };
  return spec.access === 'workspace' ? { ...(await projectServers(spec.workDir)), ...ours } : ours;
}

async function projectServers(workDir: string): Promise<Readonly<Record<string, unknown>>> {
  const path = join(workDir, '.mcp.json');
  try {
    return PROJECT.parse(JSON.parse(await readFile(path, 'utf8'))).mcpServers;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw new WatsError('runtime', `${path} cannot be read as a list of MCP servers.`, {
      fix: `Repair ${path}, or move it away.`,
      cause,
    });
  }
}
