import type { AccessLevel } from '../runtimes/index.ts';

/** The settings that the runner decides and runs by; units in the names. */
export interface RunnerSettings {
  readonly agent: string;
  readonly profile: string;
  /** Author key of the profile. */
  readonly author: string;
  readonly user: string;
  readonly about: string;
  readonly model: string | null;
  readonly access: AccessLevel;
  readonly tools: readonly string[];
  readonly command: readonly string[];
  readonly denyPaths: readonly string[];
  /** `agent.every`: 0 starts at once. */
  readonly everyMs: number;
  /** `agent.heartbeat`; `null`: off. */
  readonly heartbeatMs: number | null;
  readonly wakesPerRun: number;
  readonly wakeMaxAgeMs: number;
  readonly allow: readonly string[] | null;
  readonly ignoreLocal: boolean;
  readonly wakesPerAuthorPerHour: number;
  readonly loopMaxExchanges: number;
  readonly maxRunsPerHour: number;
  readonly maxRunsPerDay: number;
  readonly maxTurns: number;
  readonly maxTokensPerRun: number;
  readonly maxMicroUsdPerRun: number;
  readonly maxMicroUsdPerDay: number;
  readonly maxMicroUsdPerMonth: number;
  readonly timeoutMs: number;
  readonly stallTimeoutMs: number;
}
