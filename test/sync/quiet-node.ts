/**
 * Runs inside a network namespace whose only way out is the device "out", and prints how many packets left on it.
 * Arguments: a folder for databases; "quiet" (no peers), "linked" (two nodes on loopback, one of which announces
 * an outside address) or "outside" (a named peer outside: the control).
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { multiaddr } from '@multiformats/multiaddr';
import { openStore } from '../../src/store/index.ts';
import { nodeIdOf, type Sync, startSync } from '../../src/sync/index.ts';
import { OUTSIDE, packetsOut } from '../support/namespace.ts';
import { rawPeer } from './raw-peer.ts';

const [, , folder = '', scene] = process.argv;

async function start(name: string, listen: string[], peers: string[]): Promise<Sync> {
  const database = join(folder, `${name}.db`);
  openStore(database).close();
  return await startSync(
    { nodeSeed: randomBytes(32), swarmKeyFile: null, space: 'open', listen, peers, allow: null, database },
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
} else {
  await start('a', [], [`${OUTSIDE}/p2p/${nodeIdOf(randomBytes(32))}`]);
  await sleep(1_500);
}
console.log(JSON.stringify({ packets: packetsOut() - before, connected }));
process.exit(0);
