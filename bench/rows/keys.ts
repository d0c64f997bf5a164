import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ms, quantile, round, whole } from '../support/measure.ts';
import { pick, type Random, seeded } from '../support/posts.ts';
import { pause, until } from '../support/proc.ts';
import { commandAgent, dataDirectory, person } from '../support/program.ts';
import { type Line, line, type RowRun } from '../support/row.ts';
import { openTerminal, type Terminal } from '../support/terminal.ts';

const CHATTY = join(import.meta.dirname, '../programs/chatty.mjs');
const [COLUMNS, ROWS] = [120, 40];
const PER_SECOND = 100;
/** Between the frame that shows a press and the next press. */
const WAIT_MS = { least: 50, most: 400 };
/** Entries from the end of the transcript within which `j` and `k` go up and down. */
const SPAN = 60;

export const run: RowRun = async ({ program, scratch, quick, seed, say, defer }) => {
  const [behind, presses] = quick ? [5_000, 40] : [100_000, 300];
  const flag = join(scratch, 'flag');
  // It streams until it is stopped.
  const argv = [process.execPath, CHATTY, ...[behind, PER_SECOND, 1_500].map(String), flag];
  const dir = dataDirectory(join(scratch, 'd'), commandAgent(argv, ['timeout = "30m"']));
  const terminal = openTerminal(program, dir, COLUMNS, ROWS);
  defer(() => terminal.end());
  await until('the screen is up', async () => (await terminal.text()).includes('No run yet'), 20_000);
  const client = await person(dir);
  defer(() => client.close());
  const controls = await client.watch();
  const started = await controls.send(randomUUID(), { do: 'run' });
  if (!started.ok) throw new Error(`the run did not start: ${started.text}`);
  await until(`${behind} lines are printed`, () => existsSync(flag), 120_000);
  const shown = async (): Promise<boolean> => /line \d{4,}:/.test(await terminal.text());
  await until('they are on the screen', shown, 120_000);
  await pause(quick ? 1_000 : 5_000);

  const random = seeded(seed);
  // From here the transcript stays where the person is: what moves is what a key moved.
  await climb(terminal, 10);
  say(`${presses} presses while ${PER_SECOND} lines a second come`);
  const streaming = await pressAll(terminal, presses, random);
  const stopped = await controls.send(randomUUID(), { do: 'stop' });
  if (!stopped.ok) throw new Error(`the run did not stop: ${stopped.text}`);
  await until('the run has ended', () => controls.view().run?.state === 'ended', 60_000);
  await pause(1_000);
  say(`${presses} presses with nothing going on`);
  const resting = await pressAll(terminal, presses, random);
  return [
    lineOf(`key to frame, ${whole(behind)} lines behind, at rest`, resting),
    lineOf(`key to frame, ${PER_SECOND} lines a second coming`, streaming),
  ];
};

function lineOf(what: string, times: readonly number[]): Line {
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  return line(`${what}: p50, p95`, `${ms(p50)}, ${ms(p95)}`, {
    figures: {
      p50Ms: round(p50),
      p95Ms: round(p95),
      slowestMs: round(Math.max(...times)),
      presses: times.length,
    },
  });
}

async function climb(terminal: Terminal, entries: number): Promise<void> {
  for (let n = 0; n < entries; n++) await press(terminal, 'k');
}

/** A person at the keys: entries up and down, once around the panels, to another view and back. Milliseconds each. */
async function pressAll(terminal: Terminal, count: number, random: Random): Promise<number[]> {
  const times: number[] = [];
  let above = 10;
  while (times.length < count) {
    const kind = random();
    const keys =
      kind < 0.6
        ? [step()]
        : kind < 0.75
          ? ['\t', '\t', '\t', '\t']
          : [pick(random, ['2', '3', '4', '5', '6', '7']), '1'];
    for (const key of keys) {
      times.push(await press(terminal, key));
      await pause(WAIT_MS.least + random() * (WAIT_MS.most - WAIT_MS.least));
    }
  }
  return times;

  function step(): string {
    const up = above <= 3 || (above < SPAN && random() < 0.5);
    above += up ? 1 : -1;
    return up ? 'k' : 'j';
  }
}

/** From a key to the output after which the screen shows what it did. */
async function press(terminal: Terminal, key: string): Promise<number> {
  const before = whereOf(await terminal.text());
  const shown = terminal.shows(`what ${JSON.stringify(key)} does`, (text) => whereOf(text) !== before);
  const from = performance.now();
  terminal.type(key);
  return (await shown) - from;
}

/** Where a person is: the panel in focus, and the row that its keys act on. What arrives meanwhile changes neither. */
function whereOf(text: string): string {
  const panel = /╭▸(\w+)/.exec(text)?.[1] ?? '';
  const row = text.split('\n').findIndex((line) => /[│]▸/.test(line));
  const entry = /│▸.{0,60}/.exec(text)?.[0] ?? '';
  return `${panel} ${row} ${entry}`;
}
