import type { ControlClient } from '../../src/control/index.ts';
import { until } from './proc.ts';

/** Joins one node to another over an invite, as two people would. */
export async function introduce(inviting: ControlClient, joining: ControlClient): Promise<void> {
  const { invite } = (await inviting.call('peer.invite', {})) as { invite: string };
  await joining.call('peer.join', { invite });
}

/** Waits until a node has links to so many others. */
export async function linked(client: ControlClient, least: number): Promise<void> {
  await until(`${least} peers are connected`, async () => (await connected(client)) >= least, 60_000);
}

async function connected(client: ControlClient): Promise<number> {
  const peers = (await client.call('peer.list')) as { state: string }[];
  return peers.filter(({ state }) => state === 'connected').length;
}
