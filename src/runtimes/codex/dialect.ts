import type { RunSpec } from '../contract.ts';
import type { Dialect } from '../engine/session.ts';
import { CodexReader } from './reader.ts';
import { exitResult } from './result.ts';

/** It tells its metrics host and closes its servers before it ends. */
const PATIENCE_MS = 2000;

/**
 * How wats talks with `codex exec`: the prompt on stdin and the end of it, lines back. Its tools are `required`, so
 * it checks them itself, before its first request, and ends when they are not there.
 */
export function codexDialect(spec: Pick<RunSpec, 'maxTurns'>, now: () => number): Dialect {
  const reader = new CodexReader(spec, now);
  return {
    manyTurns: false,
    hearsBytes: false,
    patienceMs: PATIENCE_MS,
    ready: async () => null,
    begin(program, prompt) {
      program.write(prompt);
      program.endInput();
    },
    read: (line) => reader.read(line),
    interrupt: (program) => program.signal('SIGINT'),
    exited: exitResult,
  };
}
