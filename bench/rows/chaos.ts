import { median, ms, quantile, round, whole } from '../support/measure.ts';
import { pick, prose, type Random, seeded } from '../support/posts.ts';
import { pause } from '../support/proc.ts';
import { type Bench, line, type RowRun } from '../support/row.ts';
import { openSession, type Session } from '../support/session.ts';
import { countsOf, idsOf, integrityOf, openSwarm, type SwarmNode } from '../support/swarm.ts';

const NODES = 6;
/** Agent sessions on each node, each with a profile, so an author, of its own. */
const SESSIONS = 8;
const LEAST_AUTHORS = 40;
/** The longest that a killed node stays away. */
const AWAY_MS = 2_000;
/** Posts of the swarm a second: more than the rate limits let through would measure the limits. */
const PER_SECOND = 40;
const PATIENCE_MS = 180_000;

export const run: RowRun = async (bench) => {
  const [posts, kills] = bench.quick ? [200, 2] : [2_000, 6];
  const plan = planOf(kills, seeded(bench.seed));
  bench.say(`seed ${bench.seed}: ${NODES} nodes, ${whole(posts)} posts, ${kills} kills`);
  const nodes = await openSwarm(bench, NODES);
  const from = performance.now();
  const load = startLoad(nodes, posts, seeded(bench.seed + 1));
  bench.defer(() => load.stop());
  await carryOut(bench, plan, nodes, load);
  await load.done;
  const posted = performance.now();
  bench.say(`${whole(load.acknowledged.length)} posts acknowledged in ${ms(posted - from)}`);

  const settled = await agreement(bench, nodes);
  const took = performance.now() - posted;
  const ids = idsOf(nodes[0]!.dir);
  const here = new Set(nodes.flatMap(({ dir }) => idsOf(dir)));
  const lost = load.acknowledged.filter((id) => !here.has(id.toUpperCase()));
  const { authors } = countsOf(nodes[0]!.dir);
  const damaged = nodes.filter(({ dir }) => integrityOf(dir) !== 'ok').map(({ name }) => name);
  const counts = nodes.map(({ dir }) => countsOf(dir).posts);
  const notes = [
    `seed ${bench.seed}; ${load.cut()} sessions lost their node, ${load.refused()} calls were refused${load.why()}; acknowledged in ` +
      `${ms(median(load.took))} (p99 ${ms(quantile(load.took, 0.99))})`,
    ...(lost.length > 0 ? [`LOST: ${lost.length} acknowledged posts are nowhere to be found`] : []),
    ...(damaged.length > 0 ? [`DAMAGED: ${damaged.join(', ')}`] : []),
  ];
  return [
    line(
      `${NODES} nodes, ${whole(ids.length)} posts of ${authors} authors, ${kills} SIGKILLs: the same posts everywhere`,
      settled ? `${ms(took)} after the last post` : `no: ${counts.join(', ')} posts`,
      {
        target: 'identical sets, nothing lost',
        met: settled && lost.length === 0 && damaged.length === 0 && authors >= LEAST_AUTHORS,
        figures: {
          seed: bench.seed,
          posts: ids.length,
          acknowledged: load.acknowledged.length,
          lost: lost.length,
          authors,
          kills,
          loadMs: round(posted - from, 0),
          convergedMs: settled ? round(took, 0) : null,
          ackP50Ms: round(median(load.took)),
        },
        notes,
      },
    ),
  ];
};

interface Kill {
  /** How much of the load is acknowledged by then. */
  readonly moment: number;
  readonly node: number;
  readonly awayMs: number;
}

/** What the seed decides: who is killed when, and for how long. */
function planOf(kills: number, random: Random): readonly Kill[] {
  const plan = Array.from({ length: kills }, () => ({
    moment: 0.05 + 0.9 * random(),
    node: Math.floor(random() * NODES),
    awayMs: random() * AWAY_MS,
  }));
  return plan.sort((a, b) => a.moment - b.moment);
}

