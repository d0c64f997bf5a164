import { claudeRuntime } from './claude/index.ts';
import { codexRuntime } from './codex/index.ts';
import { commandRuntime } from './command/index.ts';
import type { ProgramRuntime } from './engine/prepared.ts';

export interface RuntimeDeps {
  /** The daemon's own environment: where programs are looked for, and what they would find of a login. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The setting `agent.command`; empty unless the runtime is `command`. */
  readonly command: readonly string[];
  /** From one step of an ending to the next, in ms; 5000 unless a test is in a hurry. */
  readonly stepMs?: number;
  /** Wall clock, ms since the epoch; the system's unless a test has its own. */
  readonly now?: () => number;
}

/** Page 3 of the design: interrupt, 5 s, SIGTERM, 5 s, SIGKILL. */
const STEP_MS = 5000;

/** The runtime of a name. `openclaw` forwards over HTTP and stands elsewhere. */
export function runtimeFor(name: 'claude' | 'codex' | 'command', deps: RuntimeDeps): ProgramRuntime {
  const path = deps.env['PATH'] ?? '';
  const stepMs = deps.stepMs ?? STEP_MS;
  switch (name) {
    case 'command':
      return commandRuntime({ path, command: deps.command, stepMs });
    case 'claude':
      return claudeRuntime({ env: deps.env, stepMs });
    case 'codex':
      return codexRuntime({ env: deps.env, stepMs, now: deps.now ?? Date.now });
    default:
      return name satisfies never;
  }
}
