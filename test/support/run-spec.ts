import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { endLeftovers } from '../../src/processes/index.ts';
import type { Ending, ProcessIdentity, RunEvent, RunSpec, Session } from '../../src/runtimes/index.ts';

const TINY_MCP = new URL('./tiny-mcp.mjs', import.meta.url).pathname;

/** A run's directory and spec for a test; whatever the run starts is ended, and its files removed, after the test. */
export interface TestRun {
  readonly spec: RunSpec;
  readonly lines: string[];
  readonly spawned: ProcessIdentity[];
  /** What the MCP server of the test was told, oldest first. */
  calls(): { readonly name: string; readonly arguments: unknown }[];
  /** Every entry of the server's log: its starts and each message in. */
  mcpLog(): readonly Record<string, unknown>[];
}

export function testRun(over: Partial<RunSpec> = {}, mcpEnv: Readonly<Record<string, string>> = {}): TestRun {
  const runDir = realpathSync(mkdtempSync(join(tmpdir(), 'wats-run-')));
  const workDir = join(runDir, 'work');
  mkdirSync(workDir);
  const log = join(runDir, 'mcp.log');
  const lines: string[] = [];
  const spawned: ProcessIdentity[] = [];
  onTestFinished(async () => {
    await endLeftovers({ leader: spawned[0] ?? null, runDir }, { killAfterMs: 0 });
    rmSync(runDir, { recursive: true, force: true });
  });
  const spec: RunSpec = {
    runId: 'r-1',
    session: 'person',
    runDir,
    workDir,
    access: 'locked',
    model: null,
    maxTurns: 10,
    maxMicroUsd: null,
    maxTokens: null,
    mcp: { command: process.execPath, args: [TINY_MCP], env: { TINY_LOG: log, ...mcpEnv } },
    env: { PATH: process.env['PATH'] ?? '', HOME: workDir },
    denyPaths: [],
    tools: [],
    command: [],
    timeoutMs: 60_000,
    stallTimeoutMs: 60_000,
    onSpawn: (identity) => spawned.push(identity),
    onLine: (line) => lines.push(line),
    ...over,
  };
  const mcpLog = (): Record<string, unknown>[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : [];
  const calls = (): { name: string; arguments: unknown }[] =>
    mcpLog()
      .map(
        (entry) =>
          entry['in'] as { method: string; params: { name: string; arguments: unknown } } | undefined,
      )
      .filter((message) => message?.method === 'tools/call')
      .map((message) => ({ name: message?.params.name ?? '', arguments: message?.params.arguments }));
  return { spec, lines, spawned, calls, mcpLog };
}

/** One turn to its end: every event, and the ending, which must come last and once. */
export async function takeTurn(
  session: Session,
  prompt: string,
  onEvent: (event: RunEvent) => void = () => {},
): Promise<{ readonly events: readonly RunEvent[]; readonly ending: Ending }> {
  const events: RunEvent[] = [];
  for await (const event of session.turn(prompt)) {
    events.push(event);
    onEvent(event);
  }
  const ends = events.filter((event) => event.type === 'end');
  const last = events.at(-1);
  if (ends.length !== 1 || last?.type !== 'end')
    throw new Error(`no single end event at the end: ${JSON.stringify(events)}`);
  return { events, ending: last.ending };
}
