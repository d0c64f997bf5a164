import { createHash } from 'node:crypto';

/** The space of a swarm without a key. */
export const OPEN_SPACE = 'open';
/** Posts of this space never leave the node. */
export const LOCAL_SPACE = 'local';

/** The space of a private swarm: a hash of its 32-byte key, so that a post of one swarm is refused in another. */
export function spaceOfSwarmKey(swarmKey: Uint8Array): string {
  return createHash('sha256').update('wats swarm 1\n').update(swarmKey).digest('hex');
}
