import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What `unshare` needs: a user who is not root becomes one inside. */
const flags = process.getuid?.() === 0 ? ['-n'] : ['-rn'];

/** One device out, neighbours that are always known (no ARP), no IPv6 chatter of the kernel. */
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

/** An address that is outside, where nobody answers. */
export const OUTSIDE = '/ip4/10.9.0.77/tcp/4001';

const probe = spawnSync('unshare', [...flags, 'sh', '-c', setUp], { encoding: 'utf8' });

/** Why packets cannot be counted here, or nothing when they can. */
export const cannotCount: string | undefined =
  process.platform === 'linux' && probe.status === 0
    ? undefined
    : `no network namespace with a device here: ${(probe.stderr || probe.error?.message) ?? ''}`;

/** Runs a script of ours in a namespace whose only way out is the device "out"; what its last line says, as JSON. */
export function inNamespace<T>(script: URL, args: readonly string[], timeoutMs = 25_000): T {
  const run = spawnSync(
    'unshare',
    [...flags, 'sh', '-c', `${setUp} && exec "$0" "$@"`, process.execPath, script.pathname, ...args],
    { encoding: 'utf8', timeout: timeoutMs },
  );
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as T;
}

/** Inside the namespace: packets that left it so far. */
export function packetsOut(): number {
  const line = readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .find((each) => each.trim().startsWith('out:'));
  return Number(line?.split(':')[1]?.trim().split(/\s+/)[8]);
}
