import { claude } from './claude.ts';
import { codex } from './codex.ts';
import type { Host } from './host.ts';

/** Programs whose sessions wats is registered in. */
export const HOSTS: readonly Host[] = [claude, codex];

export function hostNamed(name: string): Host | null {
  return HOSTS.find((host) => host.name === name) ?? null;
}
