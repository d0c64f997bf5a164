import { afterEach, expect, test } from 'vitest';
import { join, rawPeer, stopRawPeers } from './raw-peer.ts';
import { Author, publish, startNode, stateOf, stopAll, until } from './support.ts';

afterEach(async () => {
  await stopAll();
  await stopRawPeers();
});

const rhythm = { guardMs: 100, guardAgeMs: 2_000 };

test('a link whose gossip stream died while the connection lives is closed and dialled again', async () => {
  const raw = await rawPeer();
  const node = await startNode({ peers: [raw.getMultiaddrs()[0]?.toString() ?? ''], rhythm });
  const peer = raw.peerId.toString();
  raw.services.pubsub.subscribe('/wats/1/open');
  const subscribed = () =>
    raw.services.pubsub.getSubscribers('/wats/1/open').some((each) => each.toString() === node.id);
  await until('gossip runs', subscribed);
  const gossipStreams = raw
    .getConnections()
    .flatMap(({ streams }) => streams.filter(({ protocol }) => protocol.startsWith('/meshsub/')));
  // The stream on which the node sends: from the raw peer's side it came in.
  for (const stream of gossipStreams) if (stream.direction === 'inbound') stream.abort(new Error('overflow'));
  await until('the guard closed it', () =>
    node.events.some((e) => e.kind === 'link_healed' && e.peer === peer),
  );
  await until('it is linked again', () => stateOf(node, peer) === 'connected');
  const heard: string[] = [];
  raw.services.pubsub.addEventListener('message', ({ detail }) => {
    heard.push(Buffer.from(detail.data.subarray(1)).toString());
  });
  const author = new Author();
  await until('gossip carries posts again', () => {
    publish(node, author.post());
    return heard.length > 0;
  });
  expect(JSON.parse(heard[0] ?? '')).toMatchObject({ author: author.id });
});

test('links that work are left alone', async () => {
  const a = await startNode({ rhythm });
  const b = await startNode({ peers: [a.address], rhythm });
  await until('linked', () => stateOf(a, b) === 'connected');
  const raw = await rawPeer();
  await join(raw, a);
  const start = performance.now();
  await until('the guard had ten turns', () => performance.now() - start > 3_000);
  expect(
    [...a.events, ...b.events].filter(({ kind }) => kind === 'link_healed' || kind === 'disconnected'),
  ).toEqual([]);
});
