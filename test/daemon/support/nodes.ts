import { onTestFinished } from 'vitest';
import { dataDirectory, type RunningNode, startNode } from '../../support/node.ts';

/** A data directory that is gone after the test. */
export function place(config = ''): string {
  const { dir, remove } = dataDirectory(config);
  onTestFinished(remove);
  return dir;
}

/** A node that runs on it, until the end of the test at the latest. */
export async function node(dir: string): Promise<RunningNode> {
  const running = await startNode(dir);
  onTestFinished(async () => {
    running.kill('SIGKILL');
    await running.ended;
  });
  return running;
}
