import type { RelayStatus } from '../../src/sync/contract.ts';
import { type Node, startNode, until } from './support.ts';

export type Change = NonNullable<Parameters<typeof startNode>[0]>;

/** A clock a day behind takes every post of now for one of the future: such a seed relays, and passes no post on itself. */
const aDayBehind = (): number => Date.now() - 86_400_000;

/** A seed that serves, and through which nothing comes but what it relays. */
export const startSeed = (change: Change = {}): Promise<Node> =>
  startNode({ relay: { seeds: [], serves: true }, nowMs: aDayBehind, ...change });

/** A node that nobody can dial: it has no listener. */
export const startHidden = (seeds: readonly Pick<Node, 'address'>[], change: Change = {}): Promise<Node> =>
  startNode({ listen: [], relay: { seeds: seeds.map(({ address }) => address), serves: false }, ...change });

/** An address of a node at which nobody answers. */
export const dead = (id: string): string => `/ip4/127.0.0.1/tcp/9/p2p/${id}`;

export function relayOf(node: Node, seed: Pick<Node, 'id'>): RelayStatus | undefined {
  return node.engine.status().relays.find(({ seed: id }) => id === seed.id);
}

export function isReserved(node: Node, seed: Pick<Node, 'id'>): boolean {
  return relayOf(node, seed)?.state === 'reserved';
}

/** How a peer is linked: `straight`, `relayed`, or the state that it is in. */
export function linkOf(node: Node, peer: Pick<Node, 'id'>): string | undefined {
  const row = node.engine.status().peers.find(({ id }) => id === peer.id);
  return row?.state === 'connected' ? (row.relayed ? 'relayed' : 'straight') : row?.state;
}

/** Two hidden nodes, of which the second dials the first through the seed. */
export async function pair(seed: Node, first: Change = {}, second: Change = {}): Promise<[Node, Node]> {
  const a = await startHidden([seed], first);
  await until('a has a place on the seed', () => isReserved(a, seed));
  const b = await startHidden([seed], { peers: [dead(a.id)], ...second });
  await until('b reaches a through the seed', () => linkOf(b, a) === 'relayed' && linkOf(a, b) === 'relayed');
  return [a, b];
}
