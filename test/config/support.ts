import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type FlagValues,
  flagValues,
  type Loaded,
  loadSettings,
  type Surroundings,
} from '../../src/config/index.ts';
import { nearest } from '../../src/text/index.ts';

export const around: Surroundings = {
  user: 'ada',
  home: '/home/ada',
  cwd: '/home/ada/work',
  dataDir: '/home/ada/.local/share/wats',
  realPath: (path) => path,
  suggest: nearest,
};

/** Flags as a command line would give them: `['every', '10s']`, `['no-agent-review']`. */
export function flags(...given: readonly (readonly [string, ...string[]])[]): FlagValues {
  const values = new Map(given.map(([name, ...texts]) => [name, texts]));
  return flagValues({ on: (name) => values.has(name), all: (name) => values.get(name) ?? [] });
}

export function load(
  text: string | undefined,
  env: Record<string, string> = {},
  given: FlagValues = new Map(),
): Loaded {
  const file = text === undefined ? undefined : { path: '/data/config.toml', text };
  return loadSettings({ flags: given, env, file }, around);
}

/** What is thrown, with what a person reads of it. */
export function refusal(act: () => unknown): { code: string; message: string; fix: string } {
  try {
    act();
  } catch (error) {
    const { code, message, fix } = error as { code: string; message: string; fix: string };
    return { code, message, fix };
  }
  throw new Error('nothing was refused');
}

/** A folder of its own for one test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'wats-config-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
