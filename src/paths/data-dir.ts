/** The parts of the environment that decide where the data directory is. */
export interface DataDirEnv {
  readonly WATS_DIR?: string | undefined;
  readonly XDG_DATA_HOME?: string | undefined;
}

/**
 * The data directory of this node: `--dir`, else `WATS_DIR`, else the platform's data directory for `wats`
 * (design page 2, "Data directory"). A flag or variable is returned as it was given: whoever uses a relative one
 * resolves it against the working directory.
 *
 * @param home the person's home directory, absolute
 * @param flag the value of `--dir`, when there is one
 */
export function dataDir(
  env: DataDirEnv,
  home: string,
  platform: NodeJS.Platform,
  flag: string | undefined,
): string {
  if (flag) return flag;
  if (env.WATS_DIR) return env.WATS_DIR;
  if (platform === 'darwin') return `${home}/Library/Application Support/wats`;
  // The XDG specification: a relative path there is invalid and ignored.
  const xdg = env.XDG_DATA_HOME?.startsWith('/') ? env.XDG_DATA_HOME : `${home}/.local/share`;
  return `${xdg}/wats`;
}
