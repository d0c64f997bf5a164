// One row in a process of its own: started by run.ts, told what to measure, answers with its lines.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROWS } from './rows/index.ts';
import type { Program } from './support/program.ts';
import type { Line } from './support/row.ts';

export interface Report {
  readonly lines: readonly Line[];
  /** Why there are no lines, or not all. */
  readonly failure: string | null;
}

interface Order {
  readonly row: string;
  readonly quick: boolean;
  readonly idleSeconds: number;
  readonly seed: number;
  readonly program: Program;
  readonly cache: string;
}

process.once('message', (order) => void perform(order as Order));

async function perform(order: Order): Promise<void> {
  const { row, cache } = order;
  const entry = ROWS.find(({ name }) => name === row);
  if (entry === undefined) throw new Error(`there is no row ${row}`);
  const undo: (() => void | Promise<void>)[] = [];
  const clean = async (): Promise<void> => {
    for (const act of undo.splice(0).reverse()) {
      try {
        await act();
      } catch (error) {
        // The rest must be undone all the same.
        console.error(`  cleaning up after ${row}: ${String(error)}`);
      }
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void clean().then(() => process.exit(130)));
  }
  // What nobody awaited must not leave processes behind either.
  process.once('uncaughtException', (error) => {
    const report: Report = { lines: [], failure: error.stack ?? error.message };
    void clean().then(() => process.send?.(report, () => process.exit(1)));
  });
  // Short, so that a socket in a data directory under it stays within what the platform allows.
  const scratch = mkdtempSync(join(cache, 't-'));
  const kept = join(cache, 'kept');
  mkdirSync(kept, { recursive: true });
  undo.push(() => rmSync(scratch, { recursive: true, force: true }));
  let report: Report;
  try {
    const { run } = await entry.load();
    const lines = await run({
      ...order,
      scratch,
      kept,
      say: (text) => console.error(`  ${text}`),
      defer: (act) => undo.push(act),
    });
    report = { lines, failure: null };
  } catch (error) {
    report = { lines: [], failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  await clean();
  process.send?.(report, () => process.exit(0));
}
