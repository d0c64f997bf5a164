/**
 * Types of network file systems as Linux's statfs(2) gives them (linux/magic.h). The locks that SQLite needs do not hold
 * on them, so a data directory there can be damaged by a second machine.
 */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
]);

/** The network file system that a statfs type is of; `null` for a local one, and where the type tells nothing (macOS). */
export function networkFileSystem(platform: NodeJS.Platform, type: number): string | null {
  return platform === 'linux' ? (NETWORK.get(type >>> 0) ?? null) : null;
}
