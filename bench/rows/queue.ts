import { join } from 'node:path';
import { agentFacts, decide, decisionFacts, postFacts, type RunnerSettings } from '../../src/runner/index.ts';
import { runtimeFor } from '../../src/runtimes/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { judge } from '../../src/waking/index.ts';
import { interleave, median, ms, quantile, round, timed, whole } from '../support/measure.ts';
import { hex, seeded, unsignedPosts } from '../support/posts.ts';
import { commandAgent, dataDirectory, person, startDaemon } from '../support/program.ts';
import { atMost, type Bench, line, type RowRun } from '../support/row.ts';
import { NOTHING } from '../support/runs.ts';

const AGENT = 'main';
const AUTHORS = 400;
const STEP = 256;

export const run: RowRun = async (bench) => {
  const { scratch, quick } = bench;
  const wakes = quick ? 1_000 : 10_000;
  const config = commandAgent([NOTHING]);
  const full = dataDirectory(join(scratch, 'full'), config);
  const empty = dataDirectory(join(scratch, 'empty'), config);
  const settings = settingsOf();
  const store = openStore(join(full, 'wats.db'));
  queueAsks(store, wakes, settings);
  if (store.wakes.queuedCount(AGENT) !== wakes) throw new Error('not every ask is queued');
  const decisions = repeated(() => timed(() => decision(store, settings)), quick ? 20 : 200);
  // Paused by a person, so that nothing of the queue runs while starts are measured. The decision is made all the same.
  store.people.setPaused(AGENT, Date.now());
  store.close();

  const pairs = await interleave(
    quick ? 2 : 10,
    () => readyMs(bench, full),
    () => readyMs(bench, empty),
  );
  const one = median(decisions);
  return [
    line(`daemon ready with ${whole(wakes)} queued wakes`, ms(pairs.medianA), {
      beside: `with none: ${ms(pairs.medianB)}`,
      ratio: pairs.ratio,
      ...atMost(pairs.medianA, 1_000, ' ms'),
      figures: { readyMs: round(pairs.medianA), emptyMs: round(pairs.medianB), starts: pairs.a.length },
      notes: ['ready is: spawned, and `status` answered over the control socket'],
    }),
    line(`one decision over ${whole(wakes)} queued wakes, each in a thread of its own`, ms(one), {
      ...atMost(one, 5, ' ms'),
      figures: {
        decisionMs: round(one),
        p99Ms: round(quantile(decisions, 0.99)),
        decisions: decisions.length,
      },
    }),
  ];
};

/** So many decisions after a first one, or as many as fit into 20 s. */
function repeated(once: () => number, most: number): readonly number[] {
  const deadline = performance.now() + 20_000;
  once();
  const took = [once()];
  while (took.length < most && performance.now() < deadline) took.push(once());
  return took;
}

/** From the spawn to the first answer of the control socket. */
async function readyMs({ program }: Bench, dir: string): Promise<number> {
  const from = performance.now();
  const daemon = await startDaemon(program, dir);
  try {
    const client = await person(dir);
    await client.call('status');
    client.close();
    return performance.now() - from;
  } finally {
    await daemon.end('SIGTERM');
  }
}

function queueAsks(store: Store, count: number, settings: RunnerSettings): void {
  const random = seeded(3);
  const authors = Array.from({ length: AUTHORS }, () => hex(random, 32));
  const to = Math.floor(Date.now() / 1_000);
  store.people.addAgent(AGENT, settings.author);
  store.atomically(() => {
    const stream = { posts: count, authors: AUTHORS, thread: 1, from: to - 3_600, to };
    for (const post of unsignedPosts(random, authors, stream)) store.append(post, Date.now(), 'peer');
  });
  const filter = agentFacts(settings, []);
  let read = STEP;
  while (read === STEP) {
    ({ read } = store.wakes.step(AGENT, STEP, Date.now(), ({ stored, parentAuthor }) => {
      const judged = judge(postFacts(stored, parentAuthor), filter, Date.now());
      return { verdict: judged.kind, rule: judged.because.rule };
    }));
  }
}

/** What the runner does whenever something changed: gather every fact, decide. */
function decision(store: Store, settings: RunnerSettings): unknown {
  const facts = decisionFacts(settings, portsOf(store), { running: null, priced: false }, Date.now());
  const verdict = decide(facts, Date.now());
  if (verdict.kind !== 'start') throw new Error(`the queue does not start a run but says ${verdict.kind}`);
  return verdict;
}

function portsOf(store: Store): Parameters<typeof decisionFacts>[1] {
  const runtime = runtimeFor('command', { env: process.env, command: [NOTHING] });
  return { store, runtime, halt: () => null, localAuthors: () => [] };
}

/** The defaults, but for what keeps a queue waiting. */
function settingsOf(): RunnerSettings {
  return {
    agent: AGENT,
    profile: 'bench-agent',
    author: 'ff'.repeat(32),
    user: 'bench',
    about: '',
    model: null,
    access: 'locked',
    tools: [],
    command: [NOTHING],
    denyPaths: [],
    everyMs: 0,
    heartbeatMs: null,
    wakesPerRun: 8,
    wakeMaxAgeMs: 48 * 3_600_000,
    allow: null,
    ignoreLocal: true,
    wakesPerAuthorPerHour: 0,
    loopMaxExchanges: 30,
    maxRunsPerHour: 1_000,
    maxRunsPerDay: 10_000,
    maxTurns: 10,
    maxTokensPerRun: 200_000,
    maxMicroUsdPerRun: 500_000,
    maxMicroUsdPerDay: 2_000_000,
    maxMicroUsdPerMonth: 20_000_000,
    timeoutMs: 600_000,
    stallTimeoutMs: 180_000,
  };
}
