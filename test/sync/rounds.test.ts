import { afterEach, expect, test } from 'vitest';
import { type RawStream, rawPeer, rawStream, stopRawPeers } from './raw-peer.ts';
import { Author, type Node, startNode, stateOf, stopAll, until } from './support.ts';

afterEach(async () => {
  await stopAll();
  await stopRawPeers();
});

const [SETTLED, DAYS] = [2, 6];
const NEVER = 600_000;
/** Nothing happens by itself but what a test is about. */
const quiet = { everyMs: NEVER, onConnectMs: [0, 0], onceMoreMs: [NEVER, NEVER] } as const;

/** A node that dials a peer which answers exchanges as the test says; the exchanges that the node starts, in order. */
async function startWith(rhythm: object): Promise<{ node: Node; exchanges: RawStream[] }> {
  const exchanges: RawStream[] = [];
  const raw = await rawPeer();
  await raw.handle('/wats/sync/1/open', (stream) => void exchanges.push(rawStream(stream)));
  const address = raw.getMultiaddrs()[0]?.toString() ?? '';
  const node = await startNode({ peers: [address], rhythm: { ...quiet, ...rhythm } });
  await until('it starts an exchange', () => exchanges.length === 1);
  return { node, exchanges };
}

test('what comes while an exchange is under way is passed on by another one after it', async () => {
  const { node, exchanges } = await startWith({ afterNewsMs: 50 });
  const [first] = exchanges as [RawStream];
  // Its question is here, so it has read its store; the answer waits.
  expect((await first.receive()).type).toBe(DAYS);
  const other = await startNode({ rhythm: quiet });
  const news = new Author().post();
  other.store.put(news);
  node.engine.addPeer(other.address);
  await until('the node has the news', () => node.store.posts.has(news.id));
  const since = performance.now();
  await until('the news is due to be passed on', () => performance.now() - since > 150);
  expect(exchanges).toHaveLength(1);
  await first.send(SETTLED);
  await until('another exchange begins', () => exchanges.length === 2, 5_000);
  expect((await (exchanges[1] as RawStream).receive()).type).toBe(DAYS);
});

test('an exchange that failed is tried again, after pauses that double', async () => {
  const { node, exchanges } = await startWith({ afterBusyMs: 100 });
  const failedAt: number[] = [];
  for (let i = 0; i < 4; i++) {
    await until('it starts', () => exchanges.length === i + 1);
    await until('the one before had failed', () => failures(node) === i);
    (exchanges[i] as RawStream).stream.abort(new Error('the peer has no mind to'));
    await until('it failed', () => failures(node) === i + 1);
    failedAt.push(performance.now());
  }
  const pauses = failedAt.slice(1).map((at, i) => at - (failedAt[i] ?? 0));
  // 100, 200, 400 ms, and whatever the machine takes beside them.
  expect(pauses.map((pause, i) => pause >= 90 * 2 ** i)).toEqual([true, true, true]);
  await until('it starts again', () => exchanges.length === 5);
  const last = exchanges[4] as RawStream;
  expect((await last.receive()).type).toBe(DAYS);
  await last.send(SETTLED);
  await node.engine.syncNow();
  expect(failures(node)).toBe(4);
});

test('what a node takes after the exchange on a new link, and before gossip runs on it, comes with a second one', async () => {
  const a = await startNode({ rhythm: quiet });
  const author = new Author();
  const [early, late] = [author.post(), author.post()];
  a.store.put(early);
  const b = await startNode({ peers: [a.address], rhythm: { ...quiet, onceMoreMs: [1_000, 1_000] } });
  await until('the first exchange was', () => b.store.posts.has(early.id));
  // Stored and not gossiped to b: it came from elsewhere before b was in the mesh.
  a.store.put(late);
  await until('b has it', () => b.store.posts.has(late.id), 10_000);
  expect(b.store.received.at(-1)).toMatchObject({ id: late.id, via: 'reconciled' });
  expect(stateOf(b, a)).toBe('connected');
});

function failures(node: Node): number {
  return node.events.filter(({ kind }) => kind === 'reconcile_failed').length;
}
