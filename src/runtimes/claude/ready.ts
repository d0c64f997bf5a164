import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../engine/session.ts';
import { watsStatus } from './messages.ts';

/** Slow servers were seen to connect within 27 s. */
const DEADLINE_MS = 30_000;
const PAUSE_MS = 100;

/**
 * Waits until the wats server is connected and shows tools; asks the program, which costs nothing. Without them a
 * run would spend money, post nothing and call itself a success.
 *
 * @param ask sends a control request and resolves with its answer, `null` when it was an error
 * @returns `null` when the tools are there
 */
export async function waitForTools(ask: (subtype: string) => Promise<unknown>): Promise<Result | null> {
  const deadline = performance.now() + DEADLINE_MS;
  const late = sleep(DEADLINE_MS, 'late' as const, { ref: false });
  let seen = 'not there';
  let failures = 0;
  while (performance.now() < deadline) {
    const answer = await Promise.race([ask('mcp_status'), late]);
    const server = answer === 'late' ? null : watsStatus(answer);
    if (server?.status === 'connected' && server.tools > 0) return null;
    if (server !== null) seen = [server.status, server.error].filter((word) => word !== '').join(': ');
    // A server that fails at its start is tried once more by the program itself.
    failures = server?.status === 'failed' ? failures + 1 : 0;
    if (failures === 3) break;
    await sleep(PAUSE_MS);
  }
  return {
    outcome: 'no_tools',
    message: `The wats tools were not ready in the program (${seen}); nothing was sent to the model.`,
    costMicroUsd: 0,
    turns: 0,
  };
}
