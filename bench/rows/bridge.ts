import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { interleave, ms, quantile, round } from '../support/measure.ts';
import { cleanEnv, dataDirectory, type Program, startDaemon } from '../support/program.ts';
import { atMost, line, type RowRun } from '../support/row.ts';

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
})}\n`;

/** From the spawn of a bridge to the first byte of the answer to `initialize`, milliseconds. */
export async function bridgeAnswer(
  program: Program,
  dir: string,
  look?: (pid: number) => void,
): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, [program.script, 'mcp', '--dir', dir], {
    env: cleanEnv(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.write(INITIALIZE);
  const took = await new Promise<number>((done, fail) => {
    child.stdout.once('data', () => done(performance.now() - from));
    child.once('exit', (code) => fail(new Error(`wats mcp ended with ${code} without an answer`)));
  });
  look?.(child.pid ?? -1);
  const gone = new Promise((done) => child.once('exit', done));
  child.stdin.end();
  await gone;
  return took;
}

/** From the spawn of a Node, which does nothing when no words are given, to its exit, milliseconds. */
export async function bareNode(args: readonly string[] = ['-e', '0']): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, [...args], { env: cleanEnv(), stdio: 'pipe' });
  let said = '';
  child.stdin.end();
  child.stdout.resume();
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return new Promise((done, fail) =>
    child.once('exit', (code) => {
      if (code === 0) done(performance.now() - from);
      else fail(new Error(`node ${args.join(' ')} ended with ${code}: ${said}`));
    }),
  );
}

export const run: RowRun = async ({ program, scratch, quick, defer }) => {
  const dir = dataDirectory(join(scratch, 'd'));
  const daemon = await startDaemon(program, dir);
  defer(() => daemon.end('SIGTERM'));
  // The first start compiles; from the second on, the compile cache answers, as for every session of a day.
  await bridgeAnswer(program, dir);
  const pairs = await interleave(
    quick ? 5 : 40,
    () => bridgeAnswer(program, dir),
    () => bareNode(),
  );
  return [
    line('wats mcp, spawn to first answer byte', ms(pairs.medianA), {
      beside: `node -e 0: ${ms(pairs.medianB)}`,
      ratio: pairs.ratio,
      ...atMost(pairs.ratio, 1.6, ' ×'),
      figures: {
        bridgeMs: round(pairs.medianA),
        bareMs: round(pairs.medianB),
        bridgeP95Ms: round(quantile(pairs.a, 0.95)),
        pairs: pairs.a.length,
      },
    }),
  ];
};
