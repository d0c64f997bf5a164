import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ControlClient } from '../../src/control/index.ts';
import { round } from '../support/measure.ts';
import { introduce, linked } from '../support/peers.ts';
import { pause, residentMb, until, usage } from '../support/proc.ts';
import { cleanEnv, commandAgent, dataDirectory, person, startDaemon } from '../support/program.ts';
import { atMost, type Bench, type Line, line, type RowRun } from '../support/row.ts';
import { NOTHING } from '../support/runs.ts';
import { openTerminal } from '../support/terminal.ts';

const CPU_PER_CENT = 0.5;

interface Measured {
  readonly what: string;
  readonly pid: number;
  /** What it may have at the end, where something is asked. */
  readonly rssMb: number | null;
}

export const run: RowRun = async (bench) => {
  const settle = bench.quick ? 3_000 : 15_000;
  const partner = await startDaemon(bench.program, dataDirectory(join(bench.scratch, 'p')));
  bench.defer(() => partner.end('SIGTERM'));
  const inviting = await person(partner.dir);
  // They idle beside one another: what each of them uses is counted for it alone.
  const measured = [
    await withScreen(bench, 'idle, screen, no peers', 'a', 130, null),
    await withoutScreen(bench, 'idle, --no-tui, no peers', 'b', 90, null),
    await withScreen(bench, 'idle, screen, one peer', 'c', 170, inviting),
    await withoutScreen(bench, 'idle, --no-tui, one peer', 'd', null, inviting),
  ];
  inviting.close();
  bench.say(`${bench.idleSeconds} s, after ${settle / 1_000} s to settle`);
  await pause(settle);
  const used = await Promise.all(measured.map(({ pid }) => usage(pid, bench.idleSeconds)));
  return measured.flatMap(({ what, rssMb, pid }, n): Line[] => {
    const { cpu, rss, seconds } = used[n]!;
    const { peak } = residentMb(pid);
    return [
      line(`${what}: processor`, `${cpu.toFixed(2)} %`, {
        ...atMost(cpu, CPU_PER_CENT, ' % of a core'),
        figures: { cpuPercent: round(cpu), seconds: round(seconds, 1) },
      }),
      line(`${what}: memory`, `${rss.toFixed(1)} MB`, {
        ...(rssMb === null ? {} : atMost(rss, rssMb, ' MB')),
        figures: { rssMb: round(rss, 1), peakMb: round(peak, 1) },
      }),
    ];
  });
};

const directory = (bench: Bench, name: string): string =>
  dataDirectory(join(bench.scratch, name), commandAgent([NOTHING]));

async function withScreen(
  bench: Bench,
  what: string,
  name: string,
  rssMb: number | null,
  inviting: ControlClient | null,
): Promise<Measured> {
  const dir = directory(bench, name);
  const terminal = openTerminal(bench.program, dir, 120, 40);
  bench.defer(() => terminal.end());
  await until('the screen is up', async () => (await terminal.text()).includes('wats 0.'), 20_000);
  await givePeer(dir, inviting);
  return { what, pid: terminal.pid, rssMb };
}

async function withoutScreen(
  bench: Bench,
  what: string,
  name: string,
  rssMb: number | null,
  inviting: ControlClient | null,
): Promise<Measured> {
  const dir = directory(bench, name);
  const child = spawn(process.execPath, [bench.program.script, '--no-tui', '--dir', dir], {
    env: cleanEnv(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = new Promise<void>((done) => {
    child.once('exit', () => done());
  });
  bench.defer(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  // The banner is printed once everything is open.
  await new Promise((done) => child.stderr.once('data', done));
  child.stderr.resume();
  await givePeer(dir, inviting);
  return { what, pid: child.pid ?? -1, rssMb };
}

/** Gives the node its one peer; nobody stays attached. */
async function givePeer(dir: string, inviting: ControlClient | null): Promise<void> {
  if (inviting === null) return;
  const client = await person(dir);
  await introduce(inviting, client);
  await linked(client, 1);
  client.close();
}
