import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { OPEN_SPACE, spaceOfSwarmKey } from '../swarm/index.ts';
import { formatSwarmKey, parseSwarmKey } from '../sync/index.ts';

/** The key of the private swarm of a data directory; `null` in the open one. @throws WatsError `directory` */
export function readSwarmKey(path: string): Uint8Array | null {
  if (!existsSync(path)) return null;
  return parseSwarmKey(readFileSync(path, 'utf8'));
}

/** The space of a data directory: `open`, or the hash of the key of its private swarm. */
export function spaceOf(key: Uint8Array | null): string {
  return key === null ? OPEN_SPACE : spaceOfSwarmKey(key);
}

/** Whole or not at all, for its owner alone. */
export function writeSwarmKey(path: string, key: Uint8Array): void {
  writeFileSync(`${path}.tmp`, formatSwarmKey(key), { mode: 0o600, flush: true });
  renameSync(`${path}.tmp`, path);
}
