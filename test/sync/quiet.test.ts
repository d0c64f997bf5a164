import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const flags = process.getuid?.() === 0 ? ['-n'] : ['-rn'];
// One device out, a neighbour that is always known (no ARP), no IPv6 chatter of the kernel.
const setUp = [
  'ip link set lo up',
  'ip link add out type veth peer name beyond',
  'ip link set out addrgenmode none',
  'ip link set beyond addrgenmode none',
  'ip addr add 10.9.0.1/24 dev out',
  'ip link set beyond up',
  'ip link set out up',
  'ip neigh add 10.9.0.2 lladdr 02:00:00:00:00:02 dev out nud permanent',
  'ip neigh add 10.9.0.77 lladdr 02:00:00:00:00:77 dev out nud permanent',
  'ip route add default via 10.9.0.2',
].join(' && ');

const probe = spawnSync('unshare', [...flags, 'sh', '-c', setUp], { encoding: 'utf8' });
const canCount = process.platform === 'linux' && probe.status === 0;
if (!canCount)
  console.log(`skipped: no network namespace with a device here (${probe.stderr ?? probe.error?.message})`);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wats-quiet-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function packetsOf(scene: string): { packets: number; connected: number } {
  const script = new URL('./quiet-node.ts', import.meta.url).pathname;
  const run = spawnSync(
    'unshare',
    [...flags, 'sh', '-c', `${setUp} && exec "$0" "$@"`, process.execPath, script, folder, scene],
    { encoding: 'utf8', timeout: 25_000 },
  );
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '');
}

describe.skipIf(!canCount)(
  'packets that leave the machine, counted in a network namespace with a way out',
  () => {
    test('none without peers', () => {
      expect(packetsOf('quiet').packets).toBe(0);
    });

    test('none with peers on this machine, not even to an address that a peer announces', () => {
      expect(packetsOf('linked')).toEqual({ packets: 0, connected: 2 });
    });

    test('some to a peer outside that the person named: the count works', () => {
      expect(packetsOf('outside').packets).toBeGreaterThan(0);
    });
  },
);
