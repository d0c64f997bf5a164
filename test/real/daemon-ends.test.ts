import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findByMarker } from '../../src/processes/index.ts';
import { type ModelTurn, startModelServer } from '../support/model-server.ts';
import { dataDirectory, eventually, type RunningNode, startNode, wats } from '../support/node.ts';
import { codexShim } from './support/codex-shim.ts';
import { installCli } from './support/install-cli.ts';

const installed = { claude: await installCli('claude'), codex: await installCli('codex') };

/** A daemon whose agent has asked its model something, and waits for an answer that does not come. */
async function waiting(program: 'claude' | 'codex') {
  const cli = installed[program];
  if (!cli.ok) throw new Error(cli.why);
  const place = dataDirectory(
    `profile = "person"\n[agent]\nruntime = "${program}"\nmodel = "${program === 'claude' ? 'sonnet' : 'wats-test-model'}"\nnotify = false\n`,
  );
  onTestFinished(place.remove);
  const { dir } = place;
  const turns: [ModelTurn, ...ModelTurn[]] = [{ hang: 'no-headers' }, { text: 'Nothing to do.' }];
  const model = await startModelServer(program === 'claude' ? 'anthropic' : 'openai', turns);
  onTestFinished(() => model.close());
  const home = join(dir, '..');
  const path = program === 'claude' ? cli.dir : codexShim(home, cli.bin, model.url, 'CODEX_API_KEY');
  const env = {
    HOME: home,
    PATH: `${path}:${process.env['PATH']}`,
    ANTHROPIC_API_KEY: 'sk-fake',
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CODEX_API_KEY: 'sk-fake',
  };
  const start = async (): Promise<RunningNode> => {
    const node = await startNode(dir, { env });
    onTestFinished(async () => {
      await wats(['agent', 'stop'], { dir });
      node.kill('SIGTERM');
      await node.ended;
    });
    return node;
  };
  const node = await start();
  expect((await wats(['agent', 'run'], { dir })).code).toBe(0);
  const { run, pid } = await node.saw(({ type }) => type === 'run_spawned');
  await eventually(() => model.requests.length === 1);
  const rows = <T>(sql: string): T[] => {
    const db = new Database(join(dir, 'wats.db'), { readonly: true });
    try {
      return db.prepare(sql).all() as T[];
    } finally {
      db.close();
    }
  };
  const left = () => findByMarker('WATS_RUN_DIR', join(dir, 'agent/run', String(run)));
  expect((await left()).map((process) => process.pid)).toContain(pid);
  return { dir, node, start, rows, left, run: String(run) };
}

describe.each(['claude', 'codex'] as const)('the real %s', (program) => {
  const { ok } = installed[program];

  test.skipIf(!ok)(
    'is gone when the daemon that a SIGKILL ended starts again; its run counts in full, and comes back once',
    async () => {
      const { node, start, rows, left, run } = await waiting(program);
      node.kill('SIGKILL');
      await node.ended;
      const again = await start();
      // It started only after everything of the run was ended.
      expect(await left()).toEqual([]);
      expect(again.said).toContainEqual(
        expect.objectContaining({ type: 'run_ended', run, outcome: 'interrupted' }),
      );
      await again.saw(({ type, outcome }) => type === 'run_ended' && outcome === 'idle');
      expect(rows('SELECT outcome, second_try FROM runs ORDER BY n')).toEqual([
        { outcome: 'interrupted', second_try: 0 },
        { outcome: 'idle', second_try: 1 },
      ]);
      expect(rows('SELECT DISTINCT state FROM wakes')).toEqual([{ state: 'done' }]);
      const [first] = rows<{ cap: number | null; micro_usd: number; unpriced_runs: number; settled: number }>(
        'SELECT cap, micro_usd, unpriced_runs, settled FROM bookings ORDER BY at',
      );
      if (program === 'claude') expect(first).toMatchObject({ micro_usd: first?.cap, settled: 1 });
      else expect(first).toMatchObject({ micro_usd: 0, unpriced_runs: 1, settled: 1 });
    },
  );

  test.skipIf(!ok)('is interrupted in its own way when the daemon is ended by a second SIGTERM', async () => {
    const { dir, node, rows, left, run } = await waiting(program);
    node.kill('SIGTERM');
    // Once it answers, it has taken the first one: two that wait together would be one.
    expect((await wats(['status'], { dir })).stdout).toContain(run);
    node.kill('SIGTERM');
    expect(await node.ended).toMatchObject({ code: 0 });
    expect(await left()).toEqual([]);
    expect(rows('SELECT state, outcome FROM runs')).toEqual([{ state: 'ended', outcome: 'stopped' }]);
    expect(rows('SELECT state FROM wakes')).toEqual([{ state: 'done' }]);
    const transcript = readFileSync(join(dir, 'agent/runs', `${run}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    expect(JSON.parse(transcript.at(-1) ?? '')).toMatchObject({ wats_end: { outcome: 'stopped' } });
  });
});
