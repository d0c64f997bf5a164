import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cleanEnv, eventually, WATS } from '../support/node.ts';
import { type House, makeHouse } from './support/house.ts';
import { seeded } from './support/random.ts';

/** `npm test` kills a few times; `WATS_TEST_KILLS=60` does it thoroughly. A failure is repeated with its seed. */
const KILLS = Number(process.env['WATS_TEST_KILLS'] ?? 12);
const SEED = Number(process.env['WATS_TEST_SEED'] ?? randomInt(2 ** 31));

test(`nothing is lost, done twice or left behind by ${KILLS} kills at random points (WATS_TEST_SEED=${SEED})`, {
  timeout: 60_000 + KILLS * 5_000,
}, async () => {
  const random = seeded(SEED);
  const house = makeHouse({ agent: ['family'] });
  const posted = new Map<string, string>();
  const unsure: string[] = [];
  const ask = async (key: string): Promise<void> => {
    posted.set(key, await house.ask(`question ${key}`, key));
  };
  const runMs = await lengthOfARun(house);

  for (let kill = 0; kill < KILLS; kill++) {
    const before = house.marked();
    const env = random.chance(0.3) ? { WATS_AGENT_REVIEW: 'false' } : {};
    if (random.chance(0.15)) {
      await killWhileStarting(house.dir, random.below(500), env);
      continue;
    }
    const node = await house.start({ env });
    expect(house.marked().filter((pid) => before.includes(pid))).toEqual([]);
    for (const key of unsure.splice(0)) await ask(key);
    const key = randomUUID();
    const asking = ask(key).catch(() => {
      unsure.push(key); // the daemon was killed before it answered: a person would press the key again
    });
    if (random.chance(0.8)) await asking;
    await sleep(random.below(runMs));
    if (random.chance(0.3)) killOne(house.marked(), random.below(100));
    if (random.chance(0.3)) await sleep(random.below(runMs / 2));
    node.kill('SIGKILL');
    await Promise.all([node.ended, asking]);
  }

  const last = await house.start();
  for (const key of unsure.splice(0)) await ask(key);
  await eventually(() => house.rows("SELECT id FROM wakes WHERE state <> 'done'").length === 0);
  last.kill('SIGTERM');
  expect((await last.ended).code).toBe(0);

  expect(house.marked()).toEqual([]);
  expect(house.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expectEachAskOnce(house, [...posted.values()]);
  expectAnsweredOnce(house);
  expectEveryRunCounted(house);
  const ended = house.rows<{ outcome: string; n: number }>(
    'SELECT outcome, count(*) AS n FROM runs GROUP BY outcome',
  );
  console.log(`${KILLS} kills, seed ${SEED}: ${ended.map(({ outcome, n }) => `${n} ${outcome}`).join(', ')}`);
});

/** From the ask to the end of a run that nothing disturbs, ms, with a little more. */
async function lengthOfARun(house: House): Promise<number> {
  const node = await house.start();
  const from = performance.now();
  await house.ask('how long does it take?');
  await node.saw(({ type }) => type === 'run_ended');
  const took = performance.now() - from;
  node.kill('SIGKILL');
  await node.ended;
  return Math.ceil(took * 1.2);
}

async function killWhileStarting(dir: string, afterMs: number, env: Record<string, string>): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [WATS, 'node', '--dir', dir], {
    env: cleanEnv(env),
    stdio: 'ignore',
  });
  const gone = once(child, 'exit');
  await sleep(afterMs);
  child.kill('SIGKILL');
  await gone;
}

function killOne(pids: readonly number[], at: number): void {
  const pid = pids[at % Math.max(1, pids.length)];
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ended by itself since
  }
}

/** What was acknowledged is there, and what was sent again is there once. */
function expectEachAskOnce(house: House, acknowledged: readonly string[]): void {
  const asks = house.rows<{ id: string; text: string }>(
    "SELECT lower(hex(id)) AS id, text FROM posts WHERE kind = 'ask'",
  );
  const ids = asks.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...acknowledged]));
  expect(new Set(asks.map(({ text }) => text)).size).toBe(asks.length);
  expect(house.rows('SELECT count(*) AS n FROM wakes WHERE seq IS NOT NULL')).toEqual([{ n: asks.length }]);
}

/** Every ask has one answer, held or posted; without one, it was tried twice and both runs were cut short. */
function expectAnsweredOnce(house: House): void {
  const answers = house.rows<{ parent: string }>(
    `SELECT lower(hex(parent)) AS parent FROM drafts
      UNION ALL SELECT lower(hex(parent)) AS parent FROM posts WHERE kind = 'answer'`,
  );
  const answered = answers.map(({ parent }) => parent);
  expect(new Set(answered).size).toBe(answered.length);
  const wakes = house.rows<{ id: number; post: string; tries: number }>(
    'SELECT w.id, lower(hex(p.id)) AS post, w.tries FROM wakes w JOIN posts p ON p.seq = w.seq',
  );
  for (const { id, post, tries } of wakes) {
    if (answered.includes(post)) continue;
    const outcomes = house
      .rows<{ outcome: string }>(
        'SELECT r.outcome FROM wake_runs w JOIN runs r ON r.id = w.run WHERE w.wake = ?',
        id,
      )
      .map(({ outcome }) => outcome);
    expect({ post, tries, outcomes }).toEqual({
      post,
      tries: 1,
      outcomes: [expect.stringMatching(/interrupted|error/), expect.stringMatching(/interrupted|error/)],
    });
  }
  // What the agent was told was held or posted is there.
  const told = house.steps('reply').flatMap(({ ok, result }) => (ok ? [result?.held ?? result?.id] : []));
  const there = house.rows<{ id: string }>(
    'SELECT id FROM drafts UNION ALL SELECT lower(hex(id)) AS id FROM posts',
  );
  expect(there.map(({ id }) => id)).toEqual(expect.arrayContaining(told));
}

/** Each program that was started is in the books, settled, and in the list of runs; none was free. */
function expectEveryRunCounted(house: House): void {
  const started = new Set(house.steps('started').map(({ run }) => run));
  const books = house.rows<{ run: string; runs: number; unpriced: number; settled: number; state: string }>(
    `SELECT b.run, b.runs, b.unpriced_runs AS unpriced, b.settled, r.state
       FROM bookings b JOIN runs r ON r.id = b.run`,
  );
  expect(books.map(({ run }) => run)).toEqual(expect.arrayContaining([...started]));
  for (const book of books) expect(book).toMatchObject({ runs: 1, unpriced: 1, settled: 1, state: 'ended' });
  const listed = readFileSync(join(house.dir, 'agent/runs.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { run: string }).run);
  expect(new Set(listed)).toEqual(new Set(books.map(({ run }) => run)));
}
