/** Replication between nodes: the only room that knows the network engine, which runs in a worker thread. */
export { type PeerAddress, parsePeerAddress } from './address.ts';
export type {
  AcceptBatch,
  PeerStatus,
  ReceivedPost,
  RelayOptions,
  RelayStatus,
  StoreReader,
  Sync,
  SyncEvent,
  SyncOptions,
  SyncPorts,
  SyncStatus,
} from './contract.ts';
export { decodeInvite, encodeInvite, type Invite } from './invite.ts';
export { isNodeId, nodeIdOf } from './node-id.ts';
export { startSync } from './supervisor.ts';
export { formatSwarmKey, newSwarmKey, parseSwarmKey } from './swarm-key.ts';
