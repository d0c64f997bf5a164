import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { round, whole } from '../support/measure.ts';
import { cpuSeconds, pause, residentMb, until } from '../support/proc.ts';
import { commandAgent, dataDirectory, person } from '../support/program.ts';
import { atMost, line, type RowRun } from '../support/row.ts';
import { openTerminal } from '../support/terminal.ts';

const CHATTY = join(import.meta.dirname, '../programs/chatty.mjs');
const [COLUMNS, ROWS] = [120, 40];
const PER_SECOND = 100;

export const run: RowRun = async ({ program, scratch, quick, say, defer }) => {
  const [behind, minute] = quick ? [5_000, 5] : [100_000, 60];
  const settle = quick ? 2 : 10;
  const flag = join(scratch, 'flag');
  const argv = [
    process.execPath,
    CHATTY,
    ...[behind, PER_SECOND, settle + minute * 3 + 30].map(String),
    flag,
  ];
  const dir = dataDirectory(join(scratch, 'd'), commandAgent(argv, ['timeout = "30m"']));
  const terminal = openTerminal(program, dir, COLUMNS, ROWS);
  defer(() => terminal.end());
  await until('the screen is up', async () => (await terminal.text()).includes('wats 0.'), 20_000);
  const client = await person(dir);
  const controls = await client.watch();
  const started = await controls.send(randomUUID(), { do: 'run' });
  if (!started.ok) throw new Error(`the run did not start: ${started.text}`);
  const from = performance.now();
  const printed = (): boolean => {
    const { run } = controls.view();
    if (run?.state === 'ended') throw new Error(`the agent's run ended early: ${run.outcome}`);
    return existsSync(flag);
  };
  await until(`${behind} lines are printed`, printed, 120_000);
  client.close();
  await until('they are on the screen', async () => (await newest(terminal)) >= behind, 120_000);
  const burst = (performance.now() - from) / 1_000;
  say(`${whole(behind)} lines shown after ${burst.toFixed(1)} s; now ${PER_SECOND} a second`);
  await pause(settle * 1_000);

  const start = { at: performance.now(), cpu: cpuSeconds(terminal.pid), line: await newest(terminal) };
  const bytes = terminal.bytes();
  const minutes: { cpu: number; rss: number }[] = [];
  for (let n = 1; n <= 3; n++) {
    const cpu = cpuSeconds(terminal.pid);
    const at = performance.now();
    await pause(start.at + n * minute * 1_000 - performance.now());
    const share = ((cpuSeconds(terminal.pid) - cpu) / ((performance.now() - at) / 1_000)) * 100;
    minutes.push({ cpu: share, rss: residentMb(terminal.pid).now });
    say(`minute ${n}: ${share.toFixed(1)} %, ${minutes.at(-1)?.rss.toFixed(0)} MB`);
  }
  const seconds = (performance.now() - start.at) / 1_000;
  const cpu = ((cpuSeconds(terminal.pid) - start.cpu) / seconds) * 100;
  const shown = ((await newest(terminal)) - start.line) / seconds;
  if (shown < PER_SECOND * 0.9) throw new Error(`only ${shown.toFixed(0)} lines a second reached the screen`);
  const [first, , third] = minutes;
  const growth = (third?.rss ?? 0) - (first?.rss ?? 0);
  const kbPerSecond = (terminal.bytes() - bytes) / 1_024 / seconds;
  return [
    line(
      `screen, ${whole(behind)} lines, ${PER_SECOND} a second, ${COLUMNS}×${ROWS}: processor`,
      `${cpu.toFixed(1)} %`,
      {
        ...atMost(cpu, 12, ' % of a core'),
        figures: {
          cpuPercent: round(cpu, 2),
          seconds: round(seconds, 1),
          kbPerSecond: round(kbPerSecond, 1),
          linesPerSecond: round(shown, 1),
          burstSeconds: round(burst, 1),
        },
      },
    ),
    line('screen: memory, minute 1 to 3', `${first?.rss.toFixed(0)} → ${third?.rss.toFixed(0)} MB`, {
      beside: null,
      target: '≤ 5 MB more',
      met: growth <= 5,
      figures: {
        growthMb: round(growth, 1),
        minute1Mb: round(first?.rss ?? 0, 1),
        minute3Mb: round(third?.rss ?? 0, 1),
        peakMb: round(residentMb(terminal.pid).peak, 1),
      },
    }),
  ];
};

/** The number of the newest line on the screen; 0 when none is there. */
async function newest(terminal: { text(): Promise<string> }): Promise<number> {
  const numbers = [...(await terminal.text()).matchAll(/line (\d+):/g)].map(([, n]) => Number(n));
  return Math.max(0, ...numbers);
}
