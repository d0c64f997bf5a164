import { spawn } from 'node:child_process';
import { connectControl } from '../../control/index.ts';
import { WatsError } from '../../errors/index.ts';
import type { Context, Input } from './command.ts';
import { dirOf, socketOf } from './place.ts';

/** How long the daemon in the background may take until it answers. */
const PATIENCE_MS = 15_000;

/**
 * Starts the same daemon again without a terminal, once this one has let go of the directory.
 * @returns its process id
 * @throws WatsError `failed` when it does not come up
 */
export async function detach(input: Input, context: Context): Promise<number> {
  const args = [
    context.self.script,
    '--no-tui',
    ...context.argv.filter((word) => word !== '--plain' && word !== '--no-tui'),
  ];
  const child = spawn(context.self.node, args, {
    cwd: context.cwd,
    env: context.env,
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  let exited = false;
  child.on('exit', () => {
    exited = true;
  });
  const socket = socketOf(dirOf(input, context), 'control.sock', context);
  const deadline = performance.now() + PATIENCE_MS;
  while (!exited && performance.now() < deadline) {
    try {
      const client = await connectControl(socket);
      client.close();
      return client.hello.pid;
    } catch {
      // It is not listening yet.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new WatsError('failed', 'the daemon did not come up in the background', {
    fix: 'start it with "wats --no-tui" and see what it says',
  });
}
