import { isIP } from 'node:net';
import { WatsError } from '../errors/index.ts';
import { isNodeId } from './node-id.ts';

/** Where a peer is dialled. TCP is the only transport, straight or through one relay. */
export interface PeerAddress {
  /** The whole multiaddress, as it was given. */
  readonly text: string;
  readonly peerId: string;
  /** The node through which the peer is reached, and its own address; `null`: it is dialled straight. */
  readonly relay: { readonly peerId: string; readonly text: string } | null;
}

const SHAPE = /^\/(ip4|ip6|dns|dns4|dns6)\/([^/\s]{1,253})\/tcp\/([0-9]{1,5})\/p2p\/([^/\s]{1,128})$/;
const HOST = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*\.?$/;
const THROUGH = '/p2p-circuit/p2p/';

/**
 * Reads `/ip4|ip6|dns|dns4|dns6/<host>/tcp/<port>/p2p/<node id>`, and the same of a relay with
 * `/p2p-circuit/p2p/<node id>` behind it.
 *
 * @throws WatsError `usage` that says which part is wrong
 */
export function parsePeerAddress(text: string): PeerAddress {
  const at = text.indexOf(THROUGH);
  if (at < 0) return { text, peerId: readDirect(text), relay: null };
  const relay = text.slice(0, at);
  const relayId = readDirect(relay);
  const peerId = text.slice(at + THROUGH.length);
  if (!isNodeId(peerId)) throw wrong('the node id at the end of the address is damaged');
  if (peerId === relayId) throw wrong('a node is no relay to itself');
  return { text, peerId, relay: { peerId: relayId, text: relay } };
}

/** The address of a node that is reached through a relay. @param relay the relay's own address, with its id */
export function throughRelay(relay: string, peerId: string): string {
  return `${relay}${THROUGH}${peerId}`;
}

/** The node id at the end of an address that is dialled straight. */
function readDirect(text: string): string {
  const [, family, host, port, peerId] = SHAPE.exec(text) ?? [];
  if (family === undefined || host === undefined || port === undefined || peerId === undefined) {
    throw wrong('this is no address of a peer');
  }
  const version = isIP(host);
  const hostFits = family === 'ip4' ? version === 4 : family === 'ip6' ? version === 6 : HOST.test(host);
  if (!hostFits) throw wrong(`the host of the address does not fit /${family}`);
  if (Number(port) < 1 || Number(port) > 65_535) throw wrong('the port of the address is not 1 to 65535');
  if (!isNodeId(peerId)) throw wrong('the node id at the end of the address is damaged');
  return peerId;
}

function wrong(message: string): WatsError {
  return new WatsError('usage', message, {
    fix: 'An address looks like /ip4/192.0.2.1/tcp/4001/p2p/12D3KooW…; `wats peer invite` on the other node prints one.',
  });
}
