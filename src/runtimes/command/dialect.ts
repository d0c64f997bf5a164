import type { Exit } from '../../processes/index.ts';
import type { RunSpec } from '../contract.ts';
import type { Program } from '../engine/program.ts';
import type { Dialect, Reading, Result } from '../engine/session.ts';
import { readCommandLine } from './lines.ts';

/** How wats talks with any executable: the prompt on stdin, then the end of it; events or text line by line; exit 0 is `ok`. */
export function commandDialect(spec: Pick<RunSpec, 'maxTurns' | 'maxMicroUsd'>): Dialect {
  return {
    manyTurns: false,
    hearsBytes: true,
    patienceMs: 0,
    ready: async () => null,
    begin(program: Program, prompt: string): void {
      program.write(prompt);
      program.endInput();
    },
    read: (line) => reading(line, spec),
    // To all of the group, as Ctrl-C in a terminal does: a script's own child gets it too.
    interrupt: (program) => program.signalAll('SIGINT'),
    exited: (exit, lastWords) => resultOf(exit, lastWords),
  };
}

function reading(line: string, spec: Pick<RunSpec, 'maxTurns' | 'maxMicroUsd'>): Reading {
  const event = readCommandLine(line);
  if (event === null) return { keep: true, heard: true, events: [] };
  const kept = { keep: true, heard: true, events: [event] } as const;
  if (event.type !== 'usage') return kept;
  if (event.turns !== undefined && event.turns > spec.maxTurns)
    return {
      ...kept,
      cut: { outcome: 'max_turns', message: `It took more than ${spec.maxTurns} turns and was interrupted.` },
    };
  if (spec.maxMicroUsd !== null && (event.costMicroUsd ?? 0) > spec.maxMicroUsd)
    return {
      ...kept,
      cut: { outcome: 'max_usd', message: 'It spent more than its cap and was interrupted.' },
    };
  return kept;
}

function resultOf({ code, signal }: Exit, lastWords: string): Result {
  const said = lastWords === '' ? '' : ` Its last words: ${lastWords}`;
  if (code === 0) return { outcome: 'ok', message: 'It finished.' };
  if (signal !== null) return { outcome: 'error', message: `It was ended by ${signal}.${said}` };
  return { outcome: 'error', message: `It failed with exit code ${code}.${said}` };
}
