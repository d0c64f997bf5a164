import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Author, publish, startNode, stateOf, stopAll, until } from './support.ts';

afterEach(stopAll);

/** A wire between two nodes that a test can cut without either end being told, as sleep and lost networks do. */
async function wire(toPort: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(toPort, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.on('data', (bytes) => isCut || far.write(bytes));
    far.on('data', (bytes) => isCut || near.write(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
    },
    heal: () => {
      // What went over the wire before stays lost; new connections work.
      for (const socket of sockets) socket.removeAllListeners('data');
      isCut = false;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a link that dies without a word is noticed, and after the partition both sides have the same posts', async () => {
  const rhythm = { pingMs: 300, pingTimeoutMs: 500 };
  const a = await startNode({ rhythm });
  const line = await wire(Number(/tcp\/(\d+)/.exec(a.address)?.[1]));
  const b = await startNode({ rhythm, peers: [`/ip4/127.0.0.1/tcp/${line.port}/p2p/${a.id}`] });
  await until('linked', () => stateOf(b, a) === 'connected' && stateOf(a, b) === 'connected');
  line.cut();
  const author = new Author();
  const posts = Array.from({ length: 40 }, (_, i) => publish(i % 2 ? a : b, author.post()));
  await until('both ends notice', () => stateOf(b, a) === 'unreachable' && stateOf(a, b) !== 'connected');
  expect(a.store.posts.size).toBe(20);
  line.heal();
  await until('both have all', () => [a, b].every(({ store }) => store.posts.size === posts.length));
  line.close();
});

test('after a sleep a node dials at once, whatever pause it was in', async () => {
  let skew = 0;
  const nodeSeed = randomBytes(32);
  const a = await startNode({ nodeSeed });
  const b = await startNode({
    peers: [a.address.replace(/tcp\/\d+/, 'tcp/9')],
    rhythm: { guardMs: 100 },
    nowMs: () => Date.now() + skew,
  });
  const pauses = () => b.events.flatMap((event) => (event.kind === 'dial_failed' ? [event.retryInMs] : []));
  await until('it is in a pause of more than a second', () => pauses().some((pause) => pause > 1_000));
  const before = b.events.length;
  skew = 3_600_000;
  await until('it dials again', () => b.events.length > before);
  // The count starts anew: the pause after this failure is the shortest one.
  expect(pauses().at(-1)).toBeLessThan(700);
});
