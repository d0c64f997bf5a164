import { isIP } from 'node:net';
import { WatsError } from '../errors/index.ts';
import { isNodeId } from './node-id.ts';

/** Where a peer is dialled. TCP is the only transport, so this is all that an address can be. */
export interface PeerAddress {
  /** The whole multiaddress, as it was given. */
  readonly text: string;
  readonly peerId: string;
}

const SHAPE = /^\/(ip4|ip6|dns|dns4|dns6)\/([^/\s]{1,253})\/tcp\/([0-9]{1,5})\/p2p\/([^/\s]{1,128})$/;
const HOST = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*\.?$/;

/**
 * Reads `/ip4|ip6|dns|dns4|dns6/<host>/tcp/<port>/p2p/<node id>`.
 *
 * @throws WatsError `usage` that says which part is wrong
 */
export function parsePeerAddress(text: string): PeerAddress {
  const [, family, host, port, peerId] = SHAPE.exec(text) ?? [];
  if (family === undefined || host === undefined || port === undefined || peerId === undefined) {
    throw wrong('this is no address of a peer');
  }
  const version = isIP(host);
  const hostFits = family === 'ip4' ? version === 4 : family === 'ip6' ? version === 6 : HOST.test(host);
  if (!hostFits) throw wrong(`the host of the address does not fit /${family}`);
  if (Number(port) < 1 || Number(port) > 65_535) throw wrong('the port of the address is not 1 to 65535');
  if (!isNodeId(peerId)) throw wrong('the node id at the end of the address is damaged');
  return { text, peerId };
}

function wrong(message: string): WatsError {
  return new WatsError('usage', message, {
    fix: 'An address looks like /ip4/192.0.2.1/tcp/4001/p2p/12D3KooW…; `wats peer invite` on the other node prints one.',
  });
}
