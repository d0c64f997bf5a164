import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from './entry.ts';
import type { Machine } from './host.ts';

/** A service that starts wats, as deploy/agent/ has them, and the commands that end it. */
export interface Service {
  readonly path: string;
  readonly undo: readonly string[];
}

/** Services of wats on this machine. They were put there by hand, some by root: how to undo them is said, not done. */
export function installedServices(machine: Machine, uid: number): readonly Service[] {
  const { home, env } = machine;
  const agents = join(home, 'Library/LaunchAgents/wats.plist');
  const own = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'systemd/user/wats.service');
  const system = '/etc/systemd/system/wats.service';
  const services: readonly Service[] = [
    {
      path: agents,
      undo: [commandLine(['launchctl', 'bootout', `gui/${uid}/wats`]), commandLine(['rm', agents])],
    },
    { path: own, undo: ['systemctl --user disable --now wats', commandLine(['rm', own])] },
    { path: system, undo: ['sudo systemctl disable --now wats', commandLine(['sudo', 'rm', system])] },
  ];
  return services.filter(({ path }) => existsSync(path));
}
