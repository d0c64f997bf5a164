import { copyFileSync, existsSync, rmSync } from 'node:fs';

/** A copy of OpenClaw's settings beside them, from before the first change. */
export interface Backup {
  /** `null`: there were no settings yet. */
  readonly path: string | null;
  /** Puts the settings back, byte for byte. */
  restore(): void;
}

/** @param now ms since the epoch, for the name of the copy, in UTC */
export function backUp(configPath: string, now: number): Backup {
  if (!existsSync(configPath)) return { path: null, restore: () => rmSync(configPath, { force: true }) };
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const path = `${configPath}.bak-${stamp}`;
  // The copy has the mode of the original: its secrets are as safe as before.
  copyFileSync(configPath, path);
  return { path, restore: () => copyFileSync(path, configPath) };
}
