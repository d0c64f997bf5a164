import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import type { Context } from './command.ts';
import { lendTerminal } from './lent.ts';
import { print } from './print.ts';

/**
 * Runs a wats command on this terminal, which nobody else reads or draws on meanwhile, and waits until the person has
 * seen what it said.
 *
 * @returns its exit code; of a signal, 128 and its number
 */
export async function runHere(args: readonly string[], dir: string, context: Context): Promise<number> {
  const { node, script } = context.self;
  return lendTerminal(async () => {
    const { exitCode, signal } = await execa(node, [script, ...args, '--dir', dir], {
      stdio: 'inherit',
      reject: false,
      cwd: context.cwd,
      env: context.env,
      extendEnv: false,
    });
    print(context.stdout, '\nEnter goes back to wats');
    await aLine(context);
    return exitCode ?? 128 + (signal === undefined ? 0 : (constants.signals[signal as NodeJS.Signals] ?? 0));
  });
}

/** Resolves at the next Enter, or when the terminal is gone. */
function aLine(context: Context): Promise<void> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: context.stdin });
    lines.once('line', () => lines.close());
    lines.once('close', resolve);
  });
}
