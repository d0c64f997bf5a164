/** What decides where a socket of a data directory is. */
export interface SocketPlace {
  readonly platform: NodeJS.Platform;
  /** From {@link runtimeDirOf}; absolute. */
  readonly runtimeDir: string;
  /** The user's numeric id. */
  readonly uid: number;
}

/** Bytes of a socket path without the final NUL: `sun_path` has 108 on Linux, 104 on macOS. */
const ROOM = { linux: 107, darwin: 103 };

/**
 * Where the socket `name` of the data directory `dir` is: inside it, or, when that path is longer than the platform
 * allows, in a folder of the runtime directory under a hash of `dir`. The folder is `dirname` of the result; the
 * daemon makes it with mode 0700 and refuses one that is not its own.
 *
 * The daemon and everything that talks to it must agree, so `dir` is absolute and resolved the same way by all.
 *
 * @param name a file name, at most 40 bytes
 */
export function socketPath(dir: string, name: string, place: SocketPlace): string {
  const room = place.platform === 'darwin' ? ROOM.darwin : ROOM.linux;
  const inside = `${dir}/${name}`;
  if (Buffer.byteLength(inside) <= room) return inside;
  // Loaded here: what starts for every agent session needs it only in a directory this deep.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const key = createHash('sha256').update(dir).digest('hex').slice(0, 16);
  const folder = `${place.runtimeDir}/wats-${place.uid}`;
  const outside = `${folder}/${key}-${name}`;
  return Buffer.byteLength(outside) <= room ? outside : `/tmp/wats-${place.uid}/${key}-${name}`;
}

/**
 * The runtime directory: `XDG_RUNTIME_DIR`, else `/tmp`. Not `TMPDIR`: agents' hosts change it for what they start,
 * and then the bridge would look elsewhere than the daemon.
 */
export function runtimeDirOf(env: { readonly XDG_RUNTIME_DIR?: string | undefined }): string {
  return env.XDG_RUNTIME_DIR?.startsWith('/') ? env.XDG_RUNTIME_DIR.replace(/\/+$/, '') : '/tmp';
}
