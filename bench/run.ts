// `npm run bench -- [ROW…] [--quick] [--json] [--seconds N] [--seed N]`: measures and prints the table of docs/bench.md.
import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report } from './row.ts';
import { ROWS } from './rows/index.ts';
import { describeLoad, describeMachine, type Machine, machine } from './support/machine.ts';
import { copyProgram } from './support/program.ts';
import { tableOf } from './support/table.ts';

const CACHE = resolve(import.meta.dirname, '../.cache/bench');

export interface RowReport extends Report {
  readonly row: string;
  readonly seconds: number;
  readonly machine: { readonly start: Machine; readonly end: Machine };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    seed: { type: 'string' },
  },
});
const { quick, json } = values;
const whole = (text: string | undefined, fallback: number): number => {
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`not a whole number over 0: ${text}`);
  return value;
};
const unknown = positionals.filter((name) => !ROWS.some((row) => row.name === name));
if (values.help || unknown.length > 0) {
  const list = ROWS.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n');
  if (unknown.length > 0) console.error(`bench: there is no row ${unknown.join(', ')}`);
  console.error(`npm run bench -- [ROW…] [--quick] [--json] [--seconds N] [--seed N]\n${list}`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

const started = machine();
console.error(`${describeMachine(started)}\n${describeLoad(started)}`);
mkdirSync(CACHE, { recursive: true });
const options = {
  quick,
  idleSeconds: whole(values.seconds, quick ? 5 : 60),
  seed: whole(values.seed, (Date.now() % 1_000_000) + 1),
  program: copyProgram(resolve(CACHE, `program-${process.pid}`)),
  cache: CACHE,
};
console.error(`seed ${options.seed}${quick ? ' · QUICK: sizes are small, the figures say little' : ''}`);

const reports: RowReport[] = [];
for (const { name } of ROWS) {
  if (positionals.length === 0 || positionals.includes(name)) reports.push(await measure(name));
}
const ended = machine();
if (json) {
  console.log(
    JSON.stringify(
      { quick, seed: options.seed, machine: { start: started, end: ended }, rows: reports },
      null,
      2,
    ),
  );
} else {
  if (quick) console.log('QUICK: sizes are small, the figures say little');
  console.log(tableOf(reports));
}
console.error(`start: ${describeLoad(started)}\nend:   ${describeLoad(ended)}`);
await import('node:fs').then(({ rmSync }) =>
  rmSync(resolve(CACHE, `program-${process.pid}`), { recursive: true, force: true }),
);
process.exitCode = reports.some(({ failure }) => failure !== null) ? 1 : 0;

/** Each row has a process of its own: the memory of one is not the garbage of the next. */
async function measure(row: string): Promise<RowReport> {
  const before = machine();
  const from = performance.now();
  console.error(`— ${row}`);
  const child = fork(resolve(import.meta.dirname, 'row.ts'), [], { stdio: ['ignore', 2, 2, 'ipc'] });
  const pass = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  process.on('SIGINT', pass).on('SIGTERM', pass);
  let report: Report = { lines: [], failure: 'the row ended without a report' };
  child.on('message', (message) => {
    report = message as Report;
  });
  child.send({ row, ...options });
  await new Promise((done) => child.once('exit', done));
  process.off('SIGINT', pass).off('SIGTERM', pass);
  if (report.failure !== null) console.error(`  ${row} failed: ${report.failure}`);
  const seconds = Math.round((performance.now() - from) / 100) / 10;
  return { row, seconds, machine: { start: before, end: machine() }, ...report };
}
