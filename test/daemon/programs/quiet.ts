/**
 * Runs inside a network namespace whose only way out is the device "out", and prints how many packets left on it
 * while whole daemons worked there. Arguments: a folder for data directories; "alone", "linked" (with another daemon
 * on loopback) or "outside" (with a named peer outside: the control).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OUTSIDE, packetsOut } from '../../support/namespace.ts';
import { eventually, type RunningNode, startNode, wats, watsJson } from '../../support/node.ts';

const [, , folder = '', scene = ''] = process.argv;
const nodes: RunningNode[] = [];

async function start(name: string): Promise<string> {
  const dir = join(folder, name);
  mkdirSync(dir, { mode: 0o700 });
  nodes.push(await startNode(dir));
  return dir;
}

const before = packetsOut();
let arrived = false;
try {
  const one = await start('one');
  if (scene === 'linked') {
    const two = await start('two');
    const { invite } = await watsJson<{ invite: string }>(['peer', 'invite'], { dir: two });
    await watsJson(['peer', 'join', invite], { dir: one });
    const { id } = await watsJson<{ id: string }>(['ask', 'Here?'], { dir: two });
    arrived = await eventually(async () => (await wats(['read', id], { dir: one })).code === 0);
  } else if (scene === 'outside') {
    const { nodeId } = await watsJson<{ nodeId: string }>(['status'], { dir: await start('other') });
    await watsJson(['peer', 'add', `${OUTSIDE}/p2p/${nodeId}`], { dir: one });
  }
  await watsJson(['post', 'A word'], { dir: one });
  await watsJson(['search', 'word'], { dir: one });
  await watsJson(['status'], { dir: one });
  await sleep(2_000);
} finally {
  for (const node of nodes) node.kill('SIGTERM');
  await Promise.all(nodes.map(({ ended }) => ended));
}
console.log(JSON.stringify({ packets: packetsOut() - before, arrived }));
