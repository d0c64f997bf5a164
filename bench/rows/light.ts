import { join } from 'node:path';
import { interleave, median, ms, round } from '../support/measure.ts';
import { pause, residentMb } from '../support/proc.ts';
import { dataDirectory, startDaemon } from '../support/program.ts';
import { atMost, type Line, line, type RowRun } from '../support/row.ts';
import { bareNode, bridgeAnswer } from './bridge.ts';

/** Commands that ask a running daemon, or nobody. */
const COMMANDS = [['--version'], ['status'], ['inbox'], ['search', 'nothing'], ['config', 'list']];

/** How long a daemon settles before its memory is read. */
const SETTLE_MS = 3_000;

export const run: RowRun = async ({ program, scratch, quick, defer }) => {
  const ready: number[] = [];
  for (let n = 0; n < (quick ? 2 : 10); n++) {
    const daemon = await startDaemon(program, dataDirectory(join(scratch, `s${n}`)));
    ready.push(daemon.readyMs);
    await daemon.end('SIGTERM');
  }
  const dir = dataDirectory(join(scratch, 'd'));
  const daemon = await startDaemon(program, dir);
  defer(() => daemon.end('SIGTERM'));
  await pause(SETTLE_MS);
  const memory = residentMb(daemon.pid);
  const bridges: number[] = [];
  for (let n = 0; n < 5; n++)
    await bridgeAnswer(program, dir, (pid) => {
      bridges.push(residentMb(pid).now);
    });

  const commands: Line[] = [];
  for (const command of COMMANDS) {
    const argv = [program.script, ...command, ...(command[0] === '--version' ? [] : ['--dir', dir])];
    const pairs = await interleave(
      quick ? 3 : 15,
      () => bareNode(argv),
      () => bareNode(),
    );
    commands.push(
      line(`wats ${command.join(' ')}`, ms(pairs.medianA), {
        beside: `node -e 0: ${ms(pairs.medianB)}`,
        ratio: pairs.ratio,
        ...atMost(pairs.ratio, 3, ' ×'),
        figures: { commandMs: round(pairs.medianA), bareMs: round(pairs.medianB) },
      }),
    );
  }
  return [
    line('wats node, spawn to ready', ms(median(ready)), { figures: { readyMs: round(median(ready)) } }),
    line('wats node, no agent, no peer: memory', `${memory.now.toFixed(0)} MB`, {
      figures: { rssMb: round(memory.now, 1), peakMb: round(memory.peak, 1) },
    }),
    line('wats mcp: memory', `${median(bridges).toFixed(0)} MB`, {
      figures: { rssMb: round(median(bridges), 1) },
    }),
    ...commands,
  ];
};
