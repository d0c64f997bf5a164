/**
 * Runs inside a network namespace whose only way out is the device "out", and prints how many packets left on it.
 * Arguments: a folder for databases; "quiet" (no peers), "linked" (two nodes on loopback, one of which announces
 * an outside address), "relayed" (two nodes that meet through a seed, which names an outside address as its own) or
 * "outside" (a named peer outside: the control).
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { circuitRelayServer } from '@libp2p/circuit-relay-v2';
import { multiaddr } from '@multiformats/multiaddr';
import { openStore } from '../../src/store/index.ts';
import { nodeIdOf, type RelayOptions, type Sync, startSync } from '../../src/sync/index.ts';
import { OUTSIDE, packetsOut } from '../support/namespace.ts';
import { rawPeer } from './raw-peer.ts';
import { until } from './support.ts';

const [, , folder = '', scene] = process.argv;

async function start(
  name: string,
  listen: string[],
  peers: string[],
  relay: RelayOptions | null = null,
): Promise<Sync> {
  const database = join(folder, `${name}.db`);
  openStore(database).close();
  return await startSync(
    {
      nodeSeed: randomBytes(32),
      swarmKeyFile: null,
      space: 'open',
      listen,
      peers,
      allow: null,
      relay,
      database,
    },
    { accept: async () => ({ refused: [] }), log: () => {} },
  );
}

const before = packetsOut();
let connected = 0;
if (scene === 'quiet') {
  await start('a', [], []);
  await sleep(3_000);
} else if (scene === 'linked') {
  const announcer = await rawPeer({
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'], announce: [OUTSIDE] },
  });
  const a = await start('a', ['/ip4/127.0.0.1/tcp/0'], []);
  const b = await start('b', ['/ip4/127.0.0.1/tcp/0'], [a.status().listening[0] ?? '']);
  await announcer.dial(multiaddr(a.status().listening[0] ?? ''));
  await sleep(1_500);
  connected = a.status().peers.filter(({ state }) => state === 'connected').length;
  await announcer.stop();
  await sleep(2_000);
  await b.syncNow();
} else if (scene === 'relayed') {
  const listen = '/ip4/127.0.0.1/tcp/4101';
  const options = {
    addresses: { listen: [listen], announce: [OUTSIDE] },
    services: { relay: circuitRelayServer() },
  };
  const seed = await rawPeer(options as Parameters<typeof rawPeer>[0]);
  const relay = { seeds: [`${listen}/p2p/${seed.peerId.toString()}`], serves: false };
  const a = await start('a', [], [], relay);
  await until('a has a place', () => a.status().relays[0]?.state === 'reserved');
  const b = await start('b', [], [`/ip4/127.0.0.1/tcp/9/p2p/${a.status().nodeId}`], relay);
  await until('b goes through the seed', () => b.status().peers.some(({ relayed }) => relayed));
  await b.syncNow();
  await sleep(1_500);
  connected = [a, b]
    .flatMap((node) => node.status().peers)
    .filter(({ state }) => state === 'connected').length;
} else {
  await start('a', [], [`${OUTSIDE}/p2p/${nodeIdOf(randomBytes(32))}`]);
  await sleep(1_500);
}
console.log(JSON.stringify({ packets: packetsOut() - before, connected }));
process.exit(0);