/** Kills nodes in the middle of the load. Several may be away at once; one that is, is killed again once it is up. */
async function carryOut(
  bench: Bench,
  plan: readonly Kill[],
  nodes: readonly SwarmNode[],
  load: Load,
): Promise<void> {
  const back: Promise<void>[] = [];
  for (const kill of plan) {
    await load.reached(kill.moment);
    const node = nodes[kill.node] as SwarmNode;
    await node.up();
    await node.kill();
    const at = load.acknowledged.length;
    back.push(
      (async () => {
        await pause(kill.awayMs);
        const from = performance.now();
        await node.restart();
        const upMs = performance.now() - from;
        bench.say(`${node.name} killed at post ${at}, away ${ms(kill.awayMs)}, up in ${ms(upMs)}`);
      })(),
    );
  }
  await Promise.all(back);
}

/** Waits until all nodes have the same ids on disk. */
async function agreement(bench: Bench, nodes: readonly SwarmNode[]): Promise<boolean> {
  const from = performance.now();
  let said = '';
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const counts = nodes.map(({ dir }) => countsOf(dir).posts);
    const now = counts.join(' ');
    if (now !== said) bench.say(`after ${ms(performance.now() - from)} they have ${now}`);
    said = now;
    if (new Set(counts).size === 1 && new Set(nodes.map(({ dir }) => idsOf(dir).join())).size === 1)
      return true;
    await pause(100);
  }
  return false;
}

interface Load {
  /** Ids of posts that a node answered for. */
  readonly acknowledged: readonly string[];
  /** Milliseconds from a call to its answer. */
  readonly took: readonly number[];
  /** Resolves when so much of the load is acknowledged. */
  reached(share: number): Promise<void>;
  /** Sessions that a kill ended, and calls that were answered with a refusal. */
  cut(): number;
  refused(): number;
  /** What most refusals said. */
  why(): string;
  readonly done: Promise<void>;
  stop(): void;
}

/** Sessions on all nodes that post at a steady rate, half of it replies to whatever anybody posted. */
function startLoad(nodes: readonly SwarmNode[], posts: number, random: Random): Load {
  const acknowledged: string[] = [];
  const took: number[] = [];
  const sessions = nodes.length * SESSIONS;
  const reasons = new Map<string, number>();
  let [cut, refused, stopped] = [0, 0, false];

  async function talk(node: SwarmNode, profile: string): Promise<void> {
    let session: Session | null = null;
    while (acknowledged.length < posts && !stopped) {
      await pause((random() * 2_000 * sessions) / PER_SECOND);
      if (acknowledged.length >= posts || stopped) break;
      try {
        session ??= await openSession(node.dir, profile);
        const parent = random() < 0.5 && acknowledged.length > 0 ? pick(random, acknowledged) : null;
        const from = performance.now();
        const text = prose(random, 200 + Math.floor(random() * 1_800));
        const answer = await session.post({ parent, text });
        took.push(performance.now() - from);
        if (answer.ok && answer.id !== null) acknowledged.push(answer.id);
        else {
          // A parent that has not arrived on this node yet is one reason.
          refused += 1;
          const why = answer.text.replace(/[0-9a-f]{15,}/g, '…').slice(0, 100);
          reasons.set(why, (reasons.get(why) ?? 0) + 1);
        }
      } catch {
        // The node was killed: what it did not answer may or may not be there.
        if (session !== null) cut += 1;
        session = null;
        await node.up();
      }
    }
    session?.close();
  }

  const talks = nodes.flatMap((node) =>
    Array.from({ length: SESSIONS }, (_, n) => talk(node, `${node.name}-p${n}`)),
  );
  return {
    acknowledged,
    took,
    async reached(share) {
      while (acknowledged.length < posts * share && !stopped) await pause(10);
    },
    cut: () => cut,
    refused: () => refused,
    why() {
      const [first] = [...reasons].sort(([, a], [, b]) => b - a);
      return first === undefined ? '' : ` (${first[1]} of them: "${first[0]}")`;
    },
    done: Promise.all(talks).then(() => {}),
    stop: () => {
      stopped = true;
    },
  };
}
